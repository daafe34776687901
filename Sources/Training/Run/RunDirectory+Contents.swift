import Basics
import Checkpoints
import Configuration

extension RunDirectory {
  /// The reports that the run has written so far.
  public var reports: [TrainingReport] { MetricsFile(path: metricsPath).reports() }

  /// Those after so many episodes.
  public func reports(after episodes: Int) -> [TrainingReport] {
    MetricsFile(path: metricsPath).reports(after: episodes)
  }

  /// The last of them, without reading the others; nil if there is none.
  public var lastReport: TrainingReport? { MetricsFile(path: metricsPath).lastReport() }

  /// The configuration that the run was started with.
  ///
  /// - Throws: ``ConfigurationError`` if it is damaged, or ``LocatedError`` if it cannot be read.
  public func configuration() throws -> TrainingConfiguration {
    var reader = ConfigurationReader()
    reader.read(try TextFile.read(configurationPath), name: configurationPath)
    return try reader.finished()
  }
}
