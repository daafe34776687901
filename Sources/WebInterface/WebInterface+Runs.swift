import Basics
import Checkpoints
import Configuration
import Training

extension WebInterface {
  /// The runs, starting with that of the latest report.
  var runList: [RunSummary] { RunSummary.all(runs()) }

  /// Returns the reports of a run, from those after the episodes of the parameter `after` on.
  func reports(of name: String, _ query: Query) throws(RequestError) -> [TrainingReport] {
    let after = try query.optionalNumber("after") ?? -1
    return try run(name).reports(after: after)
  }

  /// Returns the configuration of a run, with every key.
  func configuration(of name: String) throws(RequestError) -> JSONValue {
    let run = try run(name)
    do {
      return try run.configuration().json
    } catch {
      throw RequestError(.unprocessableEntity, "\(error)")
    }
  }

  private func run(_ name: String) throws(RequestError) -> RunDirectory {
    guard let run = runs().first(where: { $0.name == name }) else {
      throw RequestError(.notFound, "no run '\(name)'. /api/runs lists the runs.")
    }
    return run
  }
}
