internal import Cupola
internal import CupolaCampus

// 1. Convert the rows of a table to photos (`PhotoTable`).
// 2. Check that they are inside the photo folder (`PhotoFolder`).

struct PhotoTable {
  private let path: String
  private let table: CSV
  private let allowOutside: Bool

  static let fileLimit = 64 << 20

  init(path: String, allowOutside: Bool) throws(TrainingError) {
    self.path = path
    self.allowOutside = allowOutside
    table = try Self.csv(path)
  }

  static func csv(_ path: String) throws(TrainingError) -> CSV {
    let bytes: [UInt8]
    do throws(FileError) { bytes = try FileAccess.read(path, limit: fileLimit) } catch {
      guard case .tooLarge(let size, let limit) = error else { throw .file(error) }
      throw .badTable(
        path: path, line: 1,
        problem: "the table has \(size) bytes; the limit is \(limit >> 20) MB")
    }
    return try CSV(bytes, path: path)
  }

  func photos(in root: String) throws(TrainingError) -> [LabeledPhoto] {
    guard let name = table.column("path"), let label = table.column("label"),
      let split = table.column("split")
    else { throw fault(1, "the header must contain path, label and split") }
    let twice = SplitTable.columns.first { column in table.header.count { $0 == column } > 1 }
    if let twice { throw fault(1, "the header contains \(twice) twice; remove one") }
    let group = table.column("group")
    var folder = PhotoFolder(root)
    // Compare bytes, because Swift treats canonically equivalent names as equal.
    var listed: Set<[UInt8]> = []
    var photos: [LabeledPhoto] = []
    for (row, line) in zip(table.rows, table.lines) {
      guard let part = Split(rawValue: row[split].trimmed) else {
        throw fault(
          line, "invalid split \"\(row[split])\"; use train, val, test or test_unknown")
      }
      let building = row[label].trimmed
      guard !building.isEmpty, !row[name].isEmpty else {
        throw fault(line, "missing path or label")
      }
      guard building.utf8.count <= Labels.longest else {
        throw fault(line, "the label has more than \(Labels.longest) bytes; shorten it")
      }
      guard listed.insert(Array(row[name].utf8)).inserted else {
        throw fault(line, "\(row[name]) is listed twice; remove one row")
      }
      guard allowOutside || folder.parts(of: row[name]) != nil else {
        throw fault(
          line,
          "\(row[name]) is outside the photo folder; move it there or use --allow-outside"
        )
      }
      let session = group.map { row[$0].trimmed }.flatMap { $0.isEmpty ? nil : $0 }
      let photo = LabeledPhoto(
        path: folder.file(row[name]), name: row[name], label: building, split: part,
        group: session, attributes: attributes(row), isListed: true)
      guard photo.listedPosition != nil || !photo.attributes.keys.contains(where: Self.isPosition)
      else {
        throw fault(
          line, "invalid position; enter degrees in lat and lon, such as 41.7 and -86.2, or neither"
        )
      }
      photos.append(photo)
    }
    return photos
  }

  private static func isPosition(_ column: String) -> Bool {
    LabeledPhoto.positionColumns.contains(column)
  }

  private func fault(_ line: Int, _ problem: String) -> TrainingError {
    .badTable(path: path, line: line, problem: problem)
  }

  private func attributes(_ row: [String]) -> [String: String] {
    let own: Set = ["path", "label", "split", "group", ""]
    let others = zip(table.header, row).map { ($0, $1.trimmed) }.filter { name, value in
      !own.contains(name) && !value.isEmpty
    }
    return Dictionary(others) { first, _ in first }
  }
}

/// A photo folder; uses only path names to decide which files are inside.
struct PhotoFolder {
  private let root: String
  /// Known path prefixes of the folder; consecutive rows of a table usually have the same prefix.
  private var starts: [String]
  private static let slash = UInt8(ascii: "/")

  init(_ root: String) {
    self.root = root
    starts = [root.utf8.last == Self.slash ? root : root + "/"]
  }

  func file(_ name: String) -> String { name.utf8.first == Self.slash ? name : root + "/" + name }

  /// The path components of a listed file relative to this folder; `nil` if it is outside.
  mutating func parts(of name: String) -> [Substring]? {
    if name.utf8.first != Self.slash, let parts = Self.parts(name[...]) { return parts }
    let file = file(name)
    for start in starts where file.utf8.starts(with: start.utf8) {
      if let parts = Self.parts(Substring(file.utf8.dropFirst(start.utf8.count))) { return parts }
    }
    guard let own = Directory.Identity(of: root) else { return nil }
    for index in file.utf8.indices where file.utf8[index] == Self.slash {
      let next = file.utf8.index(after: index)
      let start = String(file[..<next])
      guard let parts = Self.parts(file[next...]), Directory.Identity(of: start) == own else {
        continue
      }
      starts.append(start)
      return parts
    }
    return nil
  }

  /// The components without `.` and `..`; `nil` if the path leads above its starting folder.
  ///
  /// Splits bytes, because Swift does not find a slash that precedes a combining character.
  private static func parts(_ path: Substring) -> [Substring]? {
    var parts: [Substring] = []
    for part in path.utf8.split(separator: slash).map(Substring.init) where part != "." {
      if part != ".." {
        parts.append(part)
      } else if parts.popLast() == nil {
        return nil
      }
    }
    return parts
  }
}

extension CSV {
  init(_ text: [UInt8], path: String) throws(TrainingError) {
    do throws(Fault) { try self.init(text) } catch {
      throw .badTable(path: path, line: error.line, problem: error.problem)
    }
  }
}

extension String {
  var trimmed: String { CSV.trimmed(self) }
}
