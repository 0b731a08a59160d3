/// What was found among photos and is none, by kind.
///
/// Hidden files are not counted, nor what systems put beside photos by themselves, such as `Thumbs.db`.
public struct IgnoredFiles: Equatable, Sendable {
  /// Films, by their names.
  public internal(set) var videos = 0
  /// Other files that are no photos by their names.
  public internal(set) var others = 0
  /// Folders that were read already, reached once more by a link.
  public internal(set) var repeatedFolders = 0

  /// Nothing.
  public init() {}

  /// Files of all kinds.
  public var count: Int { videos + others }

  /// Such as "3 videos, 2 other files"; empty without any.
  public var text: String {
    [(videos, "video"), (others, "other file"), (repeatedFolders, "repeated folder")]
      .filter { $0.0 > 0 }.map { FigureText.count($0, $1) }.joined(separator: ", ")
  }

  /// Counts a file that is no photo by its name.
  mutating func add(_ name: Substring) {
    if Self.isVideo(name) { videos += 1 } else { others += 1 }
  }

  /// Counts those of another folder too.
  package mutating func add(_ other: IgnoredFiles) {
    videos += other.videos
    others += other.others
    repeatedFolders += other.repeatedFolders
  }

  package var json: JSONObject {
    ["videos": videos, "other_files": others, "repeated_folders": repeatedFolders]
  }

  static func isVideo(_ name: Substring) -> Bool {
    name.fileExtension.map(videoExtensions.contains) ?? false
  }

  private static let videoExtensions: Set<String> = [
    "3gp", "avi", "flv", "insv", "lrv", "m2ts", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "mts",
    "ogv",
    "webm", "wmv",
  ]
}
