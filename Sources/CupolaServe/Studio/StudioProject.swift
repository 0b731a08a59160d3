#if Serve
  internal import Cupola
  internal import CupolaGuide
  internal import CupolaTraining

  // 1. Notice changes of files, also by other programs, and count them as revisions.
  // 2. Describe the project for the page.
  // 3. Move, remove and rename photos with the journal; undo and redo.

  /// A project that pages view and change. All windows see the same state.
  actor StudioProject {
    let folder: StudioFolder
    let program: String
    let threads: Int
    var journal: RenameJournal
    private(set) var index: PhotoIndex
    private(set) var map: StudioMap?
    var findings: StudioFindings?
    var jobs = StudioJobs()
    var adding: JSONObject?
    /// The text about the model, by its version.
    var described: (version: String, text: Task<[UInt8], any Error>)?
    /// The model for trying photos, by its version.
    var tried: (version: String, photos: StillPhotos)?
    /// The process that searches for the nearest training photo, and the number of searches.
    var searching: Int32?
    var searches = 0
    /// Differs between starts, so that pages notice a restart.
    private(set) var revision = Int(LocalTime.secondsSince1970Now)
    /// Changes only with the photos, so that pages do not list them again for each step of a job.
    private var photosRevision = 0
    private var isEnding = false
    private var scanned = ContinuousClock.now
    private var reading: Task<Void, Never>?
    private var lock: FolderLock?

    static let waiting = Duration.seconds(20)
    private static let scanPeriod = Duration.seconds(2)

    init(_ path: String, program: String, threads: Int) throws {
      folder = try StudioFolder(path)
      guard let lock = try FolderLock(folder[".studio"]) else {
        throw StudioProblem("\(path): another Studio uses this folder; close it first", .conflict)
      }
      self.lock = lock
      (self.program, self.threads) = (program, threads)
      journal = try RenameJournal(folder)
      index = PhotoIndex(folder)
      _ = index.update()
      findings = StudioFindings(folder)
      map = StudioMap(folder)
      try jobs.readRuns(folder)
      for name in [".studio", StudioFolder.thumbs, StudioFolder.runs] {
        FileAccess.sweep(folder[name])
      }
      Self.removeOldUploads(in: folder, keeping: journal.paths)
    }

    /// Removes uploads that were never added, except those that undo or redo needs.
    private static func removeOldUploads(in folder: StudioFolder, keeping paths: Set<String>) {
      let kept = Set(paths.map { $0.split(separator: "/").prefix(3).joined(separator: "/") })
      for entry in (try? Directory.allEntries(of: folder[StudioFolder.incoming])) ?? [] {
        let name = StudioFolder.incoming + "/" + entry.name
        if !kept.contains(name) { Directory.removeAll(folder[name]) }
      }
    }

    // MARK: - Revisions

    func noteChange() { revision += 1 }

    /// Responds to pages that wait for a change.
    func stopWaiting() { isEnding = true }

    /// Ends running commands, and unlocks the folder.
    func end() {
      stopWaiting()
      jobs.endAll()
      lock?.release()
      lock = nil
    }

    /// Waits until the revision differs from the page's, but not forever.
    func wait(after known: Int) async {
      let end = ContinuousClock.now + Self.waiting
      while true {
        scan()
        guard revision == known, !isEnding, ContinuousClock.now < end else { return }
        try? await Task.sleep(for: .milliseconds(100))
      }
    }

    /// Lists the files again, unless that was done a moment ago.
    func scan(now: Bool = false, moved: [RenameJournal.Move] = []) {
      guard now || ContinuousClock.now - scanned > Self.scanPeriod else { return }
      if index.update(moved: moved) { notePhotos() }
      if map?.version ?? "0-0" != Directory.version(of: folder[StudioFolder.map]) {
        map = StudioMap(folder)
        revision += 1
      }
      scanned = .now
      readPhotos()
    }

    private func notePhotos() {
      revision += 1
      photosRevision = revision
    }

    /// Reads times and positions in the background, and shows them when all are known.
    private func readPhotos() {
      guard reading == nil, !index.unread.isEmpty else { return }
      let (folder, unread) = (folder, index.unread)
      reading = Task {
        for start in stride(from: 0, to: unread.count, by: 500) {
          let part = Array(unread[start..<min(start + 500, unread.count)])
          let read = await FramePool.shared.run(for: FramePool.Share(), isLong: true) {
            part.map { PhotoIndex.reading($0, in: folder) }
          }
          index.add(read)
          notePhotos()
        }
        reading = nil
      }
    }

    // MARK: - State

    var state: JSONObject {
      let labels = index.labels(on: .photos)
      let kinds = index.labels(on: .negatives)
      let matching = map?.matching(labels)
      return [
        "revision": revision, "photosRevision": photosRevision, "folder": folder.path,
        "labels": labels.map { json(of: $0, matching) },
        "negatives": kinds.map { label -> JSONObject in
          ["label": label, "photos": index.photos(in: label, on: .negatives).count]
        },
        "missing": missing(labels, kinds), "map": map?.json(labels, matching),
        "undo": journal.undoable?.title, "redo": journal.redoable?.title, "adding": adding,
        "job": jobs.json, "runs": jobs.runs, "model": modelJSON, "phone": jobs.phone,
        "exports": Self.formats.filter { folder.exists("exports/\($0)") },
        "findings": findings?.json { index[$0] != nil },
      ]
    }

    var photos: JSONObject {
      [
        "revision": revision,
        "photos": index.sorted.map { item -> [JSONValue] in
          [
            .string(item.path), item.shot?.seconds.map { .integer($0) } ?? .null,
            item.shot?.position.map { .number($0.longitude) } ?? .null,
            item.shot?.position.map { .number($0.latitude) } ?? .null, .string(item.version),
            index.sessions[item.path].map { .integer($0) } ?? .null,
          ]
        },
      ]
    }

    func name(of label: String) -> String { map?.campus?.building(labeled: label)?.name ?? label }

    private func json(of label: String, _ matching: LabelMatching?) -> JSONObject {
      let photos = index.photos(in: label, on: .photos)
      let building = map?.building(label, matching)
      let days = Set(photos.map { $0.shot?.seconds.map { $0 / 86_400 } })
      let isOneDay = days.count == 1 && days.first != .some(nil) && photos.count > 1
      return [
        "label": label, "name": building?.name ?? label, "photos": photos.count,
        "sessions": Set(photos.compactMap { index.sessions[$0.path] }).count,
        "onMap": building != nil,
        "isBackground": Labels.isBackground(label),
        "note": isOneDay && !Labels.isBackground(label) ? "all photos are from one day" : nil,
      ]
    }

    private func missing(_ labels: [String], _ kinds: [String]) -> [String] {
      let backgrounds = labels.filter(Labels.isBackground) + kinds
      var missing = BackgroundKind.missing(from: backgrounds).map(\.title)
      if labels.count == labels.count(where: Labels.isBackground) + 1 {
        missing.insert("photos of a second building", at: 0)
      }
      if map == nil { missing.append("a map with the fence of the campus") }
      return missing
    }

    private var modelJSON: JSONObject? {
      guard folder.exists(StudioFolder.model) else { return nil }
      return [
        "file": StudioFolder.model, "version": Directory.version(of: folder[StudioFolder.model]),
        "labels": jobs.lastRun?["labels"]?.integer, "time": jobs.lastRun?["time"]?.double,
      ]
    }

    // MARK: - Changes

    /// Renames files as one change that can be undone.
    func commit(_ title: String, _ moves: [RenameJournal.Move]) throws {
      let moves = moves + (try PhotoShelf.allCases.flatMap { try movesOfTable(on: $0, moves) })
      try journal.add(title, moves, at: LocalTime.secondsSince1970Now)
      noteMoves(moves)
    }

    /// Replaces a `split.csv` that lists moved photos. A table with errors is kept; the commands report them.
    private func movesOfTable(
      on shelf: PhotoShelf, _ moves: [RenameJournal.Move]
    ) throws -> [RenameJournal.Move] {
      let root = shelf.rawValue
      func name(_ path: String) -> String? {
        path.hasPrefix(root + "/") ? String(path.dropFirst(root.utf8.count + 1)) : nil
      }
      let targets = moves.compactMap { move in name(move.from).map { ($0, name(move.to)) } }
      guard !targets.isEmpty, folder.exists(root + "/split.csv"),
        let table = try? SplitTable.following(
          Dictionary(targets) { _, last in last }, in: folder[root])
      else { return [] }
      return try replacing(root + "/split.csv", by: table)
    }

    /// Writes a new version of a file, and returns the renames that put it in place.
    func replacing(_ name: String, by bytes: [UInt8]) throws -> [RenameJournal.Move] {
      let (new, old) = ("\(newBatch())/\(name)", "\(trashFolder())/\(name)")
      try Directory.createAll(FileAccess.folder(of: folder[new]))
      try FileAccess.write(bytes, to: folder[new])
      return (folder.exists(name) ? [RenameJournal.Move(from: name, to: old)] : [])
        + [RenameJournal.Move(from: new, to: name)]
    }

    /// Undoes or redoes a change, and returns its title.
    func revert(_ step: RenameJournal.Step) throws -> String? {
      guard let entry = try journal.perform(step) else { return nil }
      noteMoves(RenameJournal.moves(of: entry, step))
      return entry.title
    }

    private func noteMoves(_ moves: [RenameJournal.Move]) {
      findings?.follow(moves)
      scan(now: true, moved: moves)
      revision += 1
    }

    /// Carries out `POST /api/change`.
    func change(_ request: JSONValue) throws {
      scan(now: true)
      switch request["op"]?.text {
      case "move":
        let label = try StudioFolder.checkedLabel(request["label"]?.text ?? "")
        try move(try items(request), to: label, on: try shelf(request["kind"]) ?? .photos)
      case "remove": try remove(try items(request))
      case "rename": try rename(request)
      default: throw StudioProblem("op must be move, remove or rename")
      }
    }

    private func shelf(_ name: JSONValue?) throws -> PhotoShelf? {
      guard let text = name?.text else { return nil }
      guard let shelf = PhotoShelf(rawValue: text) else {
        throw StudioProblem("kind must be photos or negatives")
      }
      return shelf
    }

    /// Only listed photos can be changed, so a request cannot name files outside the project.
    private func items(_ request: JSONValue) throws -> [PhotoIndex.Item] {
      let items = try Set(request["photos"]?.elements.compactMap(\.text) ?? []).sorted().map {
        path in
        guard let item = index[path] else {
          throw StudioProblem(
            "\(VisibleText.line(path)): no such photo; reload the page", .missing)
        }
        return item
      }
      guard !items.isEmpty else { throw StudioProblem("choose photos first") }
      return items
    }

    private func move(
      _ items: [PhotoIndex.Item], to label: String, on shelf: PhotoShelf
    ) throws {
      let others = items.filter { $0.label != label || $0.shelf != shelf }
      guard !others.isEmpty else { return }
      let count = FigureText.count(others.count, "photo")
      try commit(
        "Move \(count) to \(name(of: label))", moves(of: others.map(\.path), to: label, on: shelf))
    }

    /// Moves files to the folder of a label, with the folders that they have inside their own label.
    private func moves(
      of paths: [String], to label: String, on shelf: PhotoShelf
    ) -> [RenameJournal.Move] {
      var reserved: Set<String> = []
      return paths.flatMap { path -> [RenameJournal.Move] in
        let rest = path.split(separator: "/").dropFirst(2).joined(separator: "/")
        let target = "\(shelf.rawValue)/\(label)/\(rest)"
        return moves(of: path, to: folder.free(target, reserved: &reserved))
      }
    }

    /// Moves a photo together with the JSON file that Google Takeout wrote next to it.
    func moves(of path: String, to target: String) -> [RenameJournal.Move] {
      let sidecar = path + ".json"
      return [RenameJournal.Move(from: path, to: target)]
        + (folder.exists(sidecar) && !folder.exists(target + ".json")
          ? [RenameJournal.Move(from: sidecar, to: target + ".json")] : [])
    }

    private func remove(_ items: [PhotoIndex.Item]) throws {
      let trash = trashFolder()
      let moves = items.flatMap { self.moves(of: $0.path, to: "\(trash)/\($0.path)") }
      try commit("Remove \(FigureText.count(items.count, "photo"))", moves)
    }

    /// Folders for new and for removed files, which no other change uses.
    func newBatch() -> String { "\(StudioFolder.incoming)/change-\(journal.next)" }
    func trashFolder() -> String { "\(StudioFolder.trash)/\(journal.next)" }

    private func rename(_ request: JSONValue) throws {
      let label = try StudioFolder.checkedLabel(request["label"]?.text ?? "")
      let new = try StudioFolder.checkedLabel(request["to"]?.text ?? "")
      let from = try shelf(request["kind"]) ?? .photos
      let to = try shelf(request["toKind"]) ?? from
      guard label != new || from != to else { return }
      let files = folder.files(below: "\(from.rawValue)/\(label)")
      guard !files.isEmpty else {
        throw StudioProblem("\(label): no such folder; reload the page", .missing)
      }
      let isMerge = folder.exists("\(to.rawValue)/\(new)")
      let sidecars = Set(files.map { $0 + ".json" })
      let title =
        isMerge ? "Merge \(name(of: label)) into \(name(of: new))" : "Rename \(label) to \(new)"
      try commit(title, moves(of: files.filter { !sidecars.contains($0) }, to: new, on: to))
    }
  }
#endif
