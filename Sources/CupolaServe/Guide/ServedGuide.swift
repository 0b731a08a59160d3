#if Serve
  internal import CupolaCampus
  package import CupolaGuide

  // 1. Find the guide's file for a request.
  // 2. Send it as a ServedFile; parts may be stored for a year.

  /// A guide at `/guide/`, which apps download file by file with `GuideUpdate`.
  package struct ServedGuide: Sendable {
    let folder: String

    /// - Throws: `GuideError` if the folder is not a guide; see `GuideBundle.init(reading:)`.
    package init(folder: String) throws(GuideError) {
      _ = try GuideBundle(reading: folder)
      self.folder = folder
    }

    /// - Parameter isPublic: Whether proxies may store the parts, because no token is required.
    func answer(_ name: String, _ request: ServedRequest, isPublic: Bool) -> ServedResponse? {
      // Read the manifest for each request, because the guide can be rebuilt while it is served.
      guard let manifest = try? GuideBundle(reading: folder).manifest else { return nil }
      if name == "guide.json" {
        let bytes = try? FileAccess.read(folder + "/" + name, limit: 1 << 20)
        return bytes.map { ServedFile(json: $0).response(to: request) }
      }
      // Only files listed in the manifest are served, so requests cannot read files outside the folder.
      guard let part = manifest.parts.first(where: { $0.file == name }) else { return nil }
      // The name contains a digest, so the file never changes.
      let caching = (isPublic ? "public" : "private") + ", max-age=31536000, immutable"
      return ServedFile(
        path: folder + "/" + part.file, tag: part.sha256, type: MediaType.bytes,
        caching: caching
      )?.response(to: request)
    }
  }
#endif
