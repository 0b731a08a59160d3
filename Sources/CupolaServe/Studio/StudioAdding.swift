#if Serve
  internal import Cupola
  internal import CupolaTraining

  // 1. Store uploads in a batch, under the paths that they have on the visitor's computer.
  // 2. Convert a batch with `cupola import`, in a child process.
  // 3. Choose a folder for each photo, and add them as one change. Report each file that is not added.

  extension StudioProject {
    static let mostUploadBytes = 64 << 20
    /// The number of bytes that must stay free on the disk.
    private static let freeBytes = 256_000_000

    nonisolated func upload(_ bytes: [UInt8], batch: String?, name: String?) throws {
      guard let batch, StudioFolder.isBatch(batch), !batch.hasPrefix("change") else {
        throw StudioProblem("batch must be 1 to 64 letters, digits and hyphens")
      }
      let name = try StudioFolder.checkedPath(name ?? "")
      guard Directory.freeBytes(in: folder.path).map({ $0 - bytes.count > Self.freeBytes }) ?? true
      else { throw StudioProblem("the disk is almost full; free some space", .full) }
      let path = folder["\(StudioFolder.incoming)/\(batch)/\(name)"]
      do throws(FileError) {
        try Directory.createAll(FileAccess.folder(of: path))
        try FileAccess.write(bytes, to: path, synced: false)
      } catch { throw StudioProblem("\(name): \(error.problem)", .failed) }
    }

    /// Carries out `POST /api/add`.
    func add(_ request: JSONValue) async throws -> JSONObject {
      let shelf = PhotoShelf(rawValue: request["kind"]?.text ?? "photos") ?? .photos
      guard let batch = request["batch"]?.text, StudioFolder.isBatch(batch) else {
        throw StudioProblem("batch must be 1 to 64 letters, digits and hyphens")
      }
      let label = try request["label"]?.text.map { label throws(StudioProblem) in
        try StudioFolder.checkedLabel(label)
      }
      let source = StudioFolder.incoming + "/" + batch
      let names = folder.files(below: source).map { String($0.dropFirst(source.utf8.count + 1)) }
      guard !names.isEmpty else { throw StudioProblem("drop photos first", .missing) }
      guard adding == nil else {
        throw StudioProblem("photos are being added in another window; wait for it", .conflict)
      }
      adding = ["done": 0, "of": names.count]
      noteChange()
      defer {
        adding = nil
        noteChange()
      }
      // Converted photos stay in this folder until they are added, and return to it by undo.
      let target = newBatch() + "-photos"
      var problems = names.filter { !PhotoSet.looksLikePhoto($0.split(separator: "/").last ?? "") }
        .filter { !$0.hasSuffix(".json") }
        .map { Problem(name: $0, message: Self.message(about: $0)) }
      problems += try await convert(source, to: target)
      Directory.removeAll(folder[source])
      return try add(filesIn: target, label, shelf, problems)
    }

    struct Problem {
      let name: String
      let message: String
      var json: JSONObject { ["name": name, "message": message] }
    }

    private static func message(about name: String) -> String {
      if let format = RawPhoto.format(ofFile: name) {
        return "raw photo (\(format)); export it as JPEG with a photo program"
      }
      return IgnoredFiles.isVideo(name) ? "a video, not a photo; skipped" : "not a photo; skipped"
    }

    private func convert(_ source: String, to target: String) async throws -> [Problem] {
      let report: JSONValue?
      do {
        report = try await runChild(
          ["import", folder[source], "-o", folder[target], "--json"], named: "import", [0, 1, 65]
        ) { lines, _ in
          for line in lines {
            var job = StudioJobs.Job(id: 0, kind: "import")
            job.read(line)
            guard let of = job.of else { continue }
            adding = ["done": job.done, "of": of]
            noteChange()
          }
        }
      } catch let problem as StudioProblem where problem.message.contains("no photos") {
        return []
      }
      let prefix = folder[source] + "/"
      let lines = ["failed", "incomplete"].flatMap {
        report?[$0]?.elements.compactMap(\.text) ?? []
      }
      return lines.map { line in
        let rest = line.hasPrefix(prefix) ? String(line.dropFirst(prefix.count)) : line
        let parts = rest.split(separator: ": ", maxSplits: 1).map(String.init)
        return parts.count == 2
          ? Problem(name: parts[0], message: parts[1]) : Problem(name: "", message: rest)
      }
    }

    // MARK: - Folders

    private func add(
      filesIn target: String, _ label: String?, _ shelf: PhotoShelf, _ problems: [Problem]
    ) throws -> JSONObject {
      scan(now: true)
      let photos = folder.files(below: target).filter {
        PhotoSet.looksLikePhoto($0.split(separator: "/").last ?? "")
      }
      let names = photos.map { String($0.dropFirst(target.utf8.count + 1)) }
      let folders = Self.labels(of: names)
      var problems = problems
      var known = KnownPhotos(index.sorted, in: folder)
      var reserved: Set<String> = []
      var moves: [RenameJournal.Move] = []
      var added = 0
      var labels: Set<String> = []
      for (name, path) in zip(names, photos) {
        if let other = known.sameFile(as: path) {
          problems.append(Problem(name: name, message: "identical to \(other); not added"))
          continue
        }
        let chosen = label ?? folders[name] ?? StudioFolder.unsorted
        let file = name.split(separator: "/").last.map(String.init) ?? name
        let place = folder.free("\(shelf.rawValue)/\(chosen)/\(file)", reserved: &reserved)
        moves += self.moves(of: path, to: place)
        known.add(path, at: place)
        labels.insert(chosen)
        added += 1
      }
      if added > 0 {
        let place = labels.count == 1 ? " to \(self.name(of: labels.first ?? ""))" : ""
        try commit("Add \(FigureText.count(added, "photo"))" + place, moves)
      }
      Directory.removeAll(folder[target])
      return ["added": added, "problems": problems.map(\.json)]
    }

    /// Chooses the label of each photo by its folders: the first one below the folder that contains all photos.
    static func labels(of names: [String]) -> [String: String] {
      let folders = names.map { $0.split(separator: "/").dropLast().map(String.init) }
      var depth = 0
      // A common folder is the label only if it contains photos directly.
      while let first = folders.first, first.count > depth + 1,
        folders.allSatisfy({ $0.count > depth + 1 && $0[depth] == first[depth] })
      { depth += 1 }
      var labels: [String: String] = [:]
      for (name, parts) in zip(names, folders) {
        let label = parts.dropFirst(depth).first { !["train", "val", "test"].contains($0) }
        guard let label, !isOfCamera(label), (try? StudioFolder.checkedLabel(label)) != nil else {
          continue
        }
        labels[name] = label
      }
      return labels
    }

    /// Whether a camera or a photo service named the folder, such as `100APPLE` or `Photos from 2024`.
    private static func isOfCamera(_ folder: String) -> Bool {
      let name = folder.utf8
      return ["DCIM", "Camera"].contains(folder) || folder.hasPrefix("Photos from ")
        || name.count == 8 && name.prefix(3).allSatisfy(Digits.isDigit)
          && name.dropFirst(3).allSatisfy {
            (0x41...0x5A).contains($0) || Digits.isDigit($0) || $0 == 0x5F
          }
    }
  }

  /// Finds photos whose bytes are already in the project. Only files of equal size are read.
  private struct KnownPhotos {
    private var bySize: [Int: [(place: String, path: String)]] = [:]
    private let folder: StudioFolder

    init(_ items: [PhotoIndex.Item], in folder: StudioFolder) {
      self.folder = folder
      for item in items { bySize[item.bytes, default: []].append((item.path, item.path)) }
    }

    func sameFile(as path: String) -> String? {
      guard let size = try? FileAccess.size(of: folder[path]), let others = bySize[size],
        let bytes = try? FileAccess.read(folder[path])
      else { return nil }
      return others.first { (try? FileAccess.read(folder[$0.path])) == bytes }?.place
    }

    mutating func add(_ path: String, at place: String) {
      guard let size = try? FileAccess.size(of: folder[path]) else { return }
      bySize[size, default: []].append((place, path))
    }
  }
#endif
