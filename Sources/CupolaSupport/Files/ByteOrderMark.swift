/// The three bytes by which editors on Windows mark a text as UTF-8 (Unicode 16.0, section 23.8); no part of the text.
package enum ByteOrderMark {
  /// How many bytes of a mark a text begins with: 3 or 0.
  package static func length(in text: [UInt8]) -> Int {
    text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }
}
