/// What a C library says went wrong, as it left it in a fixed number of bytes.
enum DecoderMessage {
  /// The first line, up to the NUL; where there is none, that there is none.
  static func text<Buffer>(_ buffer: Buffer) -> String {
    unsafe withUnsafeBytes(of: buffer) { bytes in
      let line = unsafe bytes.prefix { $0 >= 0x20 }
      return unsafe line.isEmpty ? "no reason given" : String(decoding: line, as: UTF8.self)
    }
  }
}
