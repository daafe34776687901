import Basics
import Game2048
import NTupleNetwork

/// The residuals of a network's greedy play by level, and the offsets that make up for them. `bench levels
/// --json` prints it as JSON.
package struct LevelReport: Document {
  /// The residuals of the moves from boards with one largest tile and level.
  package struct Row: Document {
    let level: TileLevel
    let residuals: LevelResiduals
    /// The offset of the network that played, and that with which jumps vanish.
    let offsets: (current: Float, calibrated: Float)

    package static let fields: [Field<Row>] = [
      Field("tile", { 1 << $0.level.largest }, "The largest tile.")
        .column("tile") { "\(1 << $0.level.largest)" },
      Field(
        "missing", \.missing, "The largest missing tile from 64 on; 0 if none is missing."
      ).column("missing") { $0.missing > 0 ? "\($0.missing)" : "none" },
      Field(
        "isRising", \.level.isRising,
        "Whether the tile above the missing one is there twice, so that its merge raises the level."
      ).column("pair above") { $0.level.isRising ? "yes" : "no" },
      moves(.falls, "the missing tile is made"),
      moves(.stays, "the same tile is still missing"),
      moves(.rises, "a tile above the missing one is merged"),
      moves(.grows, "a larger tile is made than any before"),
      Field(
        "offset", \.offsets.current, unit: "points", "The offset of the network that played."
      )
      .column("offset") { NumberText.grouped(Double($0.offsets.current)) },
      Field(
        "calibratedOffset", \.offsets.calibrated, unit: "points",
        "The offset with which the mean residuals between levels vanish."
      ).column("calibrated") { NumberText.grouped(Double($0.offsets.calibrated)) },
    ]

    private var missing: Int {
      level.missing == TileLevel.noneMissing ? 0 : 1 << level.missing
    }

    private static func moves(_ change: LevelResiduals.Change, _ meaning: String) -> Field<Row> {
      Field("\(change)", { Moves($0.residuals[$0.level, change]) }, "Moves with which \(meaning).")
        .column("\(change)") { row in
          let moments = row.residuals[row.level, change]
          guard moments.count > 0 else { return nil }
          return "\(NumberText.signed(moments.mean)) ± \(NumberText.grouped(moments.deviation))"
            + " (\(NumberText.grouped(moments.count)))"
        }
    }
  }

  private struct Moves: Document {
    let moments: LevelResiduals.Moments

    init(_ moments: LevelResiduals.Moments) { self.moments = moments }

    static let fields: [Field<Moves>] = [
      Field("count", \.moments.count, "Their number."),
      Field("mean", \.moments.mean, unit: "points", "The mean of their residuals."),
      Field("deviation", \.moments.deviation, unit: "points", "The standard deviation."),
    ]
  }

  package let games: Int
  package let rows: [Row]

  /// - Parameter network: The network that played.
  package init(_ residuals: LevelResiduals, of network: NTupleNetwork) {
    games = residuals.games
    let current = network.levelOffsets
    let calibrated = residuals.offsets(correcting: current, network.shape.downgrading)
    rows = residuals.levels.map { level in
      Row(level: level, residuals: residuals, offsets: (current[level], calibrated[level]))
    }
  }

  package static let fields: [Field<LevelReport>] = [
    Field("games", \.games, "The number of games."),
    Field("rows", \.rows),
  ]
}
