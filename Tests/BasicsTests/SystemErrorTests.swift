import Foundation
import Testing

@testable import Basics

@Suite struct SystemErrorTests {
  @Test(
    "the remedy fits the cause",
    arguments: [
      (EMFILE, LocatedError.Kind.inputOutput, "ulimit -n"), (EFBIG, .inputOutput, "ulimit -f"),
      (EROFS, .cannotCreate, "that you may write to"), (EACCES, .cannotCreate, "permissions"),
      (ENOENT, .cannotCreate, "create the directory"), (ENOSPC, .inputOutput, "disk space"),
    ])
  func writing(code: Int32, kind: LocatedError.Kind, remedy: String) {
    let error = SystemError(code: code).writing("file", "create the file")
    #expect(error.kind == kind && error.path == "file")
    #expect(error.remedy.contains(remedy), "\(error)")
  }

  @Test func aFileThatCannotBeOpenedForLackOfDescriptorsNamesTheirLimit() {
    #expect(SystemError(code: EMFILE).reading("file").remedy.contains("ulimit -n"))
  }
}
