internal import CupolaGuide
internal import CupolaSupport

// 1. Check the device and format in the first line.
// 2. Read each line with the JSON reader.
// 3. Count the invalid lines.

/// The file that contains all lines of a device.
///
/// The first line is `{"device":"phone","format":"cupola.journal/1"}`; each further line is an operation. If the last
/// line is complete, it counts even without a newline, because a truncated object is never valid.
struct JournalFile {
  /// The problems found while reading.
  struct Report {
    /// The number of invalid lines, excluding a truncated last line.
    var badLines = 0
    /// The number of the first invalid line, starting with 1, and its problem.
    var first: (line: Int, problem: String)?
    /// The number of bytes in a truncated last line.
    var cutBytes = 0
    /// Whether the file ends with a newline, so that new lines can be appended directly.
    var endsWithNewline = true
  }

  static let format = "cupola.journal/1"

  /// The first line, without a newline.
  static func header(of device: String) -> [UInt8] {
    JSONWriter.bytes(of: .object(["device": .string(device), "format": .string(format)]))
  }

  static func name(of device: String) -> String { "device-" + device + ".jsonl" }

  /// The name of the device according to the file name; `nil` for files that are not from a device.
  static func device(of name: String) -> String? {
    guard name.hasPrefix("device-"), name.hasSuffix(".jsonl") else { return nil }
    let device = String(name.dropFirst(7).dropLast(6))
    return JournalID.isDevice(device) ? device : nil
  }

  /// Reads lines.
  ///
  /// - Parameters:
  ///   - bytes: The whole file, or some of its lines.
  ///   - isWhole: Whether the bytes start with the header.
  ///   - unread: Called with the range of each invalid line.
  ///   - take: Called with the operation and range of each valid line.
  static func read(
    _ bytes: [UInt8], of device: String, isWhole: Bool = true,
    unread: (Range<Int>) -> Void = { _ in }, take: (JournalOperation, Range<Int>) -> Void
  ) throws(JournalDataError) -> Report {
    var report = Report()
    var place = 0
    var line = 0
    if isWhole, try hasHeader(bytes, of: device) {
      line = 1
      place = end(of: bytes, from: 0) + 1
    }
    while place < bytes.count {
      line += 1
      let start = place
      place = end(of: bytes, from: start)
      do throws(JournalDataError) {
        take(try parse(bytes[start..<place]).operation(of: device), start..<place)
      } catch {
        report.add(error, line: line, bytes: place - start, isLast: place == bytes.count)
        unread(start..<place)
      }
      place += 1
    }
    report.endsWithNewline = bytes.last ?? 0x0A == 0x0A
    return report
  }

  static func end(of bytes: [UInt8], from start: Int) -> Int {
    var end = start
    while end < bytes.count, bytes[end] != 0x0A { end &+= 1 }
    return end
  }

  private static func parse(_ line: ArraySlice<UInt8>) throws(JournalDataError) -> JournalFields {
    guard !line.isEmpty else { throw JournalDataError("") }
    guard line.count <= JournalLimits.line else { throw JournalDataError("line is too long") }
    let value: JSONValue
    do throws(JSONFault) {
      value = try JSONReader.value(
        of: Array(line), limits: JSONReader.Limits(depth: 8, values: 1000))
    } catch {
      // Remove the line number, which the caller adds.
      throw JournalDataError(String(error.message.trimmingPrefix("line 1, ")))
    }
    guard case .object(let members) = value else { throw JournalDataError("not a JSON object") }
    return try JournalFields(members)
  }

  /// Whether the first line is the device's header. An invalid header counts as an invalid line.
  private static func hasHeader(
    _ bytes: [UInt8], of device: String
  ) throws(JournalDataError) -> Bool {
    let line = bytes[..<min(end(of: bytes, from: 0), JournalLimits.line)]
    if line == header(of: device)[...] { return true }
    guard case .object(let members)? = try? JSONReader.value(of: Array(line)),
      let format = members["format"]?.text
    else { return false }
    guard format == Self.format else {
      throw JournalDataError("unsupported format \(format); update the program")
    }
    guard members["device"]?.text == device else {
      throw JournalDataError("device in the file differs from the file name")
    }
    return true
  }
}

/// The reason why a line, file or feature is invalid.
struct JournalDataError: Error {
  let text: String
  init(_ text: String) { self.text = text }
}

/// A problem in a journal that was nevertheless opened. Later versions may add cases.
package enum JournalFinding: Equatable, Sendable, CustomStringConvertible {
  case cutTail(file: String, bytes: Int)
  case badLines(file: String, count: Int, first: Int, problem: String)
  case badFile(file: String, problem: String)
  case rejectedLines(file: String, count: Int, problem: String)
  case badFeatures(count: Int, first: Int, problem: String)
  case missingMedia(JournalMedia, of: JournalID)
  case wrongMedia(JournalMedia, of: JournalID)

  package var description: String { message }

  package var message: String {
    switch self {
    case .cutTail(let file, let bytes):
      "\(VisibleText.line(file)): skipped the last line, which is truncated after \(bytes) bytes"
    case .badLines(let file, let count, let first, let problem):
      "\(VisibleText.line(file)): skipped \(Self.counted(count, "invalid line")); "
        + "line \(first): \(VisibleText.line(problem))"
    case .badFile(let file, let problem):
      "\(VisibleText.line(file)): skipped: \(VisibleText.line(problem))"
    case .rejectedLines(let file, let count, let problem):
      "\(VisibleText.line(file)): rejected \(Self.counted(count, "line")): "
        + VisibleText.line(problem)
    case .badFeatures(let count, let first, let problem):
      "rejected \(Self.counted(count, "feature")); feature \(first): \(VisibleText.line(problem))"
    case .missingMedia(let media, let id): "\(media.path): file of entry \(id) is missing"
    case .wrongMedia(let media, let id):
      "\(media.path): file of entry \(id) does not match its digest; copy it again"
    }
  }

  private static func counted(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }
}

extension JournalFile.Report {
  fileprivate mutating func add(_ problem: JournalDataError, line: Int, bytes: Int, isLast: Bool) {
    guard bytes > 0 else { return }
    if isLast {
      cutBytes = bytes
    } else {
      badLines += 1
      if first == nil { first = (line, problem.text) }
    }
  }

  /// The report, converted to findings about a file.
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
