/// Files of one folder that change together, while all others there stay as they are.
///
/// All are written into a hidden folder within it, which is on the same disk whatever is mounted there,
/// and keeps the folder itself, where perhaps somebody works. Then each takes its place, and those that were
/// there move out; when one cannot, all go back.
package struct FolderUpdate {
  /// What gives a file another name.
  package typealias Mover = (_ path: String, _ other: String) throws(FileError) -> Void

  private let folder: String
  private let stage: String
  private let move: Mover

  /// Replaces files of a folder.
  ///
  /// - Parameter files: by their names, without folders.
  /// - Throws: ``FileError``; the files that were there are then there as before.
  package static func replace(
    _ files: [(name: String, bytes: [UInt8])], in folder: String,
    moving move: @escaping Mover = { path, other throws(FileError) in
      try Directory.rename(path, to: other)
    }
  ) throws(FileError) {
    let update = FolderUpdate(folder, move)
    let names = files.map(\.name)
    defer { update.clear(names) }
    try update.write(files)
    try update.swap(names)
  }

  private init(_ folder: String, _ move: @escaping Mover) {
    (self.folder, self.move) = (folder, move)
    stage = folder + "/.part-" + String(UInt64.random(in: 0...UInt64.max), radix: 16)
  }

  private func place(_ name: String) -> String { folder + "/" + name }
  private func new(_ name: String) -> String { stage + "/new/" + name }
  private func old(_ name: String) -> String { stage + "/old/" + name }
  private var parts: [String] { [stage, stage + "/new", stage + "/old"] }

  private func write(_ files: [(name: String, bytes: [UInt8])]) throws(FileError) {
    // What is no file there is refused before anything changes.
    for file in files { try FileAccess.checkFolder(of: place(file.name)) }
    for path in parts { try Directory.create(path) }
    for file in files { try FileAccess.write(file.bytes, to: new(file.name)) }
  }

  private func swap(_ names: [String]) throws(FileError) {
    var begun: [(name: String, wasThere: Bool)] = []
    do throws(FileError) {
      for name in names {
        let wasThere = Directory.exists(place(name))
        if wasThere { try move(place(name), old(name)) }
        begun.append((name, wasThere))
        try move(new(name), place(name))
      }
    } catch {
      for (name, wasThere) in begun {
        if wasThere {
          try? move(old(name), place(name))
        } else {
          Directory.remove(place(name))
        }
      }
      throw error
    }
  }

  /// Removes what is ours alone.
  private func clear(_ names: [String]) {
    for name in names {
      Directory.remove(new(name))
      Directory.remove(old(name))
    }
    for path in parts.reversed() { Directory.remove(path) }
  }
}
