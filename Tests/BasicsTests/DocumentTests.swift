import Basics
import TestSupport
import Testing

@Suite("Documents with a list of fields")
struct DocumentTests {
  private struct Game: Document {
    var score: Int
    var seconds: Double?

    static let fields: [Field<Game>] = [
      Field("score", \.score, unit: "points", "The score.").column("score") { "\($0.score)" },
      Field(optional: "seconds", \.seconds, unit: "s", "The time; missing without a clock.")
        .column("time") { $0.seconds.map { "\($0)" } },
    ]
  }

  private struct Match: Document {
    var name: String
    var games: [Game]
    var winner: String?
    var shares: [String: Double] = [:]

    static let fields: [Field<Match>] = [
      Field("name", \.name, "The name.").column("name") { $0.name },
      Field("games", \.games),
      Field("winner", \.winner, "The winner, or null.").column("winner") { $0.winner },
      Field(
        "totals",
        [
          Field("games", \.games.count, "How many.").column("games") { "\($0.games.count)" },
          Field("shares", \.shares, "The shares."),
        ]),
      Field("best", \.games.first, "The best game, or null.", isListed: false),
    ]
  }

  private struct Named: Document {
    let match: Match
    static let fields: [Field<Named>] = Match.fields.prefix(1).map { $0.of(\.match) }
  }

  private let match = Match(
    name: "a", games: [Game(score: 4, seconds: 0.5), Game(score: 8)], shares: ["2048": 0.25])

  @Test(
    "a value is written with its fields; of those without a value, some are null and some missing")
  func json() {
    #expect(
      match.json == [
        "name": "a", "games": [["score": 4, "seconds": .number(0.5)], ["score": 8]],
        "winner": .null, "totals": ["games": 2, "shares": ["2048": .number(0.25)]],
        "best": ["score": 4, "seconds": .number(0.5)],
      ])
    #expect(Named(match: match).json == ["name": "a"])
  }

  @Test("the schema accepts what is written, and rejects other keys, types and missing fields")
  func schema() throws {
    let schema = JSONValue.object(Match.schema)
    #expect(accepts(schema, match.json) && accepts(schema, Match(name: "", games: []).json))
    func changed(_ key: String, _ value: JSONValue?) throws -> JSONValue {
      var members = try #require(match.json.object)
      members[key] = value
      return .object(members)
    }
    for (key, value) in [
      ("other", 1), ("name", 1), ("name", nil), ("winner", nil), ("winner", 1),
      ("games", [["score": -1]]), ("games", [[:]]), ("games", [["score": 1, "seconds": .null]]),
      ("totals", ["games": 2, "shares": ["2048": "x"]]),
    ] as [(String, JSONValue?)] {
      #expect(try !accepts(schema, changed(key, value)), "\(key): \(value?.text ?? "missing")")
    }
  }

  @Test("the reference has a row for each documented place")
  func reference() {
    #expect(
      Match.fields.flatMap(\.places).map(\.path) == [
        "name", "games[].score", "games[].seconds", "winner", "totals.games", "totals.shares",
        "best",
      ])
    #expect([Game].placeTable.contains("\n| `[].score` (points) | The score. |"))
    #expect(Match.placeTable.contains("\n| `winner` | The winner, or null. |"))
    let unlisted = Game.fields.map { $0.of(\Match.games[0], isListed: false) }
    #expect(unlisted.flatMap(\.places).isEmpty)
  }

  @Test("a table has the columns of the fields, a description only the lines with something to say")
  func text() {
    #expect(Game.table(match.games) == [["score", "time"], ["4", "0.5"], ["8", "-"]])
    #expect(match.description("match") == "match\nname      a\ngames     2")
    #expect(Named(match: match).description("match") == "match\nname      a")
  }

  @Test("numbers are written as they are, with few digits and without a loss")
  func numbers() {
    #expect(Float(0.1).json == .number(0.1))
    #expect(UInt64(7).json == 7 && UInt64.max.json == .number(18446744073709551615))
  }
}
