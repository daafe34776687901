import NTupleNetwork
import Search
import Testing

@testable import Play

/// A value of every option that is not its default.
private let values = [
  "evaluator": "snakeLinear", "model": "a", "depth": "4", "time": "5", "average": "3",
  "nodes": "20",
  "probability": "0.5", "limits": "6:3", "table": "1M", "threads": "2", "downgrade": "2048",
  "tables": "Tables", "endgame": "Chains", "handover": "4096",
  "simulations": "7", "policy": "smooth", "tries": "3", "adaptive": "yes",
]

@Suite("the registry of player options")
struct PlayerOptionTests {
  @Test("a player has one option of a key", arguments: PlayerKind.allCases)
  func keys(kind: PlayerKind) {
    let keys = kind.options.map(\.key)
    #expect(Set(keys).count == keys.count)
    #expect(kind.standard.kind == kind)
  }

  @Test("a value that is given stands in the canonical text", arguments: PlayerKind.allCases)
  func canonicalTexts(kind: PlayerKind) throws {
    for option in kind.options {
      let value = try #require(values[option.key])
      // Deep enough that no option is excluded.
      var given = kind.standard.search == nil ? [:] : ["depth": "4"]
      given[option.key] = value
      if option.key == "handover" { given["endgame"] = values["endgame"] }
      let player = try PlayerSpecification(kind, options: given)
      #expect(player.optionTexts.contains("\(option.key)=\(value)"), "\(player)")
      #expect(try PlayerSpecification(player.description) == player)
    }
  }

  @Test("the text of a player without options has no surprises", arguments: PlayerKind.allCases)
  func standard(kind: PlayerKind) throws {
    #expect(try PlayerSpecification(kind.name) == kind.standard)
    #expect(try PlayerSpecification("\(kind.standard)") == kind.standard)
  }

  @Test("the reference names every player, option, value, default and evaluator")
  func reference() {
    let reference = PlayerOption.referencePage
    for kind in PlayerKind.allCases {
      #expect(reference.contains("| `\(kind.name)` | \(kind.summary) |"))
    }
    for option in PlayerOption.all {
      #expect(reference.contains("| `\(option.key)`"))
      #expect(reference.contains(option.defaultText) || option.defaultText.isEmpty)
      #expect(reference.contains(option.meaning))
    }
    for name in EvaluatorName.allCases {
      #expect(!name.formula.isEmpty)
      #expect(reference.contains("| `\(name.rawValue)` | \(name.formula) |"))
    }
    for conflict in PlayerConflict.ofSearches + PlayerConflict.ofMonteCarlo {
      #expect(reference.contains(conflict.reason))
    }
  }
}
