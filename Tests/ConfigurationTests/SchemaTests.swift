import Foundation
import TestSupport
import Testing

@testable import Basics
@testable import Training

@Suite struct SchemaTests {
  private let schema = try! JSONParser.parse(Array(ConfigurationKey.schemaText.utf8))

  /// Returns the schema of the value of a key.
  private func schema(of path: String) throws -> JSONValue {
    try path.split(separator: ".").reduce(schema) { schema, name in
      try #require(schema.object?["properties"]?.object?[String(name)])
    }
  }

  /// Values that some key accepts or nearly accepts.
  private let samples = """
    ["", "text", "none", "largestTile", "opening", "restart",
     "td", "tc", "arc4", "lambda", "synchronous", "8x6", "9x9", -1, 0, 0.001, 0.5, 0.999, 1, 1.5, 2,
     4, 5, 15, 16, 17, 100, 1024, 1025, 16384, 65536, 65537, 1e6, 1000001, 1e9, 1e10, true, null, {}, [],
     ["0123"], [1], [2], [512], [512, 1024], [0, 32768], [16384], [0, 3],
     [[0, "td"]], [[0, "td"], [0.5, "tc"]], [[0, "x"]], [[0]], [[0, 0.1], [0.5, 0.01]], [[1, 0.1]],
     [[0, "opening"], [0.5, "restart"]]]
    """

  @Test func everyKeyHasAdviceAndItsExperimentExists() throws {
    for key in ConfigurationKey.all {
      #expect(key.advice.text.hasSuffix("."), "\(key.path)")
      guard let experiment = key.advice.experiment else { continue }
      let parts = experiment.split(separator: "#")
      let page = try String(
        contentsOf: Repository.file("Docs/Notebook/\(parts[0])"), encoding: .utf8)
      let headings = page.split(separator: "\n").filter { $0.hasPrefix("## ") }.map { heading in
        heading.dropFirst(3).lowercased().replacing(" ", with: "-").filter {
          $0.isLetter || $0.isNumber || $0 == "-"
        }
      }
      #expect(headings.contains(String(parts[1])), "\(experiment) of \(key.path)")
    }
  }

  @Test func theSchemaAcceptsWhatTheReaderAccepts() throws {
    let samples = try JSONParser.parse(Array(samples.utf8)).array!
    for key in ConfigurationKey.all {
      let schema = try schema(of: key.path)
      var accepted = 0
      for value in samples + [key.defaultValue].compactMap(\.self) {
        var configuration = TrainingConfiguration()
        let isRead = key.read(value, &configuration)
        if isRead { accepted += 1 }
        #expect(isRead == accepts(schema, value), "\(key.path) = \(value.text)")
      }
      #expect(accepted > 0 && accepted < samples.count, "\(key.path)")
    }
  }

  @Test func theSchemaListsEveryKeyAndNoOther() throws {
    for key in ConfigurationKey.all {
      let members = try #require(try schema(of: key.path).object)
      #expect(members["description"] == .string(key.summary))
      #expect(members["default"] == key.defaultValue)
    }
    func count(_ schema: JSONValue) -> Int {
      guard let properties = schema.object?["properties"]?.object else { return 1 }
      #expect(schema.object?["additionalProperties"] == .bool(false))
      return properties.values.map(count).reduce(0, +)
    }
    #expect(count(schema) == ConfigurationKey.all.count + 1)
  }

  @Test(arguments: ["ntuple", "quick", "strong", "td0-4x6"])
  func shippedConfigurationsNameTheSchemaAndFitIt(name: String) throws {
    let directory = Repository.file("Configs")
    let data = try Data(contentsOf: directory.appendingPathComponent(name + ".json"))
    let document = try JSONValue(document: data, name: name)
    #expect(accepts(schema, document))
    let named = try #require(document.object?["$schema"]?.string)
    let file = try Data(
      contentsOf: URL(fileURLWithPath: named, relativeTo: directory.appendingPathComponent(".")))
    #expect(String(decoding: file, as: UTF8.self) == ConfigurationKey.schemaText + "\n")
    var reader = ConfigurationReader()
    reader.read(data, name: name)
    #expect(throws: Never.self) { try reader.finished() }
  }

  @Test func onlyATextCanNameASchema() throws {
    var reader = ConfigurationReader()
    reader.read(Data(#"{"$schema": 7, "network": {"patterns": ["01"]}}"#.utf8), name: "test.json")
    let error = #expect(throws: ConfigurationError.self) { try reader.finished() }
    #expect(error?.problems.contains { $0.contains("unknown key '$schema'") } == true)
  }
}
