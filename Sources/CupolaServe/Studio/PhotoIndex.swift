#if Serve
  internal import Cupola
  internal import CupolaTraining

  // 1. List the photos of a project, and notice files that other programs changed.
  // 2. Read times and positions in the background, once for each version of a file.
  // 3. Make small copies for the grid, and keep them on the disk.

  /// The photos of a project with what is known about them.
  struct PhotoIndex: Sendable {
    struct Item: Equatable, Sendable {
      let path: String
      /// The size and modification time of the file.
      let version: String
      let shelf: PhotoShelf
      /// The first folder below `photos` or `negatives`.
      let label: String
      /// When and where the photo was taken; `nil` if it was not read yet.
      var shot: Grouping.Shot?

      init(path: String, version: String) {
        (self.path, self.version) = (path, version)
        shelf = path.hasPrefix("negatives/") ? .negatives : .photos
        label = String(path.split(separator: "/")[1])
      }

      var name: Substring { FileAccess.name(of: path) }
      /// The shelf and the label.
      var folder: String { "\(shelf.rawValue)/\(label)" }
      var bytes: Int { version.split(separator: "-").first.flatMap { Int($0) } ?? 0 }
    }

    private(set) var items: [String: Item] = [:]
    private(set) var sorted: [Item] = [] {
      didSet {
        labels = [:]
        for item in sorted {
          labels[item.shelf, default: [:]][item.label, default: []].append(item)
        }
        let read = sorted.filter { $0.shot != nil }
        let numbers = Grouping.sessions(of: read.compactMap(\.shot))
        sessions = [:]
        for (item, number) in zip(read, numbers) { sessions[item.path] = number }
      }
    }
    /// The session of each photo, as `cupola split` groups photos by time and viewpoint.
    private(set) var sessions: [String: Int] = [:]
    /// The photos of each label.
    private(set) var labels: [PhotoShelf: [String: [Item]]] = [:]
    private let folder: StudioFolder

    init(_ folder: StudioFolder) { self.folder = folder }

    subscript(path: String) -> Item? { items[path] }

    /// Lists the photos again. Returns whether anything has changed.
    mutating func update(moved moves: [RenameJournal.Move] = []) -> Bool {
      var known = items
      // Renames keep the modification time.
      for move in moves {
        known[move.to] = items[move.from].map { $0.at(move.to) } ?? known[move.to]
      }
      let paths = PhotoShelf.allCases.flatMap { folder.files(below: $0.rawValue) }
        .filter { path in
          let parts = path.split(separator: "/")
          return parts.count > 2 && PhotoSet.looksLikePhoto(parts[parts.count - 1])
        }
      let now = paths.map { path -> Item in
        let version = Directory.version(of: folder[path])
        if let item = known[path], item.version == version { return item }
        return Item(path: path, version: version)
      }
      guard now != sorted else { return false }
      sorted = now
      items = Dictionary(now.map { ($0.path, $0) }) { first, _ in first }
      return true
    }

    var unread: [Item] { sorted.filter { $0.shot == nil } }

    mutating func add(_ read: [Item]) {
      for item in read where items[item.path]?.version == item.version { items[item.path] = item }
      sorted = sorted.map { items[$0.path] ?? $0 }
    }

    func photos(in label: String, on shelf: PhotoShelf) -> [Item] { labels[shelf]?[label] ?? [] }

    func labels(on shelf: PhotoShelf) -> [String] { labels[shelf, default: [:]].keys.sorted() }

    // MARK: - Reading

    private static let headBytes = 256 << 10

    /// Reads the time and the position of a photo. A JPEG file has them at its start.
    static func reading(_ item: Item, in folder: StudioFolder) -> Item {
      var item = item
      item.shot = Grouping.Shot(PhotoMetadata(), label: item.folder)
      let path = folder[item.path]
      let head = try? FileAccess.read(path, bytes: 0..<min(item.bytes, headBytes))
      let decoder = PhotoDecoder()
      guard var photo = (try? head.map(decoder.open)) ?? (try? decoder.open(path: path)) else {
        return item
      }
      photo.complete(from: path, by: decoder)
      item.shot = Grouping.Shot(photo.metadata, label: item.folder)
      return item
    }
  }

  extension PhotoIndex.Item {
    func at(_ path: String) -> Self {
      var item = Self(path: path, version: version)
      let folder = item.folder
      item.shot = shot
      item.shot?.label = folder
      return item
    }
  }

  enum Thumbnail {
    /// The shorter side, and the most pixels of the longer side.
    private static let (side, longest) = (240, 960)

    /// Returns the path of a small copy of a photo, and makes it if necessary.
    static func path(of item: PhotoIndex.Item, in folder: StudioFolder) -> String? {
      let key = SHA256.hexadecimal(of: Array("\(item.name) \(item.version)".utf8)).prefix(24)
      let path = folder[StudioFolder.thumbs] + "/\(key).jpg"
      if Directory.exists(path) { return path }
      var decoder = PhotoDecoder()
      decoder.lenient = true
      guard let photo = try? decoder.open(path: folder[item.path]),
        let image = try? photo.image(minimumWidth: side, minimumHeight: side)
      else { return nil }
      let (width, height) = (Double(image.width), Double(image.height))
      let scale = min(1, Double(side) / min(width, height), Double(longest) / max(width, height))
      guard let jpeg = try? JPEGEncoder.encode(AreaResampler.scaled(image, by: scale), quality: 80),
        (try? FileAccess.write(jpeg, to: path, synced: false)) != nil
      else { return nil }
      return path
    }
  }
#endif
