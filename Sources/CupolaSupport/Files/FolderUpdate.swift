/// Files of one folder that change together, while all others there stay as they are.
///
/// All are written into a hidden folder within it, which is on the same disk whatever is mounted there,
/// and keeps the folder itself, where perhaps somebody works. Then each takes its place, and those that were
/// there move out; when one cannot, all go back.
package struct FolderUpdate {
  /// What gives a file another name.
  package typealias Mover = (_ path: String, _ other: String) throws(FileError) -> Void

  private let folder: String
  private let stage: StagingFolder
  private let move: Mover

  /// What makes the bytes of a file, which are not all there at once, and adds them by the function it is given.
  package typealias Maker = (_ add: ([UInt8]) throws(FileError) -> Void) throws(FileError) -> Void

  /// A file that is made while it is written.
  package struct File {
    /// Its name, without folders.
    let name: String
    let make: Maker

    package init(_ name: String, make: @escaping Maker) { (self.name, self.make) = (name, make) }

    package init(_ name: String, _ bytes: [UInt8]) {
      self.init(name) { add throws(FileError) in try add(bytes) }
    }
  }

  /// Replaces files of a folder.
  ///
  /// - Parameter files: by their names, without folders.
  /// - Throws: ``FileError``; the files that were there are then there as before.
  package static func replace(
    _ files: [(name: String, bytes: [UInt8])], in folder: String,
    moving move: @escaping Mover = Directory.rename
  ) throws(FileError) {
    try replace(files.map { File($0.name, $0.bytes) }, in: folder, moving: move)
  }

  /// The same of files that are made while they are written.
  package static func replace(
    _ files: [File], in folder: String,
    moving move: @escaping Mover = Directory.rename
  ) throws(FileError) {
    // What is no file there is refused before anything changes.
    for file in files { try FileAccess.checkFolder(of: folder + "/" + file.name) }
    StagingFolder.removeDead(prefix: folder + prefix) { rescue($0, for: folder) }
    let update = try FolderUpdate(folder, move)
    defer { update.stage.remove() }
    try update.write(files)
    try update.swap(files.map(\.name))
  }

  private static let prefix = "/.part-"

  /// Where a file of a folder may stand: in its place, or set aside by somebody who was killed between both moves.
  package static func places(of name: String, in folder: String) -> [String] {
    let stages = Directory.hiddenFolders(in: folder).filter { ("/" + $0).hasPrefix(prefix) }
    return ["\(folder)/\(name)"] + stages.map { "\(folder)/\($0)/old/\(name)" }
  }

  private init(_ folder: String, _ move: @escaping Mover) throws(FileError) {
    (self.folder, self.move) = (folder, move)
    stage = try FileError.naming(folder) { () throws(FileError) in
      try StagingFolder(prefix: folder + Self.prefix)
    }
  }

  /// Brings back files whose place is empty because somebody was killed between both moves.
  private static func rescue(_ stage: String, for folder: String) {
    for entry in (try? Directory.entries(of: stage + "/old")) ?? [] {
      let place = folder + "/" + entry.name
      if !Directory.exists(place) { try? Directory.rename(stage + "/old/" + entry.name, to: place) }
    }
  }

  private func place(_ name: String) -> String { folder + "/" + name }
  private func new(_ name: String) -> String { stage.path + "/new/" + name }
  private func old(_ name: String) -> String { stage.path + "/old/" + name }

  private func write(_ files: [File]) throws(FileError) {
    try FileError.naming(folder) { () throws(FileError) in
      for part in ["/new", "/old"] { try Directory.create(stage.path + part) }
    }
    for file in files {
      try FileError.naming(place(file.name)) { () throws(FileError) in
        try FileAccess.write(to: new(file.name), make: file.make)
      }
    }
  }

  private func swap(_ names: [String]) throws(FileError) {
    var begun: [(name: String, wasThere: Bool)] = []
    do throws(FileError) {
      for name in names {
        let wasThere = Directory.exists(place(name))
        try FileError.naming(place(name)) { () throws(FileError) in
          if wasThere { try move(place(name), old(name)) }
          begun.append((name, wasThere))
          try move(new(name), place(name))
        }
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
}
