internal import CupolaSupport

/// What is wrong in a journal that could be opened nevertheless. New cases may come with any version.
public enum JournalFinding: Equatable, Sendable {
  /// The last line of a file was cut, as by a crash, and is passed over.
  case cutTail(file: String, bytes: Int)
  /// Lines that cannot be read are passed over; `first` is the number of the first.
  case badLines(file: String, count: Int, first: Int, problem: String)
  /// A file is passed over.
  case badFile(file: String, problem: String)
  /// Lines of another journal that were not taken.
  case refusedLines(file: String, count: Int, problem: String)
  /// A feature of an import, counted from 1, was not taken.
  case badFeatures(count: Int, first: Int, problem: String)
  /// A photo or voice file is not there.
  case missingMedia(JournalMedia, of: JournalID)
  /// A photo or voice file is not what its name says, or too large.
  case wrongMedia(JournalMedia, of: JournalID)
}

extension JournalFinding: CustomStringConvertible {
  /// The same as ``message``.
  public var description: String { message }

  /// One line for people.
  public var message: String {
    switch self {
    case .cutTail(let file, let bytes):
      "\(VisibleText.line(file)): the last line was cut after \(bytes) bytes, and is passed over"
    case .badLines(let file, let count, let first, let problem):
      "\(VisibleText.line(file)): \(Self.counted(count, "line")) that cannot be read; "
        + "line \(first): \(VisibleText.line(problem))"
    case .badFile(let file, let problem):
      "\(VisibleText.line(file)): passed over: \(VisibleText.line(problem))"
    case .refusedLines(let file, let count, let problem):
      "\(VisibleText.line(file)): \(Self.counted(count, "line")) not taken: "
        + VisibleText.line(problem)
    case .badFeatures(let count, let first, let problem):
      "\(Self.counted(count, "feature")) not taken; feature \(first): \(VisibleText.line(problem))"
    case .missingMedia(let media, let id): "\(media.path): missing, entry \(id) has it"
    case .wrongMedia(let media, let id):
      "\(media.path): not what its name says, entry \(id) has it; copy it again"
    }
  }

  private static func counted(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }
}

extension JournalFile.Report {
  /// The same for people, of a file.
  func findings(of file: String) -> [JournalFinding] {
    var findings: [JournalFinding] = []
    if let first {
      findings.append(
        .badLines(file: file, count: badLines, first: first.line, problem: first.problem))
    }
    if cutBytes > 0 { findings.append(.cutTail(file: file, bytes: cutBytes)) }
    return findings
  }
}
