internal import CupolaCampus

/// The digest of a whole model file: SHA-256 of all its bytes, with zeros where the digest itself stands.
///
/// It covers labels, map and recipe as well as tensors: no lost bit of a file gives another model.
package enum ModelSeal {
  /// The metadata entry that has the digest.
  static let key = "file_sha256"
  private static let digits = 64
  /// What stands for the digest while it is made.
  private static let blank = [UInt8](repeating: UInt8(ascii: "0"), count: digits)

  /// A file with the digest of all of it, and that of its tensors, which older versions ask for.
  ///
  /// - Throws: ``CupolaError/badModel(_:)`` when nobody could read it, because the texts are too large.
  package static func bytes(of file: SafeTensors) throws -> [UInt8] {
    var file = file
    file.metadata[ModelFile.tensorDigestKey] = ModelFile.digest(of: file.tensors)
    file.metadata[key] = String(decoding: blank, as: UTF8.self)
    var bytes = try file.bytes()
    guard let place = place(in: bytes) else { throw CupolaError.badModel(.wrongDigest) }
    bytes.replaceSubrange(place, with: SHA256.hexadecimal(of: bytes).utf8)
    return bytes
  }

  /// Whether a file is as it was when this digest was made.
  static func fits(_ bytes: [UInt8], digest: String) -> Bool {
    guard let place = place(in: bytes), bytes[place].elementsEqual(digest.utf8) else {
      return false
    }
    var hash = SHA256()
    hash.update(bytes.span.extracting(..<place.lowerBound))
    hash.update(blank)
    hash.update(bytes.span.extracting(place.upperBound...))
    return hash.hexadecimal() == digest
  }

  /// Where the digest stands; `nil` unless that is in one place.
  ///
  /// Within other texts of the header quotes are escaped, so that none looks like this.
  private static func place(in bytes: [UInt8]) -> Range<Int>? {
    guard let size = try? SafeTensorsIndex.headerSize(bytes.prefix(9), fileSize: bytes.count)
    else { return nil }
    let mark = Array("\"\(key)\":\"".utf8)
    let (header, searched) = (bytes.span.extracting(0..<8 + size), mark.span)
    var found: Range<Int>?
    for start in 8..<max(8, header.count - mark.count - digits)
    where header.matches(searched, at: start) {
      guard found == nil else { return nil }
      found = start + mark.count..<start + mark.count + digits
    }
    return found
  }
}
