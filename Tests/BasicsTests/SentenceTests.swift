import Testing

@testable import Basics

@Suite("Sentences of messages")
struct SentenceTests {
  @Test(
    "a first word gets a capital letter, unless it is a name",
    arguments: [
      ("check the path", "Check the path"), ("config.json is missing", "config.json is missing"),
      ("learn2048 does it", "learn2048 does it"), ("metrics, then", "Metrics, then"),
      ("--run names it", "--run names it"), ("é", "É"), ("", ""), ("TDL2048+", "TDL2048+"),
      ("plan", "Plan"), ("Models/ is empty", "Models/ is empty"),
    ])
  func capital(text: String, expected: String) {
    #expect(capitalised(text) == expected)
  }

  @Test(
    "a sentence ends with one mark",
    arguments: [("is over", "is over."), ("is it?", "is it?"), ("done.", "done."), ("", "")])
  func mark(text: String, expected: String) {
    #expect(sentence(text) == expected)
  }

  @Test("an error names file, place and problem, and then the remedy")
  func locatedError() {
    let error = LocatedError(
      .unsuitableData, path: "a.w", place: "byte 3", "the file ends here",
      remedy: "copy it again")
    #expect(error.description == "a.w: byte 3: the file ends here. Copy it again.")
  }
}
