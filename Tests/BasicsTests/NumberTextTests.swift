import Testing

@testable import Basics

@Suite("Numbers as text")
struct NumberTextTests {
  @Test(
    "thousands are grouped",
    arguments: [
      (0, "0"), (7, "7"), (999, "999"), (1_000, "1,000"), (123_456, "123,456"),
      (1_234_567, "1,234,567"), (-1, "-1"), (-999, "-999"), (-1_000, "-1,000"),
      (.max, "9,223,372,036,854,775,807"), (.min, "-9,223,372,036,854,775,808"),
    ])
  func grouped(value: Int, text: String) {
    #expect(NumberText.grouped(value) == text)
  }

  @Test(
    "one thing is in the singular",
    arguments: [(0, "0 games"), (1, "1 game"), (2, "2 games"), (1_000, "1,000 games")])
  func count(value: Int, text: String) {
    #expect(NumberText.count(value, "game") == text)
  }

  @Test(
    "values are rounded and grouped",
    arguments: [
      (0.4, "0"), (999.5, "1,000"), (1_234.49, "1,234"), (-0.4, "0"), (-1_500.2, "-1,500"),
      (1e15, "-"), (.nan, "-"), (.infinity, "-"), (-.infinity, "-"),
    ])
  func groupedValue(value: Double, text: String) {
    #expect(NumberText.grouped(value) == text)
  }

  @Test(
    "points have decimals if they are few",
    arguments: [(0.0, "0.00"), (99.99, "99.99"), (100, "100"), (1_234.5, "1,235")])
  func points(value: Double, text: String) {
    #expect(NumberText.points(value) == text)
  }

  @Test(
    "shares are percentages",
    arguments: [
      (0.0, "0.0%"), (0.5, "50.0%"), (0.9994, "99.9%"), (0.9996, "100.0%"), (1, "100.0%"),
    ])
  func percent(share: Double, text: String) {
    #expect(NumberText.percent(share) == text)
  }

  @Test(
    "rates have a unit that suits them",
    arguments: [
      (0.0, "0"), (18.24, "18.2"), (999, "999"), (999.5, "999.5"), (1_000, "1.0 k"),
      (1_540, "1.5 k"),
      (10_000, "10 k"), (531_400, "531 k"), (1e6, "1.00 M"), (4_123_000, "4.12 M"),
    ])
  func rate(value: Double, text: String) {
    #expect(NumberText.rate(value) == text)
  }

  @Test(
    "durations have two units at most",
    arguments: [
      (0.0, "0s"), (-3, "0s"), (42.4, "42s"), (59.6, "1m00s"), (185, "3m05s"), (3_599, "59m59s"),
      (3_600, "1h00m"), (7_620, "2h07m"), (86_400, "1d00h"), (352_800, "4d02h"), (1e9, "-"),
      (.nan, "-"), (.infinity, "-"),
    ])
  func duration(seconds: Double, text: String) {
    #expect(NumberText.duration(seconds) == text)
  }
}
