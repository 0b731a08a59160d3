package import Cupola

// 1. List the photos and assign unique names.
// 2. Copy JPEG files, decode formats that this build supports, and convert the rest with a program.
// 3. Write each file atomically.

/// Copies the photos of a folder as JPEG files with position, heading and time; never overwrites a file.
package struct PhotoImport: Sendable {
  package struct Item: Equatable, Sendable {
    let source: String
    let target: String
  }

  package enum Outcome: Equatable, Sendable {
    case copied
    case converted(PhotoFormat)
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
    var names: [String] = []
    (self.source, self.target) = (source, target)
    let steps = FolderWalk.steps(in: source, entries: try entries(source), listing: entries)
    for step in steps {
      switch step.kind {
      case .file where HiddenFile(step.lastName) == .appleDouble: ignored.appleDoubles += 1
      case .file where HiddenFile(step.lastName) == .placeholder:
        unreadable.append("\(source)/\(step.name): \(HiddenFile.notDownloaded)")
      case .file where Self.isPhoto(step): names.append(step.name)
      case .file: ignored.add(step.lastName)
      case .repeated: ignored.repeatedFolders += 1
      case .special:
        unreadable.append("\(source)/\(step.name): not a regular file (pipe, socket or device)")
      case .notUTF8:
        unreadable.append("\(source)/\(step.name): its name is not valid UTF-8; rename it")
      case .unreadable(let error): unreadable.append(error.message)
      }
    }
    ignored.findLiveMovies(
      among: steps.lazy.filter { $0.kind == .file }.map(\.name), photos: names)
    guard !names.isEmpty else {
      let all = FolderWalk.steps(in: source, entries: try Directory.entries(of: source))
      throw all.contains(where: Self.isPhoto)
        ? TrainingError.photosInOutput(path: source, output: target) : .noPhotos(path: source)
    }
    items = Self.items(names)
    self.names = Set(items.map { $0.target.lowercased() })
  }

  private static func isPhoto(_ step: FolderWalk.Step) -> Bool {
    step.kind == .file && PhotoSet.looksLikePhoto(String(step.lastName))
  }

  package func run(
    decoder: PhotoDecoder, threads: Int, progress: @escaping @Sendable (Int) -> Void
  ) async throws(FileError) -> [Outcome] {
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
    do throws(FileError) { bytes = try FileAccess.read(path, limit: decoder.limits.bytes) } catch {
      return .failed("\(path): \(error.problem)")
    }
    do {
      let format = PhotoFormat(of: bytes)
      // Keep files that were already converted, because another conversion may produce different bytes.
      if format != .jpeg, Directory.exists(target + "/" + item.target) { return .kept }
      guard let name = freeName(for: item, bytes) else { return .kept }
      let output = target + "/" + name
      let jpeg = try jpeg(bytes, format, at: path, for: output, decoder)
      if format != .jpeg, isThere(jpeg, Self.plainName(item.source)) { return .kept }
      try Directory.createAll(FileAccess.folder(of: output))
      try FileAccess.write(jpeg, to: output)
      return format == .jpeg ? .copied : .converted(format)
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

  private func jpeg(
    _ bytes: [UInt8], _ format: PhotoFormat, at path: String, for output: String,
    _ decoder: PhotoDecoder
  ) throws -> [UInt8] {
    if format == .jpeg {
      _ = try decoder.open(bytes)
      return bytes
    }
    // Prefer a system program over ImageIO, because it keeps all of EXIF.
    #if !canImport(ImageIO)
      if decoder.formats.contains(format) { return try encoded(try decoder.open(bytes)) }
    #endif
    let converter = try ImageConverter(for: format)
    try Directory.createAll(FileAccess.folder(of: output))
    let converted = try converter.convert(path, beside: output, format)
    _ = try decoder.open(converted)
    return converted
  }

  private func encoded(_ photo: Photo) throws(CupolaError) -> [UInt8] {
    let block = photo.container.exif.map { EXIFReader.mark + EXIFReader.upright($0) } ?? []
    // The length of a JPEG segment is limited; larger blocks contain maker notes or previews.
    let fits = block.count < 65_534
    return try JPEGEncoder.encode(photo.image(), quality: Self.quality, exif: fits ? block : [])
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
