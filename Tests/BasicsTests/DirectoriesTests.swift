import Foundation
import TestSupport
import Testing

@testable import Basics

@Suite struct DirectoriesTests {
  @Test(arguments: [
    ("a", "."), ("a/", "."), ("", "."), (".", "."), ("a/b", "a"), ("a/b/", "a"), ("a//b", "a"),
    ("/", "/"), ("//", "/"), ("/a", "/"), ("/a/b/c", "/a/b"), ("../a", ".."),
  ])
  func parents(path: String, parent: String) {
    #expect(parentDirectory(of: path) == parent)
  }

  @Test func directoriesAreCreatedWithThoseAbove() throws {
    let root = try TemporaryDirectory()
    #expect(try createDirectory(at: root.file("a/b/c/")))
    #expect(try !createDirectory(at: root.file("a/b/c")))
    try root.write([1], "file")
    for path in ["file", "file/a", "file/a/b"] {
      let error = locatedError { try createDirectory(at: root.file(path)) }
      #expect(error?.kind == .cannotCreate, "\(path)")
    }
    let long = String(repeating: "x", count: 300)
    #expect(
      locatedError { try createDirectory(at: root.file("new/\(long)")) }?.kind == .cannotCreate)
    #expect(root.names == ["a", "file"])
  }
}
