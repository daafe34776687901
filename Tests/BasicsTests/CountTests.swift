import Testing

@testable import Basics

@Suite("Counts")
struct CountTests {
  @Test(
    "a count is read exactly",
    arguments: [
      ("0", 0), ("7", 7), ("250000", 250_000), ("250_000", 250_000), ("1_2_3", 123),
      ("1e6", 1_000_000), ("1E6", 1_000_000), ("1e+6", 1_000_000), ("2.5e4", 25_000),
      ("0.001e3", 1), ("1.50e1", 15), ("1.000", 1), ("10e-1", 1), ("1_000e0_2", 100_000),
      ("1_0.2_5e2", 1_025), ("007", 7), ("+5", 5), ("-0", 0), ("0e999", 0), ("0.0e-999", 0),
      ("0e99999999999999999999", 0), ("9223372036854775807", .max),
      ("1e18", 1_000_000_000_000_000_000),
      ("9.223372036854775807e18", .max), ("92233720368547758070e-1", .max),
    ])
  func reading(text: String, value: Int) throws {
    #expect(try Count(parsing: text).value == value)
  }

  @Test(
    "texts that are not numbers are rejected",
    arguments: [
      "", " ", "-", "+", "abc", "e5", ".", ".5", "1.", "1.e5", "1e", "1e+", "1e-", "1e5.0", "1e5e5",
      "1.2.3", "_1", "1_", "1__0", "1._5", "1.5_", "1e_5", "1e5_", "+-5", "--5", "0x10", "1,000",
      "1 000",
      " 1", "1 ", "\u{FF11}", "\u{0663}", "½", "nan", "inf", "1k",
    ])
  func notANumber(text: String) {
    #expect(throws: Count.ParsingError.notANumber(text)) { try Count(parsing: text) }
  }

  @Test(
    "fractions are not rounded",
    arguments: ["1.5", "1e-1", "2.55e1", "0.1", "1e-999", "1e-99999999999999999999"])
  func notWhole(text: String) {
    #expect(throws: Count.ParsingError.notWhole(text)) { try Count(parsing: text) }
  }

  @Test("negative numbers are rejected", arguments: ["-3", "-1e6", "-0.5", "-1e30"])
  func negative(text: String) {
    #expect(throws: Count.ParsingError.negative(text)) { try Count(parsing: text) }
  }

  @Test(
    "numbers that do not fit are rejected",
    arguments: [
      "9223372036854775808", "1e19", "9.3e18", "1e30", "1e999", "1e99999999999999999999",
      "100000000000000000000",
    ])
  func tooLarge(text: String) {
    #expect(throws: Count.ParsingError.tooLarge(text)) { try Count(parsing: text) }
  }

  @Test("errors name the text and the problem")
  func descriptions() {
    let errors: [Count.ParsingError] = [
      .notANumber("x"), .notWhole("1.5"), .negative("-3"), .tooLarge("1e30"),
    ]
    #expect(
      errors.map(\.description) == [
        "'x' is not a number. Write 250000, 250_000 or 2.5e5.", "'1.5' is not a whole number.",
        "'-3' is negative.", "'1e30' is too large. The largest count is 9223372036854775807.",
      ])
  }
}
