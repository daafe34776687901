import Testing

@testable import Basics

@Suite struct CommaSeparatedValuesTests {
  @Test(arguments: [
    ("1,b", ["1", "b"]), ("", [""]), (",", ["", ""]), (#""a,b","c""d",e"#, ["a,b", #"c"d"#, "e"]),
    (#""a"b,c"#, nil), (#""a"#, nil), (#"a"b"#, nil), (#"é,"ü,""#, ["é", "ü,"]),
    (#""""""#, [#"""#]),
  ]) func linesAreDividedAtTheirCommas(line: String, fields: [String]?) {
    #expect(CommaSeparatedValues.fields(of: line) == fields)
  }

  @Test(arguments: ["", "a", "a,b", #"a"b"#, #"""#, "two\nlines", ",,"])
  func aFieldIsReadAsItWasWritten(text: String) {
    let line = ["x", text, "y"].map(CommaSeparatedValues.field).joined(separator: ",")
    #expect(CommaSeparatedValues.fields(of: line) == ["x", text, "y"])
  }
}
