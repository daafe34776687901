import Basics
import Game2048
import Search

extension SearchSettings {
  /// The options of a `PLAYER` text that say how to search.
  public static let keys = [
    "depth", "time", "nodes", "probability", "limits", "table", "threads", "downgrade",
  ]

  /// The probability under which searches of automatic depth do not follow a chance node.
  public static let autoProbability = 1e-4

  /// The plies that a search with a budget reaches at most, unless it is told otherwise.
  public static let deepest = 16

  static let threadRange = 1...256
  static let timeRange = 0.01...3_600_000
  static let nodeRange = 1...1_000_000_000_000_000
  static let tileRange = 10...Board.largestExponent
  /// The binary logarithm of the bytes of the largest table, 1 TiB.
  private static let tableBits = 40

  /// Reads options.
  ///
  /// - Parameters:
  ///   - options: the values by their ``keys``.
  ///   - player: who has them, for messages.
  ///   - defaultDepth: the plies where no depth and no budget is given.
  /// - Throws: ``PlayerSpecificationError``.
  public init(
    options: [String: String], of player: String, defaultDepth: Int
  ) throws(PlayerSpecificationError) {
    try self.init(PlayerOptions(options, player: player), defaultDepth: defaultDepth)
  }

  init(_ options: PlayerOptions, defaultDepth: Int) throws(PlayerSpecificationError) {
    self.init(depth: .plies(defaultDepth))
    milliseconds = try options.read(
      "time", allowed: ["0.01 to 3600000, in ms"], SearchSettings.time)
    nodes = try options.read("nodes", allowed: ["1 to 1e15"]) {
      Count.read($0, in: SearchSettings.nodeRange)
    }
    depth = try options.depth(default: hasBudget ? SearchSettings.deepest : defaultDepth)
    probability =
      try options.read("probability", allowed: ["0 to 1"]) { text in
        Double(text).flatMap { (0...1).contains($0) ? $0 : nil }
      } ?? (depth == .auto ? SearchSettings.autoProbability : 0)
    limits =
      try options.read(
        "limits", allowed: ["CELLS:PLIES, several separated by /, as 6:3/10:2"]
      ) { DepthLimits($0) } ?? .none
    tableBytes = try options.read(
      "table",
      allowed: ["0", "bytes from 128 on", "K, M or G of them, as 64M", "at most 1024G (1 TiB)"],
      SearchSettings.tableBytes)
    threads = try options.integer("threads", in: SearchSettings.threadRange, default: 1)
    downgradeExponent = try options.read(
      "downgrade", allowed: SearchSettings.tileRange.map { String(1 << $0) }
    ) { text in
      Count.read(text).flatMap { Board.exponent(ofTile: $0) }
        .flatMap { SearchSettings.tileRange.contains($0) ? $0 : nil }
    }
    if let problem = conflict(options) { throw .conflict(problem, player: options.player) }
  }

  /// Why options exclude each other, if they do.
  private func conflict(_ options: PlayerOptions) -> String? {
    func isGiven(_ key: String) -> Bool { options.values[key] != nil }
    if depth == .plies(1) {
      let useless = ["time", "nodes", "probability", "limits", "table", "threads"]
      if let key = useless.first(where: isGiven) {
        return "depth=1 and \(key) exclude each other: 1 ply follows no spawn; name another depth"
      }
    }
    if depth == .auto {
      if let key = ["time", "nodes"].first(where: isGiven) {
        return "depth=auto and \(key) exclude each other: \(key) decides the depth itself"
      }
      if probability == 0 {
        return "depth=auto and probability=0 exclude each other: such a search would not end"
      }
    }
    if nodes != nil && threads > 1 {
      return "nodes and threads exclude each other: nodes are counted in one thread; use time"
    }
    return nil
  }

  private static func time(_ text: String) -> Double? {
    let number = text.hasSuffix("ms") ? String(text.dropLast(2)) : text
    return Double(number).flatMap { timeRange.contains($0) ? $0 : nil }
  }

  private static func tableBytes(_ text: String) -> Int? {
    let shift: Int? = ["K": 10, "M": 20, "G": 30][text.suffix(1).uppercased()]
    let most = 1 << (tableBits - (shift ?? 0))
    guard let number = Count.read(shift == nil ? text : String(text.dropLast()), in: 0...most)
    else { return nil }
    let bytes = number << (shift ?? 0)
    return bytes == 0 || bytes >= TranspositionTable.smallestSize ? bytes : nil
  }
}

extension SearchSettings: CustomStringConvertible {
  /// The options that read as these settings: the depth, unless a budget stands for it, and what is
  /// not the default.
  public var description: String {
    var options: [String] = []
    if !hasBudget || depth != .plies(SearchSettings.deepest) { options.append("depth=\(depth)") }
    if let milliseconds {
      options.append("time=\(SearchSettings.text(milliseconds))")
    }
    if let nodes { options.append("nodes=\(nodes)") }
    if probability != (depth == .auto ? SearchSettings.autoProbability : 0) {
      options.append("probability=\(SearchSettings.text(probability))")
    }
    if limits != .none { options.append("limits=\(limits)") }
    if let tableBytes { options.append("table=\(SearchSettings.sizeText(tableBytes))") }
    if threads != 1 { options.append("threads=\(threads)") }
    if let downgradeExponent { options.append("downgrade=\(1 << downgradeExponent)") }
    return options.joined(separator: ",")
  }

  private static func text(_ number: Double) -> String {
    number == number.rounded() && number < 1e15 ? "\(Int(number))" : "\(number)"
  }

  private static func sizeText(_ bytes: Int) -> String {
    for (shift, unit) in [(30, "G"), (20, "M"), (10, "K")] {
      if bytes > 0, bytes % (1 << shift) == 0 { return "\(bytes >> shift)\(unit)" }
    }
    return "\(bytes)"
  }
}

extension PlayerOptions {
  func depth(default fallback: Int) throws(PlayerSpecificationError) -> SearchDepth {
    try read("depth", allowed: SearchDepth.range.map(String.init) + ["auto"]) { text in
      if text == "auto" { return .auto }
      return Count.read(text, in: SearchDepth.range).map(SearchDepth.plies)
    } ?? .plies(fallback)
  }
}
