import Foundation
import TestSupport
import Testing

@testable import Basics

@Suite("Finding files")
struct PathLookupTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: directory.file("Configs/Deep"), withIntermediateDirectories: true)
    for name in ["Configs/ntuple.json", "Configs/Deep/Other.JSON", "twin", "Twin"] {
      try directory.write([], name)
    }
  }

  /// Whether this file system is case-sensitive.
  private static let tellsCase: Bool = {
    guard let directory = try? TemporaryDirectory(), (try? directory.write([], "a")) != nil else {
      return true
    }
    return !FileManager.default.fileExists(atPath: directory.file("A"))
  }()

  @Test(
    "a file is found as given, else without regard to case",
    .enabled(if: tellsCase, "the file system finds it itself"),
    arguments: [
      ("Configs/ntuple.json", "Configs/ntuple.json"),
      ("configs/ntuple.json", "Configs/ntuple.json"),
      ("Configs/NTUPLE.JSON", "Configs/ntuple.json"),
      ("CONFIGS/deep/other.json", "Configs/Deep/Other.JSON"),
      ("configs//deep/Other.JSON", "Configs/Deep/Other.JSON"),
      ("configs/deep", "Configs/Deep"),
      ("./configs/../CONFIGS/ntuple.json", "./Configs/../Configs/ntuple.json"),
      // If both exist, the case decides.
      ("twin", "twin"), ("Twin", "Twin"),
    ])
  func found(given: String, expected: String) {
    #expect(PathLookup.find(directory.file(given)) == directory.file(expected))
  }

  @Test("no file is chosen by chance", .enabled(if: tellsCase, "only one of them exists"))
  func ambiguous() {
    #expect(PathLookup.find(directory.file("TWIN")) == nil)
  }

  @Test(
    "missing files are not found",
    arguments: [
      "Configs/missing.json", "missing/ntuple.json", "configs/ntuple", "Configs/ntuple.json/x",
    ])
  func missing(given: String) {
    #expect(PathLookup.find(directory.file(given)) == nil)
  }

  @Test("an empty path is not a file")
  func empty() {
    #expect(PathLookup.find("") == nil)
  }

  @Test("relative paths stay relative")
  func relative() {
    #expect(PathLookup.find(".") == ".")
    #expect(PathLookup.find("./no such file") == nil)
  }
}
