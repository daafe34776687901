import Testing

@testable import Training

@Suite struct ConfigurationChangeTests {
  private func configuration() -> TrainingConfiguration {
    var configuration = TrainingConfiguration()
    configuration.patterns = ["012", "456"]
    return configuration
  }

  @Test func theSameConfigurationHasNoChanges() {
    let configuration = configuration()
    #expect(configuration.changes(since: configuration.json.text).isEmpty)
    #expect(configuration.changes(since: configuration.jsonText).isEmpty)
  }

  @Test func everyChangedKeyIsNamedWithBothValues() {
    var configuration = configuration()
    let saved = configuration.json.text
    configuration.batchSize = 255
    configuration.checkpointKeep = 4
    configuration.patterns = ["012", "457"]
    #expect(
      configuration.changes(since: saved) == [
        ConfigurationChange(
          path: "network.patterns", before: #"["012","456"]"#, after: #"["012","457"]"#,
          mayChangeOnResume: false),
        ConfigurationChange(
          path: "learning.batchSize", before: "256", after: "255", mayChangeOnResume: false),
        ConfigurationChange(
          path: "checkpoint.keep", before: "3", after: "4", mayChangeOnResume: true),
      ])
  }

  @Test func whatAnEarlierVersionDidNotSaveIsNoChange() {
    let configuration = configuration()
    for saved in ["{}", "", "[1]", #"{"learning": {"batchSize": 256.0}}"#, #"{"learning": 3}"#] {
      #expect(configuration.changes(since: saved).isEmpty, "\(saved)")
    }
    let changes = configuration.changes(since: #"{"learning": {"batchSize": "many"}}"#)
    #expect(changes.map(\.path) == ["learning.batchSize"])
  }
}
