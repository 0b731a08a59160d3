#if Serve
  internal import Cupola
  internal import CupolaTraining
  internal import NIOHTTP1

  #if canImport(Darwin)
    internal import Darwin
  #else
    internal import Glibc
  #endif

  // 1. Recognize photos with the project's model, which is read again after a training.
  // 2. Find the most similar training photo. Add a photo with its correct label.
  // 3. Send the report, the description of the model, and exports as zip files.

  extension StudioProject {
    static let formats = ["web", "onnx", "coreml", "tflite", "c", "safetensors"]

    // MARK: - Trying

    /// The recognizer of the current model.
    private func photosToTry() throws -> StillPhotos {
      let path = folder[StudioFolder.model]
      let version = Directory.version(of: path)
      if let tried, tried.version == version { return tried.photos }
      guard folder.exists(StudioFolder.model) else { throw Self.noModel }
      let photos = StillPhotos(Recognizer(model: try Model(contentsOf: path)), nil)
      tried = (version, photos)
      return photos
    }

    func answer(photo request: ServedRequest) async throws -> ServedResponse {
      // Without a collector, the parameter `label` saves nothing.
      try await photosToTry().answer(request)
    }

    /// Finds the training photo that is most similar to a photo, of the label that the image suggests.
    func nearest(to photo: [UInt8]) async throws -> JSONObject {
      guard folder.exists(StudioFolder.model) else { throw Self.noModel }
      // Only the newest photo is shown.
      if let searching { InstalledProgram.signal(searching, SIGKILL) }
      searches += 1
      let batch = "nearest-\(searches)"
      try upload(photo, batch: batch, name: "photo")
      let place = StudioFolder.incoming + "/" + batch
      defer { Directory.removeAll(folder[place]) }
      let command = [
        "explain", folder[StudioFolder.model], folder[place + "/photo"], "--photos",
        folder["photos"], "--json",
      ]
      let answer = try await runChild(command, named: "incoming/\(batch)/explain", [0]) {
        searching = $1
      }
      let match = answer?["match"]
      let name = match?["photo"]?.text.map { StudioFindings.path($0, in: folder) }
      return ["photo": name.flatMap { index[$0]?.path }, "cosine": match?["cosine"]?.double]
    }

    /// The description of the model and its map, as the live page's `/campus.json`.
    func sheet() throws -> [UInt8] {
      CampusDescription.json(
        of: try photosToTry().recognizer, named: "campus",
        collects: true)
    }

    /// Carries out `POST /api/keep`: adds a photo that was not recognized to the photos of its building.
    func keep(_ photo: [UInt8], label: String?, kind: String?) async throws -> JSONObject {
      let label = try StudioFolder.checkedLabel(label ?? "")
      let digest = SHA256.hexadecimal(of: photo).prefix(16)
      let format = PhotoFormat(of: photo)
      let type = format == .jpeg ? "jpg" : format.rawValue
      let batch = "try-\(digest)"
      try upload(photo, batch: batch, name: "try-\(digest).\(type)")
      var request: [String: JSONValue] = ["batch": .string(batch), "label": .string(label)]
      request["kind"] = kind.map { .string($0) }
      return try await add(.object(request))
    }

    // MARK: - Results

    /// A file of the newest report. Its scripts are inline, so they must not send requests.
    nonisolated func report(_ name: String, _ request: ServedRequest) throws -> ServedResponse? {
      let name = try StudioFolder.checkedPath(name)
      let path = folder[StudioFolder.report] + "/" + name
      let file = ServedFile(path: path, tag: Directory.version(of: path), type: MediaType.of(name))
      return file?.response(to: request).with(
        "Content-Security-Policy",
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
          + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
    }

    /// The text of `cupola model`. One process writes it for all windows.
    func card() async throws -> ServedResponse {
      guard folder.exists(StudioFolder.model) else { throw Self.noModel }
      let version = Directory.version(of: folder[StudioFolder.model])
      if described?.version != version { described = (version, Task { try await description() }) }
      guard let described else { throw Self.noModel }
      let text = try await described.text.value
      return LivePage.response(.bytes(text), type: MediaType.text)
    }

    private func description() async throws -> [UInt8] {
      do {
        _ = try await runChild(["model", folder[StudioFolder.model]], named: "card", [0]) { _, _ in
        }
        return try FileAccess.read(folder[".studio/card.out"])
      } catch {
        described = nil
        throw error
      }
    }

    /// A zip file with the export of a format.
    nonisolated func exported(_ format: String, _ request: ServedRequest) throws -> ServedResponse?
    {
      guard Self.formats.contains(format) else { return nil }
      let root = "exports/\(format)"
      let names = folder.files(below: root)
      guard !names.isEmpty else { return nil }
      let path = folder[".studio/export-\(format).zip"]
      try FileAccess.write(to: path, synced: false) { add throws(FileError) in
        var archive = ZipWriter()
        for name in names {
          let bytes = try FileAccess.read(folder[name])
          try add(archive.entry(String(name.dropFirst(root.utf8.count + 1)), bytes))
        }
        try add(archive.end)
      }
      return ServedFile(path: path, tag: Directory.version(of: path), type: "application/zip")?
        .response(to: request)
        .with("Content-Disposition", "attachment; filename=\"cupola-\(format).zip\"")
    }
  }
#endif
