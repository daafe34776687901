/// The reason why a file or directory cannot be read, written or used.
///
/// ``description`` reads `PATH: place: problem. Remedy.`: problems and remedies are given as fragments
/// without a capital letter or a full stop. Text from a file may be part of each: what steers a terminal is
/// escaped, and long texts are shortened.
public struct LocatedError: Error, Hashable, Codable, Sendable, CustomStringConvertible {
  /// The class of a problem; the command line maps it to an exit code.
  public enum Kind: Hashable, Codable, Sendable, CaseIterable {
    /// The file is damaged, has another format, or holds data that this program cannot use.
    case unsuitableData
    /// The file or directory to read does not exist, or may not be read.
    case missingInput
    /// The file or directory to write cannot be created.
    case cannotCreate
    /// Reading or writing failed part-way, for example because the disk is full.
    case inputOutput
    /// Another process uses the run directory.
    case locked
    /// A network or the results of games do not fit into the memory that is available.
    case insufficientMemory
    /// The command asks for something that cannot be done.
    case usage
  }

  public let kind: Kind
  /// The file or directory concerned.
  public let path: String
  /// The byte, field or tensor concerned, if there is one.
  public let place: String?
  /// What is wrong, such as `does not exist`.
  public let problem: String
  /// What the user can do, such as `check the path`.
  public let remedy: String

  public init(
    _ kind: Kind, path: String, place: String? = nil, _ problem: String, remedy: String
  ) {
    self.kind = kind
    self.path = path
    self.place = place
    self.problem = problem
    self.remedy = remedy
  }

  public var description: String {
    let place = place.map { "\($0.shortened): " } ?? ""
    let text = sentence(path, ": ", place, problem.shortened) + " " + sentence(capitalised(remedy))
    return text.printable()
  }
}

extension LocatedError {
  /// Returns the error for a file with invalid content.
  package static func damaged(
    _ path: String, _ place: String?, _ problem: String,
    remedy: String? = nil
  ) -> LocatedError {
    LocatedError(
      .unsuitableData, path: path, place: place, problem,
      remedy: remedy ?? "the file is damaged; use another checkpoint, or copy it again")
  }
}
