import Foundation
import Testing

@Suite("analyze")
struct AnalyzeTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
  }

  @Test(
    "--json prints the four moves",
    arguments: [
      "110000000000000b", "110000000000000B",
      "2 2 0 0 0 0 0 0 0 0 0 0 0 0 0 2048", "2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,2048",
      "2 2 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 2048\n",
      "[2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2048]",
      "[[2,2,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,2048]]", "2,2,,/,,,/,,,/,,,2048", "0x110000000000000b",
      "11.............B",
    ])
  func schema(board: String) throws {
    let outcome = try workspace.run(
      "analyze", "--board", board, "--player", "heuristic", "--json")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.lines.count == 1)
    let analysis = try JSON(outcome.output)
    #expect(analysis.keys == ["board", "best", "isFromTable", "moves"])
    #expect(analysis["board"].string == "110000000000000B")
    let moves = analysis["moves"].array
    #expect(moves.map { $0["direction"].string } == ["up", "down", "left", "right"])
    #expect(moves.map { $0["legal"].bool } == [true, true, true, true])
    #expect(moves.map { $0["reward"].integer } == [0, 0, 4, 4])
    #expect(
      moves.map { $0["afterstate"].string } == [
        "110B000000000000", "000000000000110B", "200000000000B000", "000200000000000B",
      ])
    let values = try moves.map { try #require($0["value"].number) }
    let best = try #require(values.indices.max { values[$0] < values[$1] })
    #expect(analysis["best"] == moves[best]["direction"])
  }

  @Test("a move that is not legal has no value")
  func illegalMoves() throws {
    let outcome = try workspace.run(
      "analyze", "--board", "1200000000000000", "--player", "heuristic", "--json")
    let moves = try JSON(outcome.output)["moves"].array
    #expect(moves.map { $0["legal"].bool } == [false, true, false, true])
    for move in moves where move["legal"].bool == false {
      #expect(move.keys == ["direction", "legal", "reward", "afterstate", "value"])
      #expect(move["value"].isNull)
      #expect(move["reward"].integer == 0)
      #expect(move["afterstate"].string == "1200000000000000")
    }
  }

  @Test("the model is the one named, or else the run that was saved last")
  func models() throws {
    try workspace.train("--run", "first")
    try workspace.train("--run", "second", "--seed", "99")
    func analyze(_ arguments: String...) throws -> String {
      let outcome = try workspace.run(
        ["analyze", "--board", "1123000000000000", "--json"] + arguments)
      try #require(outcome.code == 0, "\(outcome)")
      return outcome.output
    }
    let second = try analyze("--model", "second")
    #expect(try analyze() == second)
    #expect(try analyze("--model", "first") != second)
    #expect(try analyze("--model", "models/SECOND") == second)
    #expect(try analyze("--player", "learned:model=second,depth=3") == second)
    #expect(
      try analyze("--player", "learned:depth=3", "--model", "first")
        == analyze("--model", "first"))
    #expect(try analyze("--depth", "2") != second)
    // The options of a PLAYER text have their own defaults.
    #expect(
      try analyze("--player", "learned", "--model", "first")
        == analyze("--model", "first", "--depth", "1"))
  }

  @Test("without --json the best move is marked")
  func text() throws {
    let outcome = try workspace.run(
      "analyze", "--board", "1200000000000000", "--player", "greedy")
    #expect(outcome.code == 0)
    #expect(outcome.lines.count { $0.hasPrefix("* ") } == 1)
    #expect(outcome.lines.count { $0.hasSuffix("not legal") } == 2)
  }

  @Test(
    "an invalid board is bad data",
    arguments: [
      ("12", "16 characters"), ("123", "this has 3 characters"),
      ("11000000000000000", "this has 17 characters"),
      ("110000000000000I", "character 16 of the board, 'I'"), ("11000000000000+0", "character 15"),
      ("2,0,4/0,0,0,0,0/0,0,0,0/0,0,0,0", "row 1 of the board has 3 values"),
      ("2,0,4,0,0,0,0,0/0,0,0,0,0,0,0,0", "2 rows of 8 values"),
      ("1020 0000 0000 0000", "as one word, 1020000000000000"),
      ("2 0 4 0 0 0 0 0 0", "this is a board of 3x3 cells, and the game has 4x4"),
      ("1 0 3 0 0 0 0 0 0 0 0 0 0 0 0 0", "If these are exponents, pass --exponents."),
      ("2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 3", "value 16 of the board, '3'"),
      ("2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 -2", "value 16 of the board, '-2'"),
      ("2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 262144", "value 16 of the board, '262144'"),
      ("1212212112122121", "no move is legal"), ("HH12212112122121", "no move is legal"),
    ])
  func badBoards(board: String, problem: String) throws {
    let outcome = try workspace.run("analyze", "--board", board, "--player", "greedy", "--json")
    #expect(outcome.code == 65, "\(outcome)")
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("learn2048: --board: "))
    #expect(outcome.errors.contains(problem), "\(outcome)")
  }

  @Test("a file of many boards is answered board by board")
  func files() throws {
    try workspace.write(
      """
      # two boards
      110000000000000b

        2 2 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 2048\r
      """, "boards.txt")
    let fromFile = try workspace.run(
      "analyze", "--file", "boards.txt", "--player", "heuristic", "--json")
    #expect(fromFile.code == 0, "\(fromFile)")
    #expect(fromFile.lines.count == 1 && fromFile.errors == "")
    let answers = try JSON(fromFile.output).array
    let single = try workspace.run(
      "analyze", "--board", "110000000000000B", "--player", "heuristic", "--json")
    #expect(try answers == [JSON(single.output), JSON(single.output)])
    let piped = try workspace.shell(
      #""$learn2048" analyze --file - --player heuristic --json < boards.txt"#)
    #expect(try JSON(piped.output) == JSON(fromFile.output))
    #expect(piped.lines.map { $0.prefix(2) } == ["[{", ",{", "]"])
    let pipe = try workspace.shell(
      #"mkfifo p; cat boards.txt > p & "$learn2048" analyze --file p --player heuristic --json"#)
    #expect(pipe.output == fromFile.output, "\(pipe)")
    // A file of one board is answered like any file, and several arguments like a file.
    let one = try workspace.shell(
      #"echo 110000000000000b | "$learn2048" analyze --file - --player heuristic --json"#)
    #expect(try JSON(one.output).array == [JSON(single.output)])
    let arguments = try workspace.run(
      "analyze", "110000000000000b", "--board", "110000000000000b", "--player", "heuristic",
      "--json")
    #expect(arguments.output == fromFile.output)
    let text = try workspace.run("analyze", "--file", "boards.txt", "--player", "heuristic")
    #expect(text.lines.count { $0.hasPrefix("* ") } == 2)
    let positional = try workspace.run(
      "analyze", "110000000000000b", "--player", "heuristic", "--json")
    #expect(positional.output == single.output)
  }

  @Test("boards of several lines are read, and exponents if stated")
  func severalLines() throws {
    try workspace.write(
      "2 2 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 2048\n\n[[2,2,0,0],\n [0,0,0,0],\n [0,0,0,0],\n [0,0,0,2048]]\n"
        + "2\t2\t\t\n.\t.\t.\t.\n- - - -\n_ _ _ 2048\n", "boards.txt")
    let outcome = try workspace.run(
      "analyze", "--file", "boards.txt", "--player", "greedy", "--json")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(
      try JSON(outcome.output).array.map { $0["board"].string }
        == Array(repeating: "110000000000000B", count: 3))
    let exponents = try workspace.run(
      "analyze", "1 1 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 11", "--exponents", "--player", "greedy",
      "--json")
    #expect(try JSON(exponents.output)["board"].string == "110000000000000B", "\(exponents)")
    try workspace.write("2 2 0 0\n0 0 0 0\n\n0 0 0 0\n0 0 0 2048\n", "boards.txt")
    let parts = try workspace.run("analyze", "--file", "boards.txt", "--player", "greedy")
    #expect(parts.code == 65, "\(parts)")
    #expect(
      parts.errors.contains("boards.txt, line 1: this has 2 rows of 4 values")
        && parts.errors.contains("line 4: "), "\(parts)")
  }

  @Test("standard input is answered line by line")
  func engine() throws {
    // The second board is only written once the first one has been answered.
    let outcome = try workspace.shell(
      #"""
      mkfifo boards answers
      "$learn2048" analyze --file - --player greedy --json < boards > answers &
      exec 3> boards 4< answers
      echo 1200000000000000 >&3; read -r first <&4
      for row in 1 2 3; do echo 0 0 0 0 >&3; done; echo 0 0 4 2 >&3; read -r second <&4
      exec 3>&-; read -r last <&4
      echo "$first"; echo "$second"; echo "$last"
      """#)
    #expect(outcome.lines.count == 3, "\(outcome)")
    let answers = try JSON(outcome.output).array
    #expect(answers.map { $0["board"].string } == ["1200000000000000", "0000000000000021"])
  }

  @Test("bad boards of many are named, and the others answered")
  func badLines() throws {
    try workspace.write(
      "1200000000000000\n120000000000000\n\n1212212112122121\n12000000000000x0\n2100000000000000\n",
      "boards.txt")
    let outcome = try workspace.run(
      "analyze", "--file", "boards.txt", "--player", "greedy", "--json")
    #expect(outcome.code == 65, "\(outcome)")
    let answers = try JSON(outcome.output).array
    try #require(answers.count == 5)
    #expect(answers.map { $0["best"].string } == ["right", nil, nil, nil, "right"])
    #expect(answers.map { $0["error"].isNull } == [true, false, false, false, true])
    #expect(answers[2].keys == ["board", "error"])
    #expect(answers[2]["board"].string == "1212212112122121")
    let errors = outcome.errors.split(separator: "\n")
    try #require(errors.count == 4)
    #expect(errors[0].hasPrefix("learn2048: boards.txt, line 2: a board is 16 characters"))
    #expect(errors[1].contains("line 4: no move is legal"))
    #expect(errors[2].contains("line 5: character 15"))
    #expect(errors[3].contains("3 of 5 boards"))
  }

  @Test("a file without boards, and no file, are errors")
  func noBoards() throws {
    try workspace.write("# nothing\n", "boards.txt")
    let empty = try workspace.run("analyze", "--file", "boards.txt", "--player", "greedy")
    #expect(empty.code == 65 && empty.errors.contains("boards.txt: no board"), "\(empty)")
    let missing = try workspace.run("analyze", "--file", "none.txt", "--player", "greedy")
    #expect(missing.code == 66 && missing.errors.contains("none.txt"), "\(missing)")
    let directory = try workspace.run("analyze", "--file", "Configs", "--player", "greedy")
    #expect(
      directory.code == 66 && directory.errors.contains("Configs: cannot be read"), "\(directory)")
    let input = try workspace.run("analyze", "--file", "-", "--player", "greedy")
    #expect(input.code == 65 && input.errors.contains("standard input"), "\(input)")
  }

  @Test("an error prints no document, or none that is cut off")
  func documentsAreWhole() throws {
    try workspace.write("# nothing\n", "empty.txt")
    try workspace.write("1200000000000000\n" + String(repeating: "2 ", count: 100_000), "long.txt")
    for (file, code) in [("empty.txt", Int32(65)), ("long.txt", 65), ("none.txt", 66)] {
      let outcome = try workspace.run(
        "analyze", "--board", "1200000000000000", "--file", file, "--player", "greedy", "--json")
      #expect(outcome.code == code && outcome.output == "", "\(outcome)")
      #expect(outcome.errors.contains(file))
    }
    // Standard input is answered before it has been read to its end.
    let empty = try workspace.run(
      "analyze", "--board", "1200000000000000", "--file", "-", "--player", "greedy", "--json")
    #expect(empty.code == 65 && empty.errors.contains("standard input: no board"), "\(empty)")
    #expect(try JSON(empty.output).array.count == 1)
    let long = try workspace.shell(
      #""$learn2048" analyze --file - --player greedy --json < long.txt"#)
    #expect(long.code == 65 && long.errors.contains("exceeds the limit"), "\(long)")
    #expect(try JSON(long.output).array.count == 1)
  }

  @Test("every player that values moves is asked by its name")
  func players() throws {
    try workspace.train()
    let evaluators = [
      "emptyCells", "monotonicity", "smoothness", "maxTileInCorner", "maxTile", "snakeLinear",
      "snakeExponential", "compositeA", "compositeB", "rowScore",
    ]
    let players =
      evaluators.map { "expectimax:depth=2,evaluator=\($0)" }
      + evaluators.map { "montecarlo:simulations=2,depth=3,evaluator=\($0)" } + [
        "greedy", "heuristic:depth=1", "heuristic:nodes=2000", "learned:model=tiny",
        "learned:model=tiny,nodes=700", "learned:model=tiny,depth=2",
        "montecarlo:simulations=2", "montecarlo:simulations=2,depth=3,model=tiny",
        "montecarlo:simulations=2,policy=merging,adaptive=yes,threads=2",
        "montecarlo:simulations=2,policy=smooth", "montecarlo:simulations=2,tries=3",
      ]
    for player in players {
      let outcome = try workspace.run(
        "analyze", "--board", "1123000000000000", "--player", player, "--json")
      try #require(outcome.code == 0, "\(outcome)")
      let analysis = try JSON(outcome.output)
      let values = analysis["moves"].array.map { $0["value"].number }
      #expect(values.map { $0 == nil } == [true, false, false, false], "\(player)")
      let best = try #require(analysis["best"].string)
      let place = try #require(["up", "down", "left", "right"].firstIndex(of: best))
      #expect(values[place] == values.compactMap(\.self).max(), "\(player)")
    }
  }

  @Test("without a model to ask there is nothing to say")
  func noModel() throws {
    let outcome = try workspace.run("analyze", "--board", "1200000000000000")
    #expect(outcome.code == 66, "\(outcome)")
    #expect(outcome.errors.contains("or train one with"))
  }

  @Test("a board that is larger than the model's is bad data")
  func smallModel() throws {
    try workspace.train("--set", "game.boardSize=3", "--set", #"network.patterns=["012","45"]"#)
    let outcome = try workspace.run("analyze", "--board", "0001000000000000")
    #expect(outcome.code == 65, "\(outcome)")
    #expect(outcome.errors.contains("3x3"))
    let text = try workspace.run("analyze", "--board", "1200000000100000").output
    #expect(text.hasPrefix("2 4 .\n. . .\n. . 2\n\nplayer: "), "\(text)")
  }

  @Test("a line that is too long for a board is rejected before it is split")
  func longLine() throws {
    let boards = String(repeating: "2 ", count: 100_000)
    try workspace.write(boards, "long.txt")
    let outcome = try workspace.run("analyze", "--file", "long.txt", "--player", "greedy")
    #expect(outcome.code == 65, "\(outcome)")
    #expect(outcome.errors.contains("long.txt: line 1: exceeds the limit"), "\(outcome)")
  }
}
