internal import Cupola

/// What can be wrong with a C export.
public enum CSourceFault: Error, Equatable, Sendable {
  /// A file, constant, list or table is not there.
  case missing(String, file: String)
  /// A constant, list or table cannot be read.
  case unreadable(String, file: String)
  /// Another version wrote the files.
  case otherVersion(String)
  /// The tables are not those that their SHA-256 was made of.
  case wrongDigest
  /// Numbers contradict each other, or no version of Cupola writes them.
  case inconsistent(String)
  /// A line is not the one that belongs to the numbers in the files; `line` counts from 1.
  case changed(file: String, line: Int)
  /// The export is sound, but not one of the model.
  case otherModel(String)
}

extension CSourceFault: CustomStringConvertible {
  /// The same as ``message``.
  public var description: String { message }

  /// One line for people: what is wrong and what to do.
  public var message: String {
    switch self {
    case .missing(let what, let file): "\(file): has no \(what); export the model again"
    case .unreadable(let what, let file):
      "\(file): \(what) is not as an export has it; export the model again"
    case .otherVersion(let version):
      "was made by \(version), this is Cupola \(cupolaVersion); export the model again"
    case .wrongDigest:
      "\(CSource.sourceName): its tables were changed: their SHA-256 is another; export the model again"
    case .inconsistent(let problem): "its numbers contradict each other: \(problem)"
    case .changed(let file, let line):
      "\(file):\(line): not the line that Cupola writes; export the model again"
    case .otherModel(let problem): "is of another model: \(problem)"
    }
  }
}
