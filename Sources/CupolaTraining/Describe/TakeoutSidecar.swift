package import Cupola
internal import CupolaCampus

// 1. Find the JSON file that Google Takeout wrote next to a photo.
// 2. Read the time and the position from it.

/// The JSON file that Google Takeout writes next to a photo, because it can remove both from EXIF.
package enum TakeoutSidecar {
  private static let suffix = ".supplemental-metadata"
  /// Takeout shortens names to this length before it appends `.json`.
  private static let longestName = 46
  private static let mostBytes = 1 << 20

  /// Returns time and position of the sidecar, if the EXIF block lacks one of them.
  package static func metadata(besides path: String, lacking exif: PhotoMetadata) -> PhotoMetadata?
  {
    guard exif.position == nil || exif.capture == nil,
      let file = file(besides: path),
      let bytes = try? FileAccess.read(file, limit: mostBytes)
    else { return nil }
    return metadata(in: bytes)
  }

  /// Finds `IMG.jpg.json`, `IMG.jpg.supplemental-metadata.json` or a shortened form of these names.
  private static func file(besides path: String) -> String? {
    let folder = FileAccess.folder(of: path)
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let start = folder == "." && !path.contains("/") ? "" : String(path.dropLast(name.count))
    return names(for: name).lazy.map { start + $0 }.first { Directory.exists($0) }
  }

  /// The possible names of the sidecar, the most specific first.
  static func names(for photo: String) -> [String] {
    var found: [String] = []
    for (name, number) in bases(of: photo) {
      for length in stride(from: suffix.count, through: 0, by: -1) {
        found.append(name + suffix.prefix(length) + number + ".json")
      }
      if name.count > longestName { found.append(name.prefix(longestName) + number + ".json") }
    }
    return found
  }

  /// The name of the photo, and that of the original if it is a numbered or edited copy.
  ///
  /// The sidecar of `IMG(1).jpg` is `IMG.jpg(1).json`; that of `IMG-edited.jpg` is `IMG.jpg.json`.
  private static func bases(of photo: String) -> [(name: String, number: String)] {
    guard let type = photo.fileExtension.map({ "." + photo.suffix($0.count) }) else {
      return [(photo, "")]
    }
    let stem = photo.dropLast(type.count)
    var bases = [(photo, "")]
    if stem.hasSuffix("-edited") { bases.append((stem.dropLast("-edited".count) + type, "")) }
    if stem.last == ")", let open = stem.lastIndex(of: "("),
      Int(stem[stem.index(after: open)...].dropLast()) != nil
    {
      bases.append((stem[..<open] + type, String(stem[open...])))
    }
    return bases
  }

  static func metadata(in bytes: [UInt8]) -> PhotoMetadata? {
    guard
      case .object(let members)? = try? JSONReader.value(
        of: bytes, limits: .init(depth: 16, values: 10_000))
    else { return nil }
    var metadata = PhotoMetadata()
    metadata.position = position(members["geoData"]) ?? position(members["geoDataExif"])
    if case .object(let taken)? = members["photoTakenTime"],
      let seconds = taken["timestamp"]?.text.flatMap({ Int($0) })
    {
      setTime(of: &metadata, seconds)
    }
    return metadata
  }

  /// Returns a position; 0, 0 means unknown.
  private static func position(_ value: JSONValue?) -> Position? {
    guard case .object(let place)? = value, let latitude = place["latitude"]?.double,
      let longitude = place["longitude"]?.double, latitude != 0 || longitude != 0
    else { return nil }
    return Position(latitude: latitude, longitude: longitude)
  }

  /// Sets the time in UTC, or in the nautical time zone of the position, if it is known.
  private static func setTime(of metadata: inout PhotoMetadata, _ seconds: Int) {
    let hours = metadata.position.map { Int(($0.longitude / 15).rounded()) } ?? 0
    let (local, overflow) = seconds.addingReportingOverflow(3600 * hours)
    guard !overflow, let date = UTCDate(secondsSince1970: local) else { return }
    metadata.captureTime = EXIFTime(date.stamp)?.text
    metadata.captureTimeOffset =
      (hours < 0 ? "-" : "+") + Digits.padded(abs(hours), to: 2) + ":00"
  }
}
