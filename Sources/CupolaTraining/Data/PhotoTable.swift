internal import Cupola

/// A table of photos, such as `split.csv`: `path,label,split[,group]` and columns of others.
struct PhotoTable {
  private let path: String
  private let table: CSV
  private let allowOutside: Bool

  /// Far more than a line for each of a million photos.
  static let fileLimit = 64 << 20

  /// Reads a table.
  ///
  /// - Throws: ``TrainingError/badTable(path:line:problem:)``, ``TrainingError/file(_:)``.
  init(path: String, allowOutside: Bool) throws(TrainingError) {
    self.path = path
    self.allowOutside = allowOutside
    table = try Self.csv(path)
  }

  /// The fields of a table that is not too large.
  static func csv(_ path: String) throws(TrainingError) -> CSV {
    let bytes: [UInt8]
    do throws(FileError) { bytes = try FileAccess.read(path, limit: fileLimit) } catch {
      guard case .tooLarge(let size, let limit) = error else { throw .file(error) }
      throw .badTable(
        path: path, line: 1,
        problem: "\(size) bytes, more than the \(limit >> 20) MB that a table of photos may have")
    }
    return try CSV(bytes, path: path)
  }

  /// The photos that it lists, in its order.
  ///
  /// - Throws: ``TrainingError/badTable(path:line:problem:)``.
  func photos(in root: String) throws(TrainingError) -> [LabeledPhoto] {
    guard let name = table.column("path"), let label = table.column("label"),
      let split = table.column("split")
    else { throw fault(1, "the header, its first line, must have path, label and split") }
    // Joined tables have both tables' columns: which is right nobody here knows.
    let twice = SplitTable.columns.first { column in table.header.count { $0 == column } > 1 }
    if let twice { throw fault(1, "the header has \(twice) twice; leave one out") }
    let group = table.column("group")
    var folder = PhotoFolder(root)
    // Bytes: two files may have names that Swift takes to be equal, é as one character and as two.
    var listed: Set<[UInt8]> = []
    var photos: [LabeledPhoto] = []
    for (row, line) in zip(table.rows, table.lines) {
      guard let part = Split(rawValue: row[split].trimmed) else {
        throw fault(
          line, "split is \"\(row[split])\"; it can be train, val, test or test_unknown")
      }
      let building = row[label].trimmed
      guard !building.isEmpty, !row[name].isEmpty else { throw fault(line, "no path or no label") }
      guard listed.insert(Array(row[name].utf8)).inserted else {
        throw fault(line, "\(row[name]) is listed a second time")
      }
      guard allowOutside || folder.parts(of: row[name]) != nil else {
        throw fault(
          line,
          "\(row[name]) lies outside of the folder of photos; move it there, or add --allow-outside"
        )
      }
      let session = group.map { row[$0].trimmed }.flatMap { $0.isEmpty ? nil : $0 }
      photos.append(
        LabeledPhoto(
          path: folder.file(row[name]), name: row[name], label: building, split: part,
          group: session, attributes: attributes(row), isListed: true))
    }
    return photos
  }

  private func fault(_ line: Int, _ problem: String) -> TrainingError {
    .badTable(path: path, line: line, problem: problem)
  }

  /// The columns that Cupola gives no meaning to.
  private func attributes(_ row: [String]) -> [String: String] {
    let own: Set = ["path", "label", "split", "group", ""]
    let others = zip(table.header, row).map { ($0, $1.trimmed) }.filter { name, value in
      !own.contains(name) && !value.isEmpty
    }
    return Dictionary(others) { first, _ in first }
  }
}
