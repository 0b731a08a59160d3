package import Cupola

/// How raw frames stand in a stream, by the names that ffmpeg has for it.
package struct RawLayout: Codable, Equatable, RawRepresentable, Sendable {
  package enum Format: String, CaseIterable, Sendable {
    case rgb24, rgba, bgra, nv12, yuv420p
  }

  let format: Format
  let width: Int
  let height: Int

  /// Reads `640x480`.
  package init?(size: String, format: Format) {
    let numbers = size.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let width = numbers[0], let height = numbers[1],
      (1...16_384).contains(width), (1...16_384).contains(height)
    else { return nil }
    (self.format, self.width, self.height) = (format, width, height)
  }

  /// Reads `nv12 640x480`.
  package init?(rawValue: String) {
    let words = rawValue.split(separator: " ")
    guard words.count == 2, let format = Format(rawValue: String(words[0])) else { return nil }
    self.init(size: String(words[1]), format: format)
  }

  package var rawValue: String { "\(format.rawValue) \(width)x\(height)" }

  /// Bytes of a frame.
  package var count: Int { lumaOrPixels + 2 * chroma }

  private var lumaOrPixels: Int {
    switch format {
    case .rgb24: 3 * width * height
    case .rgba, .bgra: 4 * width * height
    case .nv12, .yuv420p: width * height
    }
  }

  /// Bytes of one of two planes, or of half of their common one.
  private var chroma: Int {
    switch format {
    case .rgb24, .rgba, .bgra: 0
    case .nv12, .yuv420p: (width + 1) / 2 * ((height + 1) / 2)
    }
  }

  /// Looks at a frame as a camera's.
  ///
  /// - Throws: ``CupolaError/wrongFrameSize(bytes:needed:)``, and what `body` does.
  package func withFrame<Result>(
    _ bytes: [UInt8], _ body: (borrowing CameraFrame) throws(CupolaError) -> Result
  ) throws(CupolaError) -> Result {
    guard bytes.count == count else {
      throw .wrongFrameSize(bytes: bytes.count, needed: count)
    }
    let all = bytes.span
    switch format {
    case .rgb24, .rgba, .bgra:
      let kind: CameraFrame.Format =
        format == .rgb24 ? .rgb : format == .rgba ? .rgba : .bgra
      return try body(
        CameraFrame(
          pixels: all, format: kind, width: width, height: height,
          bytesPerRow: lumaOrPixels / height))
    case .nv12:
      return try body(
        CameraFrame(
          luma: all.extracting(0..<lumaOrPixels), bytesPerRow: width,
          chroma: all.extracting(lumaOrPixels..<count), chromaBytesPerRow: 2 * ((width + 1) / 2),
          encoding: YCbCr(range: .video), width: width, height: height))
    case .yuv420p:
      return try body(
        CameraFrame(
          luma: all.extracting(0..<lumaOrPixels), bytesPerRow: width,
          cb: all.extracting(lumaOrPixels..<lumaOrPixels + chroma),
          cr: all.extracting(lumaOrPixels + chroma..<count), chromaBytesPerRow: (width + 1) / 2,
          encoding: YCbCr(range: .video), width: width, height: height))
    }
  }

  /// A frame as a picture.
  ///
  /// - Throws: ``CupolaError/wrongFrameSize(bytes:needed:)``.
  func picture(_ bytes: [UInt8]) throws(CupolaError) -> RGBImage {
    try withFrame(bytes) { frame throws(CupolaError) in frame.picture }
  }
}
