/// A file of an archive as its directory tells of it.
struct ZipMember: Equatable {
  /// With slashes between folders.
  let name: String
  /// 0 stored, 8 DEFLATE.
  let method: Int
  let isEncrypted: Bool
  let crc: UInt32
  let compressedSize: Int
  let size: Int
  /// Where its own header begins.
  let offset: Int
  /// Where its data begins.
  var start = 0
}
