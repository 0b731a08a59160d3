import ArgumentParser
import Cupola

/// How raw frames stand in a stream, by the names that ffmpeg has for it.
struct RawLayout: Equatable, Sendable {
  enum Format: String, CaseIterable, ExpressibleByArgument, Sendable {
    case rgb24, rgba, bgra, nv12, yuv420p
  }

  let format: Format
  let width: Int
  let height: Int

  /// Reads `640x480`.
  init?(size: String, format: Format) {
    let numbers = size.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let width = numbers[0], let height = numbers[1],
      (1...16_384).contains(width), (1...16_384).contains(height)
    else { return nil }
    (self.format, self.width, self.height) = (format, width, height)
  }

  /// Reads `nv12 640x480`, as ``description`` writes it.
  init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, let format = Format(rawValue: String(words[0])) else { return nil }
    self.init(size: String(words[1]), format: format)
  }

  var description: String { "\(format.rawValue) \(width)x\(height)" }

  /// Bytes of a frame.
  var count: Int { lumaOrPixels + 2 * chroma }

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

  /// Looks at a frame.
  ///
  /// - Parameter bytes: as many as a frame has.
  func update(
    _ live: inout LiveRecognizer, _ bytes: [UInt8], at position: Position?, heading: Heading?,
    time: Double
  ) throws(CupolaError) -> LiveAnswer {
    let all = bytes.span
    switch format {
    case .rgb24, .rgba, .bgra:
      let kind: CameraFrame.Format =
        format == .rgb24 ? .rgb : format == .rgba ? .rgba : .bgra
      let frame = CameraFrame(
        pixels: all, format: kind, width: width, height: height,
        bytesPerRow: lumaOrPixels / height)
      return try live.update(frame, at: position, heading: heading, time: time)
    case .nv12:
      let frame = CameraFrame(
        luma: all.extracting(0..<lumaOrPixels), bytesPerRow: width,
        chroma: all.extracting(lumaOrPixels..<count), chromaBytesPerRow: 2 * ((width + 1) / 2),
        encoding: YCbCr(range: .video), width: width, height: height)
      return try live.update(frame, at: position, heading: heading, time: time)
    case .yuv420p:
      let frame = CameraFrame(
        luma: all.extracting(0..<lumaOrPixels), bytesPerRow: width,
        cb: all.extracting(lumaOrPixels..<lumaOrPixels + chroma),
        cr: all.extracting(lumaOrPixels + chroma..<count), chromaBytesPerRow: (width + 1) / 2,
        encoding: YCbCr(range: .video), width: width, height: height)
      return try live.update(frame, at: position, heading: heading, time: time)
    }
  }
}
