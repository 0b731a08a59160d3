package import Cupola

// 1. List the photos and assign unique names.
// 2. Copy JPEG files, decode formats that this build supports, and convert the rest with a program.
// 3. Write upright copies with Cupola's own EXIF block, and list what they lack.
// 4. Write each file atomically.

/// Copies the photos of a folder as JPEG files with position, heading and time; never overwrites a file.
package struct PhotoImport: Sendable {
  package struct Item: Equatable, Sendable {
    let source: String
    let target: String
  }

  package enum Outcome: Equatable, Sendable {
    case copied
    /// A converted copy, with a message if it lacks metadata of the photo.
    case converted(PhotoFormat, incomplete: String?)
    case kept
    case failed(String)
  }

  package let source: String
  package let target: String
  package let items: [Item]
  private let names: Set<String>
  package private(set) var ignored = IgnoredFiles()
  package private(set) var unreadable: [String] = []
  private static let jpegExtensions: Set = ["jpg", "jpeg", "jpe", "jfif"]
  private static let quality = 92

  package init(from source: String, to target: String) throws {
    // Skip the output folder of an earlier run.
    func entries(_ path: String) throws(FileError) -> [Directory.Entry] {
      try HiddenFile.entries(of: path).filter {
        !$0.isDirectory || !FileAccess.isSameFile(path + "/" + $0.name, target)
      }
    }
    var (names, raw): ([String], [String]) = ([], [])
    (self.source, self.target) = (source, target)
    let steps = FolderWalk.steps(in: source, entries: try entries(source), listing: entries)
    for step in steps {
      switch step.kind {
      case .file where HiddenFile(step.lastName) == .appleDouble: ignored.appleDoubles += 1
      case .file where HiddenFile(step.lastName) == .placeholder:
        unreadable.append(FileError.notDownloaded(path: source + "/" + step.name).message)
      case .file where Self.isPhoto(step): names.append(step.name)
      case .file where RawPhoto.format(ofFile: step.lastName) != nil: raw.append(step.name)
      case .file: ignored.add(step.lastName, at: source + "/" + step.name)
      case .repeated: ignored.repeatedFolders += 1
      case .special:
        unreadable.append("\(source)/\(step.name): not a regular file (pipe, socket or device)")
      case .notUTF8:
        unreadable.append("\(source)/\(step.name): its name is not valid UTF-8; rename it")
      case .unreadable(let error): unreadable.append(error.message)
      }
    }
    ignored.findCompanions(
      among: steps.lazy.filter { $0.kind == .file }.map(\.name), photos: names)
    unreadable += raw.map { name in
      "\(source)/\(name): " + Self.rawMessage(RawPhoto.format(ofFile: name) ?? "raw")
    }
    let isInCloud = steps.contains { HiddenFile($0.lastName) == .placeholder }
    guard !names.isEmpty || !raw.isEmpty || isInCloud else {
      let all = FolderWalk.steps(in: source, entries: try Directory.entries(of: source))
      throw all.contains(where: Self.isPhoto)
        ? TrainingError.photosInOutput(path: source, output: target) : .noPhotos(path: source)
    }
    items = Self.items(names)
    self.names = Set(items.map { $0.target.lowercased() })
  }

  private static func rawMessage(_ format: String) -> String {
    "raw photo (\(format)), not converted; export it as JPEG with a photo program"
  }

  private static func isPhoto(_ step: FolderWalk.Step) -> Bool {
    step.kind == .file && PhotoSet.looksLikePhoto(step.lastName)
  }

  package func run(
    decoder: PhotoDecoder, threads: Int, progress: @escaping @Sendable (Int) -> Void
  ) async throws(FileError) -> [Outcome] {
    ImageConverter.removeLeftovers(in: target)
    for folder in Set(items.map { FileAccess.folder(of: target + "/" + $0.target) }) {
      ImageConverter.removeLeftovers(in: folder)
    }
    let end = Locked<FileError?>(nil)
    let outcomes = await parallelMap(items, threads: threads, progress: progress) {
      item -> Outcome? in
      if end.withLock({ $0 }) != nil { return nil }
      do throws(FileError) { return try run(item, decoder: decoder) } catch {
        end.withLock { $0 = $0 ?? error }
        return nil
      }
    }
    if let error = end.withLock({ $0 }) { throw error }
    return outcomes.compactMap(\.self)
  }

  private func run(_ item: Item, decoder: PhotoDecoder) throws(FileError) -> Outcome {
    let path = source + "/" + item.source
    let bytes: [UInt8]
    do throws(FileError) { bytes = try FileAccess.read(path, limit: decoder.maximumBytes) } catch {
      return .failed("\(path): \(error.problem)")
    }
    do {
      let format = PhotoFormat(of: bytes)
      // Keep files that were already converted, because another conversion may produce different bytes.
      if format != .jpeg, Directory.exists(target + "/" + item.target) { return .kept }
      guard let name = freeName(for: item, bytes) else { return .kept }
      let output = target + "/" + name
      let copy =
        format == .jpeg
        ? try checked(bytes, path, decoder) : try converted(bytes, format, path, decoder)
      if format != .jpeg, isThere(copy.jpeg, Self.plainName(item.source)) { return .kept }
      try Directory.createAll(FileAccess.folder(of: output))
      // The sidecar comes first, because a later import does not look at photos that are already there.
      if let sidecar = copy.sidecar, !Directory.exists(output + ".json") {
        try FileAccess.write(sidecar, to: output + ".json")
      }
      try FileAccess.write(copy.jpeg, to: output)
      guard format != .jpeg else { return .copied }
      let losses = copy.losses.isEmpty ? nil : Self.message(path, copy.losses)
      return .converted(format, incomplete: losses)
    } catch let error as FileError where error.endsWriting {
      throw error
    } catch {
      return .failed("\(path): \(error)")
    }
  }

  /// The output name, extended if another photo has it; `nil` if the photo is already there.
  private func freeName(for item: Item, _ jpeg: [UInt8]) -> String? {
    var name = item.target
    while Directory.exists(target + "/" + name) {
      if isThere(jpeg, name) { return nil }
      repeat { name += ".jpg" } while names.contains(name.lowercased())
    }
    return name
  }

  private func isThere(_ jpeg: [UInt8], _ name: String) -> Bool {
    let path = target + "/" + name
    return (try? FileAccess.size(of: path)) == jpeg.count && (try? FileAccess.read(path)) == jpeg
  }

  private struct Copy {
    let jpeg: [UInt8]
    /// What the JPEG lacks.
    var losses: [String] = []
    /// The Google Takeout sidecar with a time or a position that the JPEG lacks.
    var sidecar: [UInt8]?
  }

  private func checked(
    _ jpeg: [UInt8], _ path: String, _ decoder: PhotoDecoder
  ) throws -> Copy {
    let metadata = try decoder.open(jpeg).metadata
    return Copy(
      jpeg: jpeg, sidecar: TakeoutSidecar.find(besides: path, lacking: metadata)?.bytes)
  }

  /// Returns an upright JPEG with the metadata of the photo and its sidecar.
  private func converted(
    _ bytes: [UInt8], _ format: PhotoFormat, _ path: String, _ decoder: PhotoDecoder
  ) throws -> Copy {
    if let raw = RawPhoto.format(of: bytes) {
      throw ImageConverter.Failure(description: Self.rawMessage(raw))
    }
    var outline = PhotoOutline(of: bytes, format)
    outline.add(TakeoutSidecar.find(besides: path, lacking: outline.metadata)?.metadata)
    guard !outline.startsReduced else {
      throw ImageConverter.Failure(
        description: "\(format.name): its first image is a reduced copy; export it as JPEG")
    }
    let image =
      decoder.formats.contains(format)
      ? try decoder.open(bytes).image()
      : try ImageConverter(for: format).image(of: outline, in: target, decoder)
    let exif = outline.exif(for: image)
    return Copy(
      jpeg: try JPEGEncoder.encode(image, quality: Self.quality, exif: exif),
      losses: outline.losses(in: exif))
  }

  private static func message(_ path: String, _ losses: [String]) -> String {
    "\(path): converted without its \(losses.joined(separator: ", ")); export it as JPEG to keep everything"
  }

  /// Assigns unique names: JPEG files keep their names; other files get ".jpg" appended if their names clash.
  private static func items(_ names: [String]) -> [Item] {
    let isJPEG = { (name: String) in jpegExtensions.contains(name.fileExtension ?? "") }
    var taken = Set(names.filter(isJPEG).map { $0.lowercased() })
    return names.map { name in
      if isJPEG(name) { return Item(source: name, target: name) }
      var (target, longer) = (plainName(name), name + ".jpg")
      while !taken.insert(target.lowercased()).inserted {
        (target, longer) = (longer, longer + ".jpg")
      }
      return Item(source: name, target: target)
    }
  }

  private static func plainName(_ name: String) -> String {
    name.dropLast(name.fileExtension.map { $0.count + 1 } ?? 0) + ".jpg"
  }

  package static func endPrograms() { ImageConverter.endAll() }
}
