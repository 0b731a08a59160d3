internal import CupolaGuide
internal import CupolaSupport

/// The bytes of a file of a folder.
struct FileStream: ByteStream {
  private static let portion = 1 << 18

  private let path: String
  private let size: Int
  private var place = 0

  init(path: String, size: Int) { (self.path, self.size) = (path, size) }

  mutating func append(to bytes: inout [UInt8]) throws(GuideError) -> Bool {
    guard place < size else { return false }
    let range = place..<min(size, place + Self.portion)
    place = range.upperBound
    let path = path
    bytes += try GuideError.files { () throws(FileError) in
      try FileAccess.read(path, bytes: range)
    }
    return true
  }
}
