package import Cupola
internal import CupolaCampus

// 1. Find the JSON file that Google Takeout wrote next to a photo.
// 2. Read the time and the position from it.

/// The JSON file that Google Takeout writes next to a photo. It contains the time and the position, which can be missing
/// from EXIF after the export.
package struct TakeoutSidecar {
  package let bytes: [UInt8]
  package let metadata: PhotoMetadata

  private static let suffix = ".supplemental-metadata"
  /// Takeout shortens names to this length before it appends `.json`.
  private static let longestName = 46
  private static let mostBytes = 1 << 20
  /// The endings of edited copies, in the languages of Google Photos.
  private static let edits = [
    "-edited", "-effects", "-smile", "-mix", "-bearbeitet", "-bewerkt", "-edytowane", "-editado",
    "-ha editado", "-editat", "-modificato", "-modifié", "-編集済み",
  ]

  /// Returns the sidecar of a photo if its EXIF block lacks the time or the position.
  package static func find(besides path: String, lacking exif: PhotoMetadata) -> TakeoutSidecar? {
    guard exif.position == nil || exif.captureTime == nil else { return nil }
    return paths(besides: path).lazy.filter { Directory.exists($0) }.compactMap { file in
      guard let bytes = try? FileAccess.read(file, limit: mostBytes),
        let metadata = metadata(in: bytes)
      else { return nil }
      return TakeoutSidecar(bytes: bytes, metadata: metadata)
    }.first
  }

  /// The possible paths of the sidecar, the most specific first: `IMG.jpg.supplemental-metadata.json`, `IMG.jpg.json`,
  /// shortened forms of these names, and `IMG.json`.
  static func paths(besides path: String) -> [String] {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let folder = path.dropLast(name.count)
    var found: [String] = []
    for (stem, type, number) in bases(of: name) {
      let whole = stem + type
      for length in stride(from: suffix.count, through: 0, by: -1) {
        found.append(whole + suffix.prefix(length) + number)
      }
      if whole.count > longestName { found.append(whole.prefix(longestName) + number) }
      found.append(stem + number)
    }
    return found.map { folder + $0 + ".json" }
  }

  /// The parts of the name of the photo, and of the original if it is a numbered or edited copy.
  ///
  /// The sidecar of `IMG(1).jpg` is `IMG.jpg(1).json`; that of `IMG-edited.jpg` is `IMG.jpg.json`.
  private static func bases(of photo: String) -> [(stem: String, type: String, number: String)] {
    let type = photo.fileExtension.map { "." + photo.suffix($0.count) } ?? ""
    let whole = String(photo.dropLast(type.count))
    var bases = [(whole, type, "")]
    if whole.last == ")", let open = whole.lastIndex(of: "("),
      Digits.number(whole[whole.index(after: open)...].dropLast()) != nil
    {
      bases.append((String(whole[..<open]), type, String(whole[open...])))
    }
    for (stem, _, number) in bases {
      guard let edit = edits.first(where: { stem.hasSuffix($0) }) else { continue }
      bases.append((String(stem.dropLast(edit.count)), type, number))
    }
    return bases
  }

  /// Returns the time and the position; `nil` if the file is no sidecar, or contains neither.
  static func metadata(in bytes: [UInt8]) -> PhotoMetadata? {
    guard
      case .object(let members)? = try? JSONReader.value(
        of: bytes, limits: .init(depth: 16, values: 10_000))
    else { return nil }
    var metadata = PhotoMetadata()
    metadata.position = position(members["geoData"]) ?? position(members["geoDataExif"])
    if case .object(let taken)? = members["photoTakenTime"],
      let seconds = taken["timestamp"]?.text.flatMap({ Int($0) }), seconds != 0
    {
      setTime(of: &metadata, seconds)
    }
    return metadata.position == nil && metadata.captureTime == nil ? nil : metadata
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
