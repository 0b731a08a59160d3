internal import CupolaCampus
internal import CupolaSupport

extension GuideManifest {
  /// A file of a guide.
  public struct Part: Equatable, Sendable {
    /// What it is, such as `paths.bin`: 1 to 64 lower-case letters, digits, `-` and `.`, no dot first.
    public let name: String
    /// Its size, up to 256 MB.
    public let bytes: Int
    /// The SHA-256 (FIPS 180-4) of its bytes, 64 lower-case hexadecimal digits.
    public let sha256: String

    /// Bytes that a part may have.
    static let mostBytes = 256 << 20

    /// The name of its file: `paths.bin` lies in `paths-0123456789abcdef.bin`, after its digest.
    ///
    /// So a newer part never takes the place of an older one, and `guide.json` alone says which guide a folder is.
    public var file: String {
      let dot = name.firstIndex(of: ".") ?? name.endIndex
      return "\(name[..<dot])-\(sha256.prefix(16))\(name[dot...])"
    }

    /// - Throws: ``GuideError/partTooLarge(name:bytes:limit:)``.
    init(name: String, of bytes: [UInt8]) throws(GuideError) {
      precondition(Self.isName(name), "\(name) is no name of a part")
      try self.init(name: name, bytes: bytes.count, sha256: SHA256.hexadecimal(of: bytes))
    }

    /// - Throws: ``GuideError/partTooLarge(name:bytes:limit:)``.
    init(name: String, bytes: Int, sha256: String) throws(GuideError) {
      guard bytes <= Self.mostBytes else {
        throw .partTooLarge(name: name, bytes: bytes, limit: Self.mostBytes)
      }
      (self.name, self.bytes, self.sha256) = (name, bytes, sha256)
    }

    /// Whether a part may be called so: such a name cannot lead out of a folder.
    static func isName(_ text: String) -> Bool {
      (1...64).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: ".")
        && text.utf8.allSatisfy { byte in
          Digits.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
        }
    }

    /// Whether bytes are those of the part.
    func matches(_ bytes: [UInt8]) -> Bool {
      bytes.count == self.bytes && SHA256.hexadecimal(of: bytes) == sha256
    }

    /// The same of a file, which is read piece by piece; what cannot be read is not the part.
    func matches(fileAt path: String) -> Bool {
      guard (try? FileAccess.size(of: path)) == bytes else { return false }
      var hash = SHA256()
      for start in stride(from: 0, to: bytes, by: 1 << 20) {
        let range = start..<min(start + 1 << 20, bytes)
        guard let piece = try? FileAccess.read(path, bytes: range) else { return false }
        hash.update(piece)
      }
      return hash.hexadecimal() == sha256
    }
  }
}
