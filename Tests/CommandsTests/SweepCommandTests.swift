import Foundation
import Testing

@Suite("sweep")
struct SweepCommandTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    try workspace.write(plan(moves: "5000"), "plan.json")
  }

  private func plan(moves: String) -> String {
    """
    {"base": "tiny.json", "grid": {"learning.learningRate": [0.1, 0.3]},
     "budget": {"moves": \(moves)}, "evaluation": {"games": 5}}
    """
  }

  @Test("a sweep prints a table, and leaves it and its runs in a directory under Models/")
  func table() throws {
    let outcome = try workspace.run("sweep", "--plan", "Plan.json")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.errors.contains("sweep in Models/plan: 2 variants, 3 seeds, 5,000 moves each"))
    #expect(outcome.lines[0].hasPrefix("variant "), "\(outcome)")
    #expect(outcome.lines[1].hasPrefix("learningRate=0.1 "))
    #expect(outcome.lines[2].hasPrefix("learningRate=0.3 "))
    #expect(workspace.names(in: "Models/plan/runs").count == 6)
    #expect(
      workspace.names(in: "Models/plan").filter { $0 != "lock" } == [
        "plan.json", "results.csv", "results.jsonl", "runs", "trials.jsonl",
      ])
    let next = try workspace.run("sweep", "--plan", "plan.json", "--json")
    #expect(next.lines.count == 1)
    let report = try JSON(next.output)
    #expect(report["rows"].array.map { $0["scores"].array.count } == [3, 3])
    #expect(workspace.exists("Models/plan-2/results.csv"))
    // A kill between the last trial and what follows from it.
    let csv = try workspace.text("Models/plan/results.csv")
    try workspace.write("old", "Models/plan/results.csv")
    #expect(try workspace.run("sweep", "--resume", "plan").code == 0)
    #expect(try workspace.text("Models/plan/results.csv") == csv)
  }

  @Test("a signal ends a sweep, which --resume continues")
  func resuming() throws {
    try workspace.write(plan(moves: "3e6"), "long.json")
    let program = try workspace.start("sweep", "--plan", "long.json", "--run", "mine")
    try program.waitForHandler(of: SIGINT)
    program.send(SIGINT)
    let outcome = try program.finish()
    #expect(outcome.code == 130, "\(outcome)")
    #expect(outcome.errors.contains("--resume Models/mine"), "\(outcome)")

    // As with runs, what is under Models/ comes first, and the case of letters does not matter.
    try workspace.write("", "mine")
    let again = try workspace.start("sweep", "--resume", "Mine")
    try again.waitForHandler(of: SIGTERM)
    again.send(SIGTERM)
    #expect(try again.finish().code == 143)

    let taken = try workspace.run("sweep", "--plan", "plan.json", "--run", "mine")
    #expect(taken.code == 73)
    #expect(taken.errors.contains("--resume Models/mine"))
  }

  @Test("a variant that diverges does not end the sweep, and is named")
  func divergence() throws {
    try workspace.write(
      """
      {"base": "tiny.json", "grid": {"learning.learningRate": [0.1, 16]}, "seeds": 1,
       "budget": {"moves": 5000}, "evaluation": {"games": 5}}
      """, "steep.json")
    let outcome = try workspace.run("sweep", "--plan", "steep.json")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.errors.contains("learningRate=16, seed 1: diverged after "), "\(outcome)")
    #expect(!outcome.lines[1].contains("diverged") && outcome.lines[2].contains(" diverged "))
    let csv = try workspace.text("Models/steep/results.csv")
    #expect(csv.contains("learningRate=16,5000.0,moves,true,diverged,"), "\(csv)")
    let report = try JSON(workspace.run("sweep", "--resume", "steep", "--json").output)
    #expect(report["rows"][1]["diverged"].array.map(\.integer) == [1])
    #expect(report["rows"][1]["mean"].isNull && report["rows"][1]["scores"][0].isNull)
    #expect(report["rows"][0]["diverged"].isNull)
  }

  @Test("a second signal does not wait for the games of an evaluation")
  func impatience() throws {
    try workspace.write(
      """
      {"base": "tiny.json", "grid": {"threads": [1]}, "seeds": [1], "budget": {"moves": 100},
       "evaluation": {"games": 20, "depth": 6}}
      """, "deep.json")
    let program = try workspace.start("sweep", "--plan", "deep.json")
    try wait(for: "the end of the training", situation: { program.errors }) {
      workspace.names(in: "Models/deep/runs").contains {
        workspace.names(in: "Models/deep/runs/\($0)/checkpoints").contains("state.safetensors")
      }
    }
    usleep(100_000)
    let outcome = try program.insist(SIGINT)
    #expect(outcome.code == 130, "\(outcome)")
    #expect(outcome.errors.contains("again to stop at once"), "\(outcome)")
  }

  @Test(
    "what is wrong is said",
    arguments: [
      ([], 64, "--plan"), (["--plan", "none.json"], 66, "no plan at none.json in "),
      (["--plan", "tiny.json"], 78, "tiny.json: budget is missing"),
      (["--resume", "none"], 66, "no sweep at none"),
      (["--resume", "mine", "--plan", "plan.json"], 64, "Leave out --plan"),
    ] as [([String], Int32, String)])
  func errors(arguments: [String], code: Int32, text: String) throws {
    let outcome = try workspace.run(["sweep"] + arguments)
    #expect(outcome.code == code, "\(outcome)")
    #expect(outcome.errors.contains(text), "\(outcome)")
  }
}
