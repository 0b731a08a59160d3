internal import Cupola

/// The table that `cupola split` writes, with what others added to an earlier one.
///
/// An earlier table is our own when it begins with the columns path, label, split and group, all photos
/// train, test or test_unknown, and all groups are called g and a number.
package struct SplitTable {
  static let columns = ["path", "label", "split", "group"]

  /// Columns of others.
  private var others: [String] = []
  /// Their fields, by the bytes of paths: of two that are equal but for their bytes each has its own.
  private var fields: [[UInt8]: [String]] = [:]

  /// A new table.
  init() {}

  /// A table in place of what stands there, if anything does.
  ///
  /// - Parameter force: replace whatever it is.
  /// - Throws: ``TrainingError/foreignTable(path:)``, ``TrainingError/file(_:)``.
  package init(replacing path: String, force: Bool) throws(TrainingError) {
    guard Directory.exists(path) else { return }
    do throws(TrainingError) {
      let table = try PhotoTable.csv(path)
      guard force || Self.isOwn(table) else { throw TrainingError.foreignTable(path: path) }
      keepOthers(of: table)
    } catch {
      guard case .badTable = error else { throw error }
      if !force { throw .foreignTable(path: path) }
    }
  }

  /// Whether a table may take the place of what stands there without force.
  package static func mayReplace(_ path: String) -> Bool {
    (try? SplitTable(replacing: path, force: false)) != nil
  }

  private static func isOwn(_ table: CSV) -> Bool {
    table.header.starts(with: columns)
      && table.rows.allSatisfy { row in
        [Split.train, .test, .testUnknown].contains { $0.rawValue == row[2] }
          && isNumbered(row[3])
      }
  }

  /// Whether a group is called as `cupola split` calls them: g and a number.
  static func isNumbered(_ group: String) -> Bool {
    group.first == "g" && Int(group.dropFirst()) != nil
  }

  /// What a group of a table of negatives is called beside those of buildings: each table has its own g1.
  static func groupOfNegatives(_ group: String) -> String {
    isNumbered(group) ? "g-" + group.dropFirst() : group
  }

  private mutating func keepOthers(of table: CSV) {
    guard let path = table.column("path") else { return }
    let kept = table.header.indices.filter { !Self.columns.contains(table.header[$0]) }
    others = kept.map { table.header[$0] }
    fields = Dictionary(
      table.rows.map { row in (Array(row[path].utf8), kept.map { row[$0] }) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The table as a file.
  package func text(of split: AutomaticSplit) -> String {
    let none = others.map { _ in "" }
    let rows = split.photos.map { photo in
      [photo.name, photo.label, photo.split?.rawValue ?? "", photo.group ?? ""]
        + (fields[Array(photo.name.utf8)] ?? none)
    }
    return ([Self.columns + others] + rows)
      .map { $0.map(CSV.field).joined(separator: ",") + "\n" }.joined()
  }
}
