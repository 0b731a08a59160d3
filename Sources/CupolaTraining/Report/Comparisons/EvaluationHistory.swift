#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

internal import Cupola
internal import CupolaCampus

// The metrics of all runs; each run is a row in history.csv.
// 1. Read and check the table. 2. Add a run. 3. Append rows under a lock.

package struct EvaluationHistory: Sendable {
  struct Run: Equatable, Sendable {
    let date: String
    let modelDigest: String
    let dataDigest: String
    let figures: [String: Double]
  }

  package let path: String
  private(set) var runs: [Run]
  private var added: [Run] = []

  static let figures = [
    "photos", "top1", "fused", "coverage", "risk", "ece", "brier", "auroc", "final_auroc",
    "unknown_buildings_auroc", "unknown_buildings_final_auroc", "unknown_named",
  ]
  private static let header = ["date", "model_sha256", "photos_sha256"] + figures
  private static let fileLimit = 64 << 20

  /// Reads the table of a folder, and creates the folder if it is missing.
  ///
  /// - Throws: ``TrainingError/badTable(path:line:problem:)`` if the file is not a history table; it is never
  ///   overwritten.
  package init(folder: String) throws(TrainingError) {
    let path = folder + (folder.hasSuffix("/") ? "" : "/") + "history.csv"
    self.path = path
    try TrainingError.files { () throws(FileError) in
      try Directory.create(folder)
      try FileAccess.checkFolder(of: path)
    }
    runs = try Self.runs(at: path)
  }

  private static func runs(at path: String) throws(TrainingError) -> [Run] {
    let bytes = try TrainingError.files { () throws(FileError) -> [UInt8]? in
      let names = try Directory.entries(of: FileAccess.folder(of: path)).map(\.name)
      return try names.contains("history.csv") ? FileAccess.read(path, limit: fileLimit) : nil
    }
    guard let bytes else { return [] }
    return try runs(in: bytes, path)
  }

  private static func runs(in bytes: [UInt8], _ path: String) throws(TrainingError) -> [Run] {
    func bad(_ line: Int?, _ problem: String) -> TrainingError {
      .badTable(path: path, line: line ?? 1, problem: problem)
    }
    let table = try CSV(bytes, path: path)
    guard table.header == header else {
      throw bad(1, "not a history of cupola evaluate; choose another folder with --history")
    }
    guard bytes.last == UInt8(ascii: "\n") else {
      let problem = "the last line is incomplete; fix it or choose another folder with --history"
      throw bad(table.lines.last, problem)
    }
    var runs: [Run] = []
    for (row, line) in zip(table.rows, table.lines) {
      var figures: [String: Double] = [:]
      for (name, field) in zip(Self.figures, row.dropFirst(3)) where !field.isEmpty {
        guard let value = Double(field), value.isFinite else {
          throw bad(line, "\(name) is not a number; fix it or choose another folder with --history")
        }
        figures[name] = value
      }
      let texts = row.map(Table.unguarded)
      runs.append(
        Run(date: texts[0], modelDigest: texts[1], dataDigest: texts[2], figures: figures))
    }
    return runs
  }

  package mutating func add(_ report: EvaluationReport, date: UTCDate?, modelDigest: String) {
    let photos = report.evaluation.all.map { "\($0.facts.digest) \($0.photo.label)\n" }.sorted()
    let run = Run(
      date: date?.stamp ?? "", modelDigest: modelDigest,
      dataDigest: SHA256.hexadecimal(of: Array(photos.joined().utf8)),
      figures: Dictionary(
        Self.figures.compactMap { name in report.figures[name].map { (name, $0) } }
      ) { first, _ in first })
    runs.append(run)
    added.append(run)
  }

  /// Appends the new runs to the current table, which other processes may have extended since it was read.
  package mutating func write() throws(TrainingError) {
    let folder = FileAccess.folder(of: path)
    let lock = try TrainingError.files { () throws(FileError) in
      try FolderLock.waiting(for: folder)
    }
    guard let lock else { throw .file(.cannotWrite(path: path, code: EAGAIN)) }
    defer { lock.release() }
    runs = try Self.runs(at: path) + added
    try TrainingError.files { () throws(FileError) in
      try FileAccess.write(Array(csv.utf8), to: path)
    }
    added = []
  }

  var csv: String {
    Table.csv(
      [Self.header]
        + runs.map { run in
          [run.date, run.modelDigest, run.dataDigest]
            + Self.figures.map { name in run.figures[name].map { Self.field(name, $0) } ?? "" }
        })
  }

  private static func field(_ name: String, _ value: Double) -> String {
    name == "photos" ? "\(Int(saturating: value))" : "\(value)"
  }
}

package struct UTCDate: Equatable, Sendable {
  let seconds: Int

  /// Creates a date from the seconds since the start of 1970; `nil` outside the years 1 to 9999.
  package init?(secondsSince1970 seconds: Int) {
    guard (-62_135_596_800..<253_402_300_800).contains(seconds) else { return nil }
    self.seconds = seconds
  }

  init?(year: Int, month: Int, day: Int) {
    guard GregorianCalendar.has(year: year, month: month, day: day) else { return nil }
    self.init(
      secondsSince1970: 86_400 * GregorianCalendar.dayNumber(year: year, month: month, day: day))
  }

  var text: String { "\(day) \(Self.two(second / 3600)):\(Self.two(second / 60 % 60)) UTC" }

  var stamp: String {
    "\(day)T\(Self.two(second / 3600)):\(Self.two(second / 60 % 60)):\(Self.two(second % 60))Z"
  }

  private var second: Int { seconds - 86_400 * days }
  var days: Int { (seconds >= 0 ? seconds : seconds - 86_399) / 86_400 }

  private var day: String {
    let (year, month, date) = GregorianCalendar.date(ofDay: days)
    return Digits.padded(year, to: 4) + "-" + Self.two(month) + "-" + Self.two(date)
  }

  private static func two(_ number: Int) -> String { Digits.padded(number, to: 2) }
}
