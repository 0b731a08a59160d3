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

    /// The folder of a batch of uploads.
    nonisolated private func source(_ batch: String?) throws(StudioProblem) -> String {
      guard let batch, StudioFolder.isBatch(batch), !batch.hasPrefix("change") else {
        throw StudioProblem("batch must be 1 to 64 letters, digits and hyphens")
      }
      return "\(StudioFolder.incoming)/\(batch)"
    }

    /// The names of the files that a batch contains. A restarted server has lost earlier uploads.
    nonisolated func received(_ batch: String?) throws(StudioProblem) -> [String] {
      let source = try source(batch)
      return folder.files(below: source).map { String($0.dropFirst(source.utf8.count + 1)) }
    }

    nonisolated func upload(_ bytes: [UInt8], batch: String?, name: String?) throws {
      let source = try source(batch)
      let name = try StudioFolder.checkedPath(name ?? "")
      guard Directory.freeBytes(in: folder.path).map({ $0 - bytes.count > Self.freeBytes }) ?? true
      else { throw StudioProblem("the disk is almost full; free some space", .full) }
      let path = folder["\(source)/\(name)"]
      do throws(FileError) {
        try Directory.createAll(FileAccess.folder(of: path))
        try FileAccess.write(bytes, to: path, synced: false)
      } catch { throw StudioProblem("\(name): \(error.problem)", .failed) }
    }

    /// Carries out `POST /api/add`.
    func add(_ request: JSONValue) async throws -> JSONObject {
      let shelf = PhotoShelf(rawValue: request["kind"]?.text ?? "photos") ?? .photos
      let source = try source(request["batch"]?.text)
      let label = try request["label"]?.text.map { label throws(StudioProblem) in
        try StudioFolder.checkedLabel(label)
      }
      let names = try received(request["batch"]?.text)
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
        .map { ["name": $0, "message": "not a photo; not added"] as JSONObject }
      problems += try await convert(source, to: target)
      Directory.removeAll(folder[source])
      return try add(filesIn: target, label, shelf, problems)
    }

    private func convert(_ source: String, to target: String) async throws -> [JSONObject] {
      let command = ["import", folder[source], "-o", folder[target], "--json"]
      // 66: there are no photos.
      let report = try await runChild(command, named: "import", [0, 1, 65, 66]) { lines, _ in
        for line in lines {
          var job = StudioJobs.Job(id: 0, kind: "import")
          job.read(line)
          guard let of = job.of else { continue }
          adding = ["done": job.done, "of": of]
          noteChange()
        }
      }
      let prefix = folder[source] + "/"
      let lines = ["failed", "incomplete"].flatMap {
        report?[$0]?.elements.compactMap(\.text) ?? []
      }
      return lines.map { line in
        let rest = line.hasPrefix(prefix) ? String(line.dropFirst(prefix.count)) : line
        let parts = rest.split(separator: ": ", maxSplits: 1).map(String.init)
        return ["name": parts.count == 2 ? parts[0] : "", "message": parts.last]
      }
    }

    // MARK: - Folders

    private func add(
      filesIn target: String, _ label: String?, _ shelf: PhotoShelf, _ problems: [JSONObject]
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
          problems.append(["name": name, "message": "identical to \(other); not added"])
          continue
        }
        let chosen = label ?? folders[name]?.label ?? StudioFolder.unsorted
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
      let isSplit = label == nil && folders.values.contains(where: \.isSplit)
      return [
        "added": added, "problems": problems,
        "note": isSplit
          ? "Folders such as train and test were combined; measuring splits the photos again" : nil,
      ]
    }

    /// Chooses the label of each photo by its folders: the first one below the folder that contains all photos.
    ///
    /// Combines the folders of splits, such as `train` and `test`. Photos in `test_unknown` are of other buildings.
    static func labels(of names: [String]) -> [String: (label: String, isSplit: Bool)] {
      let folders = names.map { $0.split(separator: "/").dropLast().map(String.init) }
      var depth = 0
      // A common folder is the label only if it contains photos directly.
      while let first = folders.first, first.count > depth + 1,
        folders.allSatisfy({ $0.count > depth + 1 && $0[depth] == first[depth] })
      { depth += 1 }
      var labels: [String: (label: String, isSplit: Bool)] = [:]
      for (name, parts) in zip(names, folders.map { $0.dropFirst(depth) }) {
        let split = parts.count > 1 ? parts.first.flatMap(Split.init(folder:)) : nil
        let own = split == nil ? parts.first : parts.dropFirst().first
        guard let label = split == .testUnknown ? Labels.otherBuildings : own, !isOfCamera(label),
          (try? StudioFolder.checkedLabel(label)) != nil
        else { continue }
        labels[name] = (label, split != nil)
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
