extension JournalMedia {
  /// The media whose names stand somewhere in bytes.
  static func named(in bytes: ArraySlice<UInt8>) -> Set<JournalMedia> {
    var media: Set<JournalMedia> = []
    for dot in bytes.indices where bytes[dot] == UInt8(ascii: ".") {
      guard dot - bytes.startIndex >= 64 else { continue }
      for ending in extensions {
        let name = bytes[(dot - 64)..<min(dot + 1 + ending.utf8.count, bytes.endIndex)]
        guard isName(name) else { continue }
        media.insert(JournalMedia(checkedName: String(decoding: name, as: UTF8.self)))
      }
    }
    return media
  }
}
