#if Serve
  internal import CupolaCampus
  package import CupolaGuide

  /// A guide that visitors' apps fetch, part by part: what `GuideUpdate` asks for below `/guide/`.
  package struct ServedGuide: Sendable {
    private let folder: String

    /// - Throws: as `GuideBundle.init(reading:)`, when the folder is no guide.
    package init(folder: String) throws(GuideError) {
      _ = try GuideBundle(reading: folder)
      self.folder = folder
    }

    /// The response for a path behind `/guide/`; `nil` when the guide has no such file.
    func answer(_ name: String, _ request: ServedRequest) -> ServedResponse? {
      // Read each time: the guide may be built anew while it is served.
      guard let manifest = try? GuideBundle(reading: folder).manifest else { return nil }
      if name == "guide.json" {
        let path = folder + "/guide.json"
        guard let bytes = try? FileAccess.read(path, limit: 1 << 20) else { return nil }
        return ServedFile(
          path: path, tag: SHA256.hexadecimal(of: bytes), type: "application/json"
        ).response(to: request)
      }
      // Only what the guide lists: no path can lead elsewhere.
      guard let part = manifest.parts.first(where: { $0.file == name }) else { return nil }
      return ServedFile(
        path: folder + "/" + part.file, tag: part.sha256, type: "application/octet-stream"
      ).response(to: request)
    }
  }
#endif
