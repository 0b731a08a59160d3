internal import Cupola

// 1. Find the rows of a split table whose photos are missing (`Directory.isMissing`).
// 2. Let a row follow its photo to the only new file with the same name.
// 3. Remove the other rows, unless most photos are missing.

/// The rows of a split table whose photos were moved or deleted.
package struct MissingPhotos: Equatable, Sendable {
  /// The old names of moved photos by their new names; names are bytes, to distinguish canonically equivalent ones.
  private(set) var moved: [[UInt8]: [UInt8]] = [:]
  /// The number of removed rows.
  package private(set) var removed = 0

  init() {}

  /// Moves or removes the rows of missing photos.
  ///
  /// - Parameters:
  ///   - listed: The photos in the table; the missing ones are removed.
  ///   - others: The photos in the folder that the table does not list.
  ///   - root: The photo folder. Photos elsewhere are kept, because they may be on a disk that is not connected.
  /// - Throws: ``TrainingError/nothingFound(_:)`` if most photos are missing, as in a wrong folder.
  init(
    _ listed: inout [LabeledPhoto], _ others: inout [LabeledPhoto], in root: String
  ) throws(TrainingError) {
    var folder = PhotoFolder(root)
    let missing = listed.filter { photo in
      folder.parts(of: photo.name) != nil && Self.isMissing(photo.path)
    }
    let files = Dictionary(grouping: others.indices) { Self.file(of: others[$0].name) }
    for (file, rows) in Dictionary(grouping: missing, by: { Self.file(of: $0.name) }) {
      guard rows.count == 1, let row = rows.first, let new = files[file], new.count == 1,
        let index = new.first
      else { continue }
      others[index].follow(row)
      moved[Array(others[index].name.utf8)] = Array(row.name.utf8)
    }
    removed = missing.count - moved.count
    guard 2 * removed <= listed.count else {
      throw .nothingFound(
        "\(root): \(removed) of \(listed.count) photos in the table are missing; check the folder, or delete the table "
          + "to split again")
    }
    let names = Set(missing.map { Array($0.name.utf8) })
    listed.removeAll { names.contains(Array($0.name.utf8)) }
  }

  /// The changes in one line; `nil` if there are none.
  package var text: String? {
    let changes = [
      moved.isEmpty ? nil : "\(FigureText.count(moved.count, "row")) updated for moved photos",
      removed == 0 ? nil : "\(FigureText.count(removed, "row")) of missing photos removed",
    ].compactMap(\.self)
    return changes.isEmpty ? nil : changes.joined(separator: "; ")
  }

  /// Whether a photo is neither at a path nor in iCloud.
  private static func isMissing(_ path: String) -> Bool {
    let name = FileAccess.name(of: path)
    let placeholder = "\(path[..<name.startIndex]).\(name)\(HiddenFile.cloud)"
    return Directory.isMissing(path) && Directory.isMissing(placeholder)
  }

  /// The bytes of a photo's file name.
  private static func file(of name: String) -> [UInt8] { Array(FileAccess.name(of: name).utf8) }
}

extension LabeledPhoto {
  /// Takes the split, the session and the columns of the row of a moved photo.
  ///
  /// Numbered groups are determined again, because they may depend on the label.
  fileprivate mutating func follow(_ row: LabeledPhoto) {
    if split == nil, row.split != .testUnknown { split = row.split }
    (group, attributes, isListed) = (row.namedSession, row.attributes, true)
  }
}
