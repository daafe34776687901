import Basics
import Foundation
import TestSupport
import Testing

@testable import Training
@testable import WebInterface

@Suite("Runs in the web interface")
struct WebRunTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func run(_ name: String, episodes: [Int]) throws -> RunDirectory {
    try FileManager.default.createDirectory(
      atPath: directory.file(name), withIntermediateDirectories: false)
    let lines = episodes.map {
      """
      {"episodes":\($0),"moves":\(10 * $0),"wallSeconds":2,"movesPerSecond":5,"meanScore":\(3 * $0),\
      "maxScore":9,"reached":{},"learningRate":1}

      """
    }
    // A kill has cut the last line short.
    try directory.write(
      Array((lines.joined() + #"{"episodes":99"#).utf8), name + "/metrics.jsonl")
    return RunDirectory(path: directory.file(name))
  }

  @Test("runs are listed with their last report, the latest first")
  func list() throws {
    let long = Array(stride(from: 1, through: 2_000, by: 1))
    let runs = [try run("first", episodes: [100, 200]), try run("second run", episodes: long)]
    let hourAgo = Date(timeIntervalSinceNow: -3_600)
    try FileManager.default.setAttributes(
      [.modificationDate: hourAgo], ofItemAtPath: runs[0].metricsPath)
    let lock = try DirectoryLock(run: runs[1].path)
    let list = try WebInterface.forTests(runs: runs).get("/api/runs").array
    withExtendedLifetime(lock) {}
    #expect(list.map { $0["name"] as? String } == ["second run", "first"])
    #expect(list.map { $0["isTraining"] as? Bool } == [true, false])
    #expect(list.map { ($0["last"] as? [String: Any])?["episodes"] as? Int } == [2_000, 200])
  }

  @Test("a run without reports is listed without one")
  func empty() throws {
    let run = RunDirectory(path: directory.file("none"))
    let list = try WebInterface.forTests(runs: [run]).get("/api/runs").array
    #expect(list.count == 1)
    #expect(list[0]["last"] == nil || list[0]["last"] is NSNull)
  }

  @Test(
    "the time left of a run that is training is that to its limit, at the speed of the last report")
  func timeLeft() throws {
    let run = try run("run", episodes: [])
    func write(_ seconds: [Double], limit: String) throws -> Double? {
      let lines = seconds.enumerated().map { index, seconds in
        """
        {"episodes":\(10 * (index + 1)),"moves":\(1_000 * (index + 1)),"wallSeconds":\(seconds),\
        "movesPerSecond":5,"meanScore":3,"maxScore":9,"reached":{},"learningRate":1}

        """
      }
      try directory.write(Array(lines.joined().utf8), "run/metrics.jsonl")
      try directory.write(
        Array(#"{"network":{"patterns":["012"]},"episodes":0,"limit":{\#(limit)}}"#.utf8),
        "run/config.json")
      let list = try WebInterface.forTests(runs: [run]).get("/api/runs").array
      return list[0]["secondsLeft"] as? Double
    }
    _ = try write([10], limit: "")
    let lock = try DirectoryLock(run: run.path)
    // 1,000 moves took 90 s at last, and 8,000 are left. The report is hardly older than the request.
    let left = try #require(try write([10, 100], limit: #""moves":10000"#))
    #expect(left > 700 && left <= 720)
    #expect(try #require(try write([10], limit: #""moves":2000"#)) <= 10)
    #expect(try write([], limit: #""moves":2000"#) == nil)
    #expect(try write([10], limit: "") == nil)
    func secondsLeft(hoursSince begin: [String: Double]) throws -> Double? {
      for (name, hours) in begin {
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSinceNow: -3_600 * hours)],
          ofItemAtPath: directory.file("run/\(name)"))
      }
      let list = try WebInterface.forTests(runs: [run]).get("/api/runs").array
      return list[0]["secondsLeft"] as? Double
    }
    // A run that was resumed just now has all its time left, whenever the last report was made; another one is late.
    _ = try write([10, 100], limit: #""moves":10000"#)
    let resumed = try #require(try secondsLeft(hoursSince: ["metrics.jsonl": 1, "lock": 0]))
    #expect(resumed > 700 && resumed <= 720)
    #expect(try secondsLeft(hoursSince: ["metrics.jsonl": 1, "lock": 2]) == 0)
    withExtendedLifetime(lock) {}
  }

  @Test("a run that no process trains has no time left")
  func ended() throws {
    let run = try run("ended", episodes: [100, 200])
    let list = try WebInterface.forTests(runs: [run]).get("/api/runs").array
    #expect(list[0]["isTraining"] as? Bool == false && list[0]["secondsLeft"] == nil)
  }

  @Test("a run's configuration has every key, and one that is damaged is reported")
  func configuration() throws {
    let run = try run("a run", episodes: [])
    let interface = WebInterface.forTests(runs: [run])
    try directory.write(
      Array(#"{"network":{"patterns":["012"]},"learning":{"lambda":0.25}}"#.utf8),
      "a run/config.json")
    let answer = try interface.get("/api/configurations/a run")
    #expect(answer.status == 200)
    let learning = try #require(answer.json["learning"] as? [String: Any])
    #expect(learning["lambda"] as? Double == 0.25 && learning["method"] as? String == "td")
    #expect(try interface.get("/api/configurations/another").status == 404)
    try directory.write(Array("{".utf8), "a run/config.json")
    let damaged = try interface.get("/api/configurations/a run")
    #expect(damaged.status == 422 && damaged.error.contains("config.json"), "\(damaged.error)")
  }

  @Test("a run's reports are those of its file, and those after some episodes on request")
  func reports() throws {
    let run = try run("a 50%25 run", episodes: [100, 200, 300])
    let interface = WebInterface.forTests(runs: [run])
    let all = try interface.get("/api/runs/a 50%25 run").array
    #expect(all.map { $0["episodes"] as? Int } == [100, 200, 300])
    #expect(all.map { $0["meanScore"] as? Int } == [300, 600, 900])
    let later = try interface.get("/api/runs/a 50%25 run", ["after": "200"]).array
    #expect(later.map { $0["episodes"] as? Int } == [300])
  }
}
