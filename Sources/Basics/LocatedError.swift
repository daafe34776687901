/// Why a model file or run directory cannot be read, written or used.
///
/// The description is one line: file, place, problem, and what to do about it.
public struct LocatedError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What sort of trouble it is; a command line maps it to an exit code.
  public enum Kind: Hashable, Sendable {
    /// The file is damaged, foreign, or holds what this program cannot use.
    case unsuitableData
    /// The file or directory to read is not there, or may not be read.
    case missingInput
    /// The file or directory to write cannot be created.
    case cannotCreate
    /// Reading or writing failed on the way: a full disk, a failing device.
    case inputOutput
    /// Another process works on the run directory.
    case locked
    /// The network does not fit into the memory that is available.
    case insufficientMemory
    /// The command asks for something that makes no sense.
    case usage
  }

  public let kind: Kind
  /// The file or directory concerned.
  public let path: String
  /// The byte, field or tensor concerned, where there is one.
  public let place: String?
  public let problem: String
  /// What to do about it.
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
    let place = place.map { "\($0): " } ?? ""
    return "\(path): \(place)\(problem); \(remedy)"
  }
}

extension LocatedError {
  /// A file whose content is not what it should be.
  package static func damaged(
    _ path: String, _ place: String?, _ problem: String,
    remedy: String = "the file is damaged: use another checkpoint or copy it again"
  ) -> LocatedError {
    LocatedError(.unsuitableData, path: path, place: place, problem, remedy: remedy)
  }
}
