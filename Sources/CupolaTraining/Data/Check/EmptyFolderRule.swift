internal import Cupola

/// Folders beside those of the labels in which no photo is: somebody meant to take some.
enum EmptyFolderRule: CheckRule {
  static func findings(in material: CheckMaterial) -> [CheckFinding] {
    let root = material.set.root
    let used = Set(
      material.set.photos.flatMap { photo in
        let folders = photo.name.split(separator: "/").dropLast()
        return [folders.prefix(1), folders.prefix(2)].map { $0.joined(separator: "/") }
      })
    let empty = folders(in: root, below: "").flatMap { name in
      Split(rawValue: name.lowercased()) == nil ? [name] : folders(in: root, below: name + "/")
    }.filter { !used.contains($0) && isEmpty(root + "/" + $0) }
    return finding(
      .emptyFolder, empty.map { CheckFinding.Item($0) }, { "\($0) without photos" },
      advice: "add photos, or remove the folder: it becomes no label",
      noun: "folder")
  }

  private static func folders(in root: String, below folder: String) -> [String] {
    ((try? Directory.entries(of: root + "/" + folder)) ?? []).filter(\.isDirectory)
      .map { folder + $0.name }
  }

  /// Whether no photo is in a folder or below it; what cannot be read may have some.
  private static func isEmpty(_ path: String) -> Bool {
    guard let entries = try? Directory.entries(of: path) else { return false }
    return FolderWalk.steps(in: path, entries: entries).allSatisfy { step in
      step.kind == .file && !PhotoSet.looksLikePhoto(String(step.lastName))
    }
  }
}
