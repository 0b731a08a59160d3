#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

internal import Cupola
internal import CupolaCampus

// The figures of run after run, a row each in history.csv.
// 1. The table is read and checked; 2. a run is added; 3. rows are appended under a lock.
// UTCDate writes dates in universal time.

package struct EvaluationHistory: Sendable {
  struct Run: Equatable, Sendable {
    let date: String
    let modelDigest: String
    let dataDigest: String
    /// By the names of ``figures``; those without photos to tell them by are not there.
    let figures: [String: Double]
  }

  package let path: String
  private(set) var runs: [Run]
  /// Those of ``runs`` that are not in the table yet.
  private var added: [Run] = []

  static let figures = [
    "photos", "top1", "fused", "coverage", "risk", "ece", "brier", "auroc", "final_auroc",
    "unknown_buildings_auroc", "unknown_buildings_final_auroc", "unknown_named",
  ]
  private static let header = ["date", "model_sha256", "photos_sha256"] + figures
  private static let fileLimit = 64 << 20

  /// Reads the table of a folder, which is made where it is not there; without a table there were no runs.
  ///
  /// - Throws: ``TrainingError/badTable(path:line:problem:)`` for another table, which is never written over.
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
      throw bad(1, "it is no history of cupola evaluate; name another folder with --history")
    }
    guard bytes.last == UInt8(ascii: "\n") else {
      let problem = "the end of the history is missing; mend it or name another folder"
      throw bad(table.lines.last, problem)
    }
    var runs: [Run] = []
    for (row, line) in zip(table.rows, table.lines) {
      var figures: [String: Double] = [:]
      for (name, field) in zip(Self.figures, row.dropFirst(3)) where !field.isEmpty {
        guard let value = Double(field), value.isFinite else {
          throw bad(line, "\(name) is no number; mend the history or name another folder")
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

  /// Appends the new runs to those that the table has by now: others may have written since it was read.
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

  /// Seconds since the beginning of 1970; what is before the year 1 or after 9999 is no date.
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
