#if Serve
  import CupolaTestSupport
  import Foundation
  import Testing

  @testable import CupolaServe

  /// Changes as lists of renames, with undo, redo and recovery.
  @Suite("Studio journal")
  struct StudioJournalTests {
    private let temporary: TemporaryFolder
    private let folder: StudioFolder

    private static let moves = [
      RenameJournal.Move(from: "photos/a/1.jpg", to: "photos/b/1-2.jpg"),
      RenameJournal.Move(from: "photos/a/2.jpg", to: "photos/c/2.jpg"),
      RenameJournal.Move(from: "campus.geojson", to: ".studio/trash/1/campus.geojson"),
      RenameJournal.Move(from: ".studio/incoming/x/campus.geojson", to: "campus.geojson"),
    ]

    init() throws {
      temporary = try TemporaryFolder()
      folder = try StudioFolder(temporary.path)
    }

    private func fill() throws {
      for name in ["a/1", "a/2", "b/1"] { try temporary.write(name, to: "photos/\(name).jpg") }
      try temporary.write("old", to: "campus.geojson")
      try temporary.write("new", to: ".studio/incoming/x/campus.geojson")
    }

    /// All files except the journal.
    private func files() throws -> [String: Data] {
      try temporary.contents().filter { $0.key != RenameJournal.name }
    }

    @Test("Undo and redo restore all files, also after a restart")
    func undo() throws {
      try fill()
      let before = try files()
      var journal = try RenameJournal(folder)
      try journal.add("Move", Self.moves, at: 1)
      let after = try files()
      #expect(after["photos/b/1-2.jpg"] == Data("a/1".utf8))
      #expect(after["campus.geojson"] == Data("new".utf8))
      #expect(!temporary.path("photos/a").isFolder)
      journal = try RenameJournal(folder)
      #expect(journal.undoable?.title == "Move" && journal.redoable == nil)
      #expect(try journal.perform(.undo)?.title == "Move")
      #expect(try files() == before)
      journal = try RenameJournal(folder)
      #expect(journal.undoable == nil && journal.redoable?.title == "Move")
      #expect(try journal.perform(.redo)?.title == "Move")
      #expect(try files() == after)
      #expect(try journal.perform(.redo) == nil)
    }

    @Test("A change that would replace a file or lacks one changes nothing")
    func refusal() throws {
      try fill()
      let before = try files()
      var journal = try RenameJournal(folder)
      for move in [
        RenameJournal.Move(from: "photos/a/2.jpg", to: "photos/b/1.jpg"),
        RenameJournal.Move(from: "photos/a/3.jpg", to: "photos/b/3.jpg"),
      ] {
        #expect(throws: StudioProblem.self) {
          try journal.add("Bad", [Self.moves[0], move], at: 1)
        }
      }
      #expect(try files() == before)
      #expect(try temporary.bytes(RenameJournal.name).isEmpty)
    }

    @Test("A kill at any rename is completed by the next start", arguments: 0...4)
    func kills(done: Int) throws {
      try fill()
      let before = try files()
      var journal = try RenameJournal(folder)
      try journal.add("Move", Self.moves, at: 1)
      let after = try files()
      let lines = try temporary.bytes(RenameJournal.name).split(separator: 0x0A)
      #expect(lines.count == 2)
      // The state after some of the renames.
      _ = try journal.perform(.undo)
      try temporary.write(Array(lines[0]) + [0x0A], to: RenameJournal.name)
      try rename(Self.moves.prefix(done))
      journal = try RenameJournal(folder)
      #expect(try files() == after)
      #expect(journal.undoable?.title == "Move")
      // The same for undo.
      let undo = Self.moves.reversed().map(\.reversed)
      try temporary.write(
        try temporary.bytes(RenameJournal.name) + Array(#"{"undo":1}"#.utf8) + [0x0A],
        to: RenameJournal.name)
      try rename(undo.prefix(done))
      journal = try RenameJournal(folder)
      #expect(try files() == before)
      #expect(journal.undoable == nil && journal.redoable?.title == "Move")
    }

    private func rename(_ moves: some Sequence<RenameJournal.Move>) throws {
      for move in moves {
        let target = URL(filePath: folder[move.to])
        try FileManager.default.createDirectory(
          at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.moveItem(at: URL(filePath: folder[move.from]), to: target)
      }
    }

    @Test("A line that was cut by a kill is dropped, because nothing was renamed yet")
    func cuts() throws {
      try fill()
      let before = try files()
      var journal = try RenameJournal(folder)
      try journal.add("Move", Self.moves, at: 1)
      let line = try temporary.bytes(RenameJournal.name).prefix { $0 != 0x0A }
      _ = try journal.perform(.undo)
      for count in stride(from: 1, through: line.count, by: 23) {
        try temporary.write(Array(line.prefix(count)), to: RenameJournal.name)
        journal = try RenameJournal(folder)
        #expect(journal.undoable == nil && journal.redoable == nil)
        #expect(try files() == before)
        #expect(try temporary.bytes(RenameJournal.name).isEmpty)
      }
      try temporary.write("{}x\n", to: RenameJournal.name)
      #expect(throws: StudioProblem.self) { _ = try RenameJournal(folder) }
    }
  }

  extension String {
    fileprivate var isFolder: Bool {
      (try? FileManager.default.attributesOfItem(atPath: self)[.type] as? FileAttributeType)
        == .typeDirectory
    }
  }
#endif
