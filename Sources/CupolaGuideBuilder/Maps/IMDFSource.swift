internal import CupolaGuide
internal import CupolaSupport

// 1. Find the files of an IMDF map in a folder, or in a zip or its only subfolder.
// 2. Read the bytes of a file.

/// The location of an IMDF map.
struct IMDFSource {
  let path: String
  private let place: Place

  private enum Place {
    case folder
    case archive(ZipArchive, [String: ZipMember])
  }

  static func folder(_ path: String) -> IMDFSource { IMDFSource(path: path, place: .folder) }

  private init(path: String, place: Place) { (self.path, self.place) = (path, place) }

  init(zip bytes: [UInt8], path: String) throws(MapReadError) {
    let archive: ZipArchive
    do throws(GuideError) {
      archive = try ZipArchive(path: path, size: bytes.count) { range throws(GuideError) in
        Array(bytes[range.clamped(to: bytes.indices)])
      }
    } catch {
      throw MapReadError(zip: error, path: path)
    }
    var folders: [String: [String: ZipMember]] = [:]
    for member in archive.members where !member.name.hasPrefix("__MACOSX/") {
      let parts = member.name.split(separator: "/", omittingEmptySubsequences: false)
      let folder = parts.dropLast().joined(separator: "/")
      folders[folder, default: [:]][String(parts.last ?? "")] = member
    }
    let venues = folders.filter { $0.value["manifest.json"] ?? $0.value["venue.geojson"] != nil }
    guard let venue = venues.first, venues.count == 1 else {
      throw .badZip(
        path: path,
        problem:
          "the zip contains \(venues.count) IMDF maps instead of 1; unpack it, and use one of its folders"
      )
    }
    self.init(path: path, place: .archive(archive, venue.value))
  }

  /// Returns the content of a file, or `nil` if it is missing.
  func bytes(of name: String) throws(MapReadError) -> [UInt8]? {
    guard case .archive(let archive, let members) = place else {
      let file = "\(path)/\(name)"
      return (try? FileAccess.size(of: file)) == nil ? nil : try MapFile.bytes(of: file)
    }
    guard let member = members[name] else { return nil }
    do throws(GuideError) {
      var stream = try archive.stream(of: member, limit: GuideMap.mostBytes)
      var bytes: [UInt8] = []
      while try stream.append(to: &bytes) {}
      return bytes
    } catch {
      throw MapReadError(zip: error, path: path)
    }
  }
}

extension MapReadError {
  fileprivate init(zip error: GuideError, path: String) {
    switch error {
    case .file(let error): self = .unreadable(error)
    case .badFile(_, let problem): self = .badZip(path: path, problem: problem)
    default: self = .badZip(path: path, problem: "damaged zip; download it again")
    }
  }
}
