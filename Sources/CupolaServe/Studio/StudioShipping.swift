#if Serve
  internal import Cupola
  internal import CupolaTraining
  internal import NIOHTTP1

  // 1. Recognize photos with the project's model, which is read again after a training.
  // 2. Add a photo with its correct label.
  // 3. Send the report, the description of the model, and exports as zip files.

  enum StudioShipping {
    static let formats = ["web", "onnx", "coreml", "tflite", "c", "safetensors"]

    /// Writes the files of a folder to a zip file, without compression.
    static func zip(_ names: [String], of folder: StudioFolder, below root: String, to path: String)
      throws
    {
      try FileAccess.write(to: path, synced: false) { add throws(FileError) in
        var archive = ZipWriter()
        for name in names {
          let bytes = try FileAccess.read(folder[name])
          try add(archive.entry(String(name.dropFirst(root.utf8.count + 1)), bytes) + bytes)
        }
        try add(archive.end)
      }
    }
  }

  /// Writes a zip file whose entries are stored without compression.
  struct ZipWriter {
    private var directory: [UInt8] = []
    private var offset = 0
    private var count = 0

    /// Returns the header that precedes the bytes of a file.
    mutating func entry(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
      let (size, sum) = (UInt32(clamping: bytes.count), Inflate.crc32(0, bytes[...]))
      // Version 2.0, UTF-8 names, stored, January 1, 1980.
      let fields =
        Self.bytes(20, 2) + Self.bytes(0x800, 2) + Self.bytes(0, 4) + Self.bytes(0x21, 2)
        + Self.bytes(sum, 4) + Self.bytes(size, 4) + Self.bytes(size, 4)
        + Self.bytes(UInt32(name.utf8.count), 2) + Self.bytes(0, 2)
      let header = Self.bytes(0x0403_4B50, 4) + fields + name.utf8
      directory +=
        Self.bytes(0x0201_4B50, 4) + Self.bytes(20, 2) + fields + [UInt8](repeating: 0, count: 10)
        + Self.bytes(UInt32(clamping: offset), 4) + name.utf8
      offset += header.count + bytes.count
      count += 1
      return header
    }

    var end: [UInt8] {
      directory + Self.bytes(0x0605_4B50, 4) + Self.bytes(0, 4)
        + Self.bytes(UInt32(count), 2) + Self.bytes(UInt32(count), 2)
        + Self.bytes(UInt32(clamping: directory.count), 4) + Self.bytes(UInt32(clamping: offset), 4)
        + Self.bytes(0, 2)
    }

    private static func bytes(_ value: UInt32, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
  }

  extension StudioProject {
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
      guard StudioShipping.formats.contains(format) else { return nil }
      let root = "exports/\(format)"
      let names = folder.files(below: root)
      guard !names.isEmpty else { return nil }
      let path = folder[".studio/export-\(format).zip"]
      try StudioShipping.zip(names, of: folder, below: root, to: path)
      return ServedFile(path: path, tag: Directory.version(of: path), type: "application/zip")?
        .response(to: request)
        .with("Content-Disposition", "attachment; filename=\"cupola-\(format).zip\"")
    }
  }
#endif
