#if Serve
  internal import CupolaCampus
  internal import CupolaTraining

  // 1. Append an entry to the journal and sync it. Then rename the files in order, and append that it is done.
  // 2. Undo an entry by renaming in reverse order; redo it likewise.
  // 3. When the journal is opened, complete the entry that a killed server left unfinished.

  /// The changes of a project. Each one is a list of renames inside the project folder, so it can be undone.
  struct RenameJournal: Sendable {
    struct Entry: Equatable, Sendable {
      let number: Int
      let time: Double
      let title: String
      let moves: [Move]
    }

    /// A file that is renamed; both paths are relative to the project.
    struct Move: Equatable, Sendable {
      let from: String
      let to: String

      var reversed: Move { Move(from: to, to: from) }
    }

    enum Step: String, CaseIterable {
      case undo, redo
      fileprivate var end: String { self == .undo ? "undone" : "redone" }
    }

    private let folder: StudioFolder
    private var entries: [Int: Entry] = [:]
    private var done: [Int] = []
    private var undone: [Int] = []
    /// An entry whose renames are not complete, because one of them failed.
    private var pending: (entry: Entry, step: Step?)?

    static let name = ".studio/journal.jsonl"
    private var path: String { folder[Self.name] }

    var undoable: Entry? { done.last.flatMap { entries[$0] } }
    var redoable: Entry? { undone.last.flatMap { entries[$0] } }
    /// The number of the next change.
    var next: Int { (entries.keys.max() ?? 0) + 1 }
    /// Files in `.studio/incoming/` and `.studio/trash/` that an undo or redo may need.
    var paths: Set<String> {
      Set(entries.values.flatMap { $0.moves.flatMap { [$0.from, $0.to] } })
    }

    /// Reads the journal, and completes its last entry if necessary.
    init(_ folder: StudioFolder) throws {
      self.folder = folder
      guard folder.exists(Self.name) else {
        try FileAccess.create([], at: path)
        return
      }
      let bytes = try FileAccess.read(path)
      let end = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
      // No file was renamed before the whole line was on the disk.
      if end < bytes.count { try FileAccess.write(Array(bytes[..<end]), to: path) }
      for (index, line) in bytes[..<end].split(separator: 0x0A).enumerated() {
        guard let value = try? JSONReader.value(of: Array(line)), case .object(let line) = value
        else {
          throw StudioProblem(
            "\(path): line \(index + 1) is damaged; restore the file", .failed)
        }
        read(line)
      }
      try finish()
    }

    private mutating func read(_ line: [String: JSONValue]) {
      if let entry = Entry(line) {
        entries[entry.number] = entry
        pending = (entry, nil)
        return
      }
      for step in Step.allCases {
        if let number = line[step.rawValue]?.integer, let entry = entries[number] {
          pending = (entry, step)
          return
        }
      }
      if let pending { note(pending.entry, pending.step) }
    }

    private mutating func finish() throws {
      if let pending { try complete(pending.entry, pending.step) }
    }

    private mutating func note(_ entry: Entry, _ step: Step?) {
      pending = nil
      switch step {
      case nil:
        done.append(entry.number)
        undone = []
      case .undo:
        _ = done.popLast()
        undone.append(entry.number)
      case .redo:
        _ = undone.popLast()
        done.append(entry.number)
      }
    }

    // MARK: - Changes

    /// Renames files as one change.
    ///
    /// - Throws: ``StudioProblem`` if a file is missing or would be replaced, in which case nothing has changed.
    mutating func add(_ title: String, _ moves: [Move], at time: Double) throws {
      try finish()
      let number = next
      let entry = Entry(number: number, time: time, title: title, moves: moves)
      try check(moves)
      try append(entry.json)
      entries[number] = entry
      pending = (entry, nil)
      try complete(entry, nil)
    }

    /// Returns the change that was undone or redone; `nil` if there is none.
    mutating func perform(_ step: Step) throws -> Entry? {
      try finish()
      guard let entry = step == .undo ? undoable : redoable else { return nil }
      try check(Self.moves(of: entry, step))
      try append([step.rawValue: entry.number])
      pending = (entry, step)
      try complete(entry, step)
      return entry
    }

    static func moves(of entry: Entry, _ step: Step?) -> [Move] {
      step == .undo ? entry.moves.reversed().map(\.reversed) : entry.moves
    }

    /// Checks in advance that no file is missing or would be replaced, also after the earlier renames.
    private func check(_ moves: [Move]) throws(StudioProblem) {
      var now: [String: Bool] = [:]
      for move in moves {
        guard now[move.from] ?? folder.exists(move.from) else {
          throw StudioProblem("\(move.from): missing; it was moved by another program", .conflict)
        }
        guard !(now[move.to] ?? folder.exists(move.to)) else {
          throw StudioProblem("\(move.to): exists; move it away first", .conflict)
        }
        (now[move.from], now[move.to]) = (false, true)
      }
    }

    /// Runs the renames of an entry whose line is in the journal, except those that were done before.
    private mutating func complete(_ entry: Entry, _ step: Step?) throws {
      let moves = Self.moves(of: entry, step)
      for move in moves {
        // The target was free when the line was written, so it exists only if the rename has happened.
        guard !folder.exists(move.to), folder.exists(move.from) else { continue }
        try Directory.createAll(FileAccess.folder(of: folder[move.to]))
        try Directory.rename(folder[move.from], to: folder[move.to])
      }
      removeEmptyFolders(of: moves)
      try append([step?.end ?? "done": entry.number])
      note(entry, step)
    }

    /// Removes the folders that the renames have emptied, but not `photos` itself.
    private func removeEmptyFolders(of moves: [Move]) {
      for name in Set(moves.map { FileAccess.folder(of: $0.from) }) {
        var parts = name.split(separator: "/")
        while parts.count > 1, parts[0] != ".studio" || parts.count > 2 {
          let path = folder[parts.joined(separator: "/")]
          // Fails if the folder is not empty.
          if Directory.isDirectory(path), !Directory.isLink(path) { Directory.remove(path) }
          parts.removeLast()
        }
      }
    }

    private func append(_ line: JSONObject) throws {
      try FileAccess.appendAll(line.line + [0x0A], to: path)
    }
  }

  extension RenameJournal.Entry {
    var json: JSONObject {
      ["entry": number, "time": time, "title": title, "moves": moves.map { [$0.from, $0.to] }]
    }

    fileprivate init?(_ line: [String: JSONValue]) {
      guard let number = line["entry"]?.integer, let title = line["title"]?.text,
        let pairs = line["moves"]?.elements.map({ $0.elements.compactMap(\.text) })
      else { return nil }
      let moves = pairs.filter { $0.count == 2 }.map { RenameJournal.Move(from: $0[0], to: $0[1]) }
      self.init(number: number, time: line["time"]?.double ?? 0, title: title, moves: moves)
    }
  }

  extension JSONValue {
    var integer: Int? {
      if case .integer(let number) = self { number } else { nil }
    }

    subscript(key: String) -> JSONValue? {
      if case .object(let members) = self { members[key] } else { nil }
    }

    var elements: [JSONValue] {
      if case .array(let elements) = self { elements } else { [] }
    }
  }
#endif
