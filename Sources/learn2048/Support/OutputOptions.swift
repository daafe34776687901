import ArgumentParser
import Basics
import Console
import Foundation

/// The option for colours, which every command accepts even if it prints none.
struct ColorOptions: ParsableArguments {
  @Flag(name: .customLong("no-color"), help: "Disable colours (also: NO_COLOR=1).")
  var noColor = false
}

/// The options of every command that prints results.
struct OutputOptions: ParsableArguments {
  @OptionGroup var color: ColorOptions

  @Flag(help: "Print the results as JSON, and nothing else, on standard output.")
  var json = false

  /// Prints results: a document on one line with `--json`, otherwise text.
  func show(_ document: some Encodable, text: @autoclosure () -> String) throws {
    guard json else { return StandardOutput.line(text()) }
    StandardOutput.line(try JSONEncoder.text(document))
  }
}

extension JSONValue {
  /// Creates the value that `value` is encoded as.
  init(encoding value: some Encodable) throws {
    self = try JSONParser.parse(Array(JSONEncoder().encode(value)))
  }
}
