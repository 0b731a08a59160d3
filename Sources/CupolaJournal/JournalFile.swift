internal import CupolaGuide
internal import CupolaSupport

// Reads the file of a device:
// 1. the first line names device and format;
// 2. each line is read by the quick scanner, or else by the JSON reader;
// 3. what cannot be read is counted and told.

/// A file of a journal: all lines of one device.
///
/// The first line is `{"device":"phone","format":"cupola.journal/1"}`, each other an operation. A line counts when
/// it can be read as a whole, also the last one without its end: of an object that was cut, nothing can.
struct JournalFile {
  /// What was found beside the lines that can be read.
  struct Report {
    /// Lines with something in them that cannot be read, the last one not among them when it was cut.
    var badLines = 0
    /// The first of them, from 1, and what is wrong with it.
    var first: (line: Int, problem: String)?
    /// How many bytes stand at the end that are no line.
    var cutBytes = 0
    /// Whether what is added begins on a line of its own.
    var endsClean = true
  }

  /// Lines that cannot be read of one file, after which the slow reader is not asked any more: a folder of somebody
  /// else may have many millions.
  private static let mostBadLines = 100_000

  static let format = "cupola.journal/1"

  /// The first line, without its end.
  static func header(of device: String) -> [UInt8] {
    JSONWriter.bytes(of: .object(["device": .string(device), "format": .string(format)]))
  }

  static func name(of device: String) -> String { "device-" + device + ".jsonl" }

  /// The device of a file by its name; `nil` for other files.
  static func device(of name: String) -> String? {
    guard name.hasPrefix("device-"), name.hasSuffix(".jsonl") else { return nil }
    let device = String(name.dropFirst(7).dropLast(6))
    return JournalID.isDevice(device) ? device : nil
  }

  /// Reads lines.
  ///
  /// - Parameters:
  ///   - bytes: of the whole file, or of some of its lines.
  ///   - isWhole: whether the first line is the file's.
  ///   - unread: is given where the bytes of each line are that cannot be read.
  ///   - take: is given each line's operation and where its bytes are.
  static func read(
    _ bytes: [UInt8], of device: String, isWhole: Bool = true,
    unread: (Range<Int>) -> Void = { _ in }, take: (JournalOperation, Range<Int>) -> Void
  ) throws(JournalProblem) -> Report {
    var report = Report()
    var place = 0
    var line = 0
    if isWhole, try hasHeader(bytes, of: device) {
      line = 1
      place = end(of: bytes, from: 0) + 1
    }
    var scanner = JournalLineScanner(bytes, device: device)
    while place < bytes.count {
      line += 1
      let start = place
      do throws(JournalProblem) {
        let operation: JournalOperation
        if let fields = scanner.fields(from: start) {
          place = scanner.place
          operation = try fields.operation(of: device)
        } else {
          place = end(of: bytes, from: start)
          guard report.badLines < mostBadLines else { throw JournalProblem("too many bad lines") }
          operation = try slowly(bytes[start..<place]).operation(of: device)
        }
        take(operation, start..<place)
      } catch {
        report.add(error, line: line, bytes: place - start, isLast: place == bytes.count)
        unread(start..<place)
      }
      place += 1
    }
    report.endsClean = bytes.last ?? 0x0A == 0x0A
    return report
  }

  static func end(of bytes: [UInt8], from start: Int) -> Int {
    var end = start
    while end < bytes.count, bytes[end] != 0x0A { end &+= 1 }
    return end
  }

  private static func slowly(_ line: ArraySlice<UInt8>) throws(JournalProblem) -> JournalFields {
    guard !line.isEmpty else { throw JournalProblem("") }
    guard line.count <= JournalLimits.line else { throw JournalProblem("a line too long") }
    let value: JSONValue
    do throws(JSONFault) {
      value = try JSONReader.value(
        of: Array(line), limits: JSONReader.Limits(depth: 8, values: 1000))
    } catch {
      // Which line it is stands before it.
      throw JournalProblem(String(error.message.trimmingPrefix("line 1, ")))
    }
    guard case .object(let members) = value else { throw JournalProblem("no object") }
    return try JournalFields(members)
  }

  /// Whether the first line is this device's. A damaged one is a line like others.
  private static func hasHeader(
    _ bytes: [UInt8], of device: String
  ) throws(JournalProblem) -> Bool {
    let line = bytes[..<min(end(of: bytes, from: 0), JournalLimits.line)]
    if line == header(of: device)[...] { return true }
    guard case .object(let members)? = try? JSONReader.value(of: Array(line)),
      let format = members["format"]?.text
    else { return false }
    guard format == Self.format else {
      throw JournalProblem("it is of the format \(format), which this version does not know")
    }
    guard members["device"]?.text == device else {
      throw JournalProblem("it is of another device than its name says")
    }
    return true
  }
}

/// What is wrong with a line, in a few words.
struct JournalProblem: Error {
  let text: String
  init(_ text: String) { self.text = text }
}

/// What is wrong in a journal that could be opened nevertheless. New cases may come with any version.
package enum JournalFinding: Equatable, Sendable, CustomStringConvertible {
  case cutTail(file: String, bytes: Int)
  case badLines(file: String, count: Int, first: Int, problem: String)
  case badFile(file: String, problem: String)
  case refusedLines(file: String, count: Int, problem: String)
  case badFeatures(count: Int, first: Int, problem: String)
  case missingMedia(JournalMedia, of: JournalID)
  case wrongMedia(JournalMedia, of: JournalID)

  package var description: String { message }

  package var message: String {
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
  fileprivate mutating func add(_ problem: JournalProblem, line: Int, bytes: Int, isLast: Bool) {
    // Empty lines mean nothing.
    guard bytes > 0 else { return }
    if isLast {
      cutBytes = bytes
    } else {
      badLines += 1
      if first == nil { first = (line, problem.text) }
    }
  }

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
