#if Serve
  internal import Cupola
  internal import CupolaTraining

  // 1. List the frames that earlier runs saved.
  // 2. Check the label and the limits.
  // 3. Save a new frame, or move a frame that was saved with another label.

  /// Saves frames as training photos, in one folder per label.
  final class FrameCollector: Sendable {
    private struct Saved: Sendable {
      var folder: String
      let bytes: Int
    }

    struct SaveError: Error {
      /// The text for the page. It contains no path.
      let message: String
    }

    private let folder: String
    private let limits: LiveServer.CollectLimits
    /// Labels of the model, which may contain characters that new labels must not contain.
    private let labels: [String]
    private let log: LiveServer.Log
    /// The saved frames by file name, including those of earlier runs.
    private let saved: Locked<[String: Saved]>

    init(
      folder: String, labels: [String] = [], limits: LiveServer.CollectLimits = .init(),
      log: @escaping LiveServer.Log = { _ in }
    ) {
      (self.folder, self.labels, self.limits, self.log) = (folder, labels, limits, log)
      saved = Locked(Self.saved(in: folder))
    }

    private static func saved(in folder: String) -> [String: Saved] {
      var saved: [String: Saved] = [:]
      for place in (try? Directory.entries(of: folder)) ?? [] where place.isDirectory {
        let path = folder + "/" + place.name
        FileAccess.sweep(path)
        for file in (try? Directory.entries(of: path)) ?? []
        where file.kind == .file && file.name.hasPrefix("live-") && file.name.hasSuffix(".jpg") {
          let bytes = (try? FileAccess.size(of: path + "/" + file.name)) ?? 0
          saved[file.name] = Saved(folder: place.name, bytes: bytes)
        }
      }
      return saved
    }

    /// If a label cannot be a folder name, like OpenStreetMap's `way/101`, the building's name is used instead.
    /// Training matches the name with the label.
    static func folder(of label: String, in model: Model) -> String {
      guard !Labels.canBeFolder(label) else { return label }
      return model.campus?.building(labeled: label)?.name ?? label
    }

    /// Saves a frame once: a frame that is saved again moves to the new label.
    /// - Returns: The number of saved frames with this label.
    func keep(_ jpeg: [UInt8], label: String) throws(SaveError) -> Int {
      let place = try checked(label)
      let name = "live-\(SHA256.hexadecimal(of: jpeg).prefix(16)).jpg"
      let outcome = saved.withLock { saved -> Result<Int, SaveError> in
        do throws(SaveError) {
          try store(jpeg, as: name, in: place, &saved)
          return .success(saved.values.count { $0.folder == place })
        } catch {
          return .failure(error)
        }
      }
      return try outcome.get()
    }

    /// The folder for a label, in the model's spelling.
    private func checked(_ label: String) throws(SaveError) -> String {
      // `cupola train` rejects folders with reserved labels.
      guard !Trainer.ownLabels.contains(label) else {
        throw SaveError(message: "\(label): reserved by Cupola; choose another label")
      }
      // Strings are equal if they differ only in their Unicode form.
      if let known = labels.first(where: { $0 == label }), Labels.canBeFolder(known) {
        return known
      }
      guard Labels.isFolderName(label) else {
        throw SaveError(
          message: "a new label must have 1 to 100 letters, digits, spaces or _ - . , & ' ( ), "
            + "and must not begin with a space, dot or hyphen")
      }
      return label
    }

    private func store(
      _ jpeg: [UInt8], as name: String, in place: String, _ saved: inout [String: Saved]
    ) throws(SaveError) {
      let path = folder + "/" + place + "/" + name
      let earlier = saved.removeValue(forKey: name)
      // Someone may have removed or moved the file.
      let old = earlier.map { folder + "/" + $0.folder + "/" + name }
        .flatMap { Directory.exists($0) ? $0 : nil }
      if old == nil { try checkLimits(jpeg.count, saved) }
      do throws(FileError) {
        if old != path { try Directory.createAll(folder + "/" + place) }
        if let old {
          try Directory.rename(old, to: path)
        } else {
          try FileAccess.write(jpeg, to: path)
        }
        saved[name] = Saved(folder: place, bytes: jpeg.count)
      } catch {
        if old != nil { saved[name] = earlier }
        log("\(error)")
        throw SaveError(message: "the frame could not be saved; see the messages of the server")
      }
    }

    private func checkLimits(_ bytes: Int, _ saved: [String: Saved]) throws(SaveError) {
      guard saved.count < limits.photos else {
        throw SaveError(message: "the limit of \(limits.photos) saved photos is reached")
      }
      guard saved.values.reduce(bytes, { $0 + $1.bytes }) <= limits.bytes else {
        throw SaveError(
          message: "the limit of \(limits.bytes / 1_000_000) MB of saved photos is reached")
      }
      guard Directory.freeBytes(in: folder).map({ $0 - bytes >= limits.freeBytes }) ?? true else {
        throw SaveError(message: "the server's disk is almost full")
      }
    }
  }
#endif
