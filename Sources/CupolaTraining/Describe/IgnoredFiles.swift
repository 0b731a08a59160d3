package import Cupola

// 1. Recognize the hidden files that macOS writes for photos (`HiddenFile`).
// 2. Count the files that are not photos (`IgnoredFiles`).

/// A hidden file that macOS leaves in place of a photo, or next to one.
package enum HiddenFile {
  /// `._IMG.jpg`: attributes of IMG.jpg, which macOS writes to disks of other systems.
  case appleDouble
  /// `.IMG.jpg.icloud`: a photo that is in iCloud and not on this disk.
  case placeholder

  package init?(_ name: some StringProtocol) {
    let inner = name.dropFirst(2)
    if name.hasPrefix("._"), PhotoSet.looksLikePhoto(inner) || IgnoredFiles.isVideo(inner) {
      self = .appleDouble
    } else if name.hasPrefix("."), name.hasSuffix(Self.cloud),
      PhotoSet.looksLikePhoto(name.dropFirst().dropLast(Self.cloud.count))
    {
      self = .placeholder
    } else {
      return nil
    }
  }

  static let cloud = ".icloud"

  /// Lists a folder including these hidden files.
  package static func entries(of path: String) throws(FileError) -> [Directory.Entry] {
    try Directory.entries(of: path, keepingHidden: { HiddenFile($0) != nil })
  }
}

/// Counts of files that are not photos; system files such as `Thumbs.db` are not counted.
package struct IgnoredFiles: Equatable, Sendable {
  /// All videos, including the movies of Live Photos.
  package internal(set) var videos = 0
  package internal(set) var liveMovies = 0
  package internal(set) var appleDoubles = 0
  /// Images without a file extension, which are not read.
  package internal(set) var unnamedImages = 0
  package internal(set) var others = 0
  package internal(set) var repeatedFolders = 0

  package init() {}

  package var count: Int { videos + unnamedImages + others }

  package var text: String {
    [
      (videos - liveMovies, "video", ""), (liveMovies, "Live Photo movie", ""),
      (appleDoubles, "macOS ._ file", ""),
      (unnamedImages, "image", " without a file extension (add one, such as .jpg)"),
      (others, "other file", ""), (repeatedFolders, "repeated folder", ""),
    ]
    .filter { $0.0 > 0 }.map { FigureText.count($0, $1) + $2 }.joined(separator: ", ")
  }

  /// - Parameter path: The path of the file; a file without an extension is opened to detect images.
  mutating func add(_ name: Substring, at path: String) {
    if Self.isVideo(name) {
      videos += 1
    } else if name.fileExtension == nil, Self.isImage(path) {
      unnamedImages += 1
    } else {
      others += 1
    }
  }

  private static func isImage(_ path: String) -> Bool {
    guard let start = try? FileAccess.read(path, bytes: 0..<32) else { return false }
    switch PhotoFormat(of: start) {
    case .empty, .text, .pdf, .unknown: return false
    default: return true
    }
  }

  /// Counts the movies that have the name of a photo in the same folder, and subtracts the sidecars from the other files.
  mutating func findCompanions(
    among files: some Collection<String>, photos: some Collection<String>
  ) {
    let movies = files.filter { ["mov", "mp4"].contains($0.fileExtension) }
    if !movies.isEmpty {
      let names = Set(photos.map(Self.stem))
      liveMovies += movies.count { names.contains(Self.stem($0)) }
    }
    let tables = Set(files.filter { $0.fileExtension == "json" })
    if !tables.isEmpty {
      let sidecars = photos.lazy.flatMap { TakeoutSidecar.paths(besides: $0) }
        .filter { tables.contains($0) }
      others -= Set(sidecars).count
    }
  }

  private static func stem(_ name: String) -> String {
    String(name.dropLast(name.fileExtension.map { $0.count + 1 } ?? 0)).lowercased()
  }

  package mutating func add(_ other: IgnoredFiles) {
    videos += other.videos
    liveMovies += other.liveMovies
    appleDoubles += other.appleDoubles
    unnamedImages += other.unnamedImages
    others += other.others
    repeatedFolders += other.repeatedFolders
  }

  package var json: JSONObject {
    [
      "videos": videos, "live_photo_movies": liveMovies > 0 ? liveMovies : nil,
      "macos_attribute_files": appleDoubles > 0 ? appleDoubles : nil,
      "images_without_extension": unnamedImages > 0 ? unnamedImages : nil,
      "other_files": others, "repeated_folders": repeatedFolders,
    ]
  }

  package static func isVideo(_ name: some StringProtocol) -> Bool {
    name.fileExtension.map(videoExtensions.contains) ?? false
  }

  private static let videoExtensions: Set<String> = [
    "3gp", "avi", "flv", "insv", "lrv", "m2ts", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "mts",
    "ogv", "webm", "wmv",
  ]
}
