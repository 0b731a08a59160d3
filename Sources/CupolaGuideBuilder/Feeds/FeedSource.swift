internal import CupolaGuide
internal import CupolaSupport

// 1. Find the files of a feed in an archive, a folder, or the folder's only subfolder.
// 2. Open the table in a file, and check for missing files and columns.

/// The location of a feed: a .zip file, a folder with schedule files, or a folder with one such subfolder.
struct FeedSource {
  static let limit = 2 << 30

  let path: String
  private let place: Place

  private enum Place {
    case folder(String)
    case archive(ZipArchive, [String: ZipMember])
  }

  init(_ path: String) throws(GuideError) {
    self.path = path
    if Directory.isDirectory(path) {
      place = .folder(try Self.folder(in: path))
    } else {
      place = try Self.archive(try ZipArchive(path: path))
    }
  }

  init(_ archive: ZipArchive) throws(GuideError) {
    path = archive.path
    place = try Self.archive(archive)
  }

  func stream(of file: FeedFile) throws(GuideError) -> FeedStream? {
    switch place {
    case .archive(let archive, let members):
      guard let member = members[file.name] else { return nil }
      return try archive.stream(of: member, limit: Self.limit)
    case .folder(let folder):
      let path = folder + "/" + file.name
      guard Directory.exists(path) else { return nil }
      let size = try GuideError.files { () throws(FileError) in try FileAccess.size(of: path) }
      guard size <= Self.limit else {
        throw .badFile(
          path: self.path,
          problem: "\(file.name) has \(size) bytes, more than the limit of \(Self.limit >> 20) MB; "
            + "reduce the feed to your region first")
      }
      return FeedStream(0..<size, of: ZipArchive.bytes(of: path))
    }
  }

  private static let names = Set(FeedFile.allCases.map(\.name))

  private static func archive(_ archive: ZipArchive) throws(GuideError) -> Place {
    var folders: [String: [String: ZipMember]] = [:]
    for member in archive.members {
      let parts = member.name.split(separator: "/", omittingEmptySubsequences: false)
      guard let name = parts.last.map(String.init), names.contains(name), parts[0] != "__MACOSX"
      else { continue }
      folders[parts.dropLast().joined(separator: "/"), default: [:]][name] = member
    }
    let folder = try chosen(folders.mapValues { Set($0.keys) }, path: archive.path)
    return .archive(archive, folders[folder] ?? [:])
  }

  private static func folder(in path: String) throws(GuideError) -> String {
    func names(in path: String) throws(GuideError) -> [Directory.Entry] {
      try GuideError.files { () throws(FileError) in try Directory.entries(of: path) }
    }
    let entries = try names(in: path)
    var folders = ["": Self.names.intersection(entries.map(\.name))]
    if folders[""]?.isEmpty == true {
      for entry in entries where entry.isDirectory && entry.isUTF8 {
        folders[entry.name] = Self.names.intersection(
          try names(in: path + "/" + entry.name).map(\.name))
      }
    }
    let folder = try chosen(folders.filter { !$0.value.isEmpty }, path: path)
    return folder.isEmpty ? path : path + "/" + folder
  }

  private static func chosen(
    _ folders: [String: Set<String>], path: String
  ) throws(GuideError) -> String {
    if folders[""] != nil { return "" }
    guard let folder = folders.keys.min() else {
      throw .badFile(
        path: path, problem: "no GTFS files such as stops.txt found; choose another feed")
    }
    guard folders.count == 1 else {
      let names = folders.keys.sorted().prefix(4).joined(separator: ", ")
      throw .badFile(
        path: path, problem: "several folders contain schedules (\(names)); use only one of them")
    }
    return folder
  }
}

enum FeedFile: String, CaseIterable {
  case agency, stops, routes, trips, calendar, frequencies, transfers, pathways
  case translations
  case stopTimes = "stop_times"
  case calendarDates = "calendar_dates"
  case feedInfo = "feed_info"

  var name: String { rawValue + ".txt" }

  /// Whether the file is always required. Of the two calendar files, only one is required.
  var isRequired: Bool { [.agency, .stops, .routes, .trips, .stopTimes].contains(self) }
}

struct FeedInput {
  let source: FeedSource
  let faults = FeedFaults()

  init(_ source: FeedSource) { self.source = source }

  /// Opens the rows of a file; returns `nil` if an optional file is missing.
  func table<Column: FeedColumn>(of _: Column.Type) throws(GuideError) -> CSVTable<Column>? {
    guard let stream = try source.stream(of: Column.file) else {
      guard Column.file.isRequired else { return nil }
      throw bad("missing \(Column.file.name); ask the publisher for a complete feed")
    }
    return try CSVTable(stream, of: source.path, faults)
  }

  func bad(_ problem: String) -> GuideError { .badFile(path: source.path, problem: problem) }

  func checkCount(_ count: Int, limit: Int, of what: String) throws(GuideError) {
    guard count <= limit else {
      throw bad("more than \(limit) \(what); reduce the feed to your region first")
    }
  }
}
