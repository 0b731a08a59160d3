/// What decoding a JPEG file takes, so that no file takes more than it may.
///
/// A file of two kilobytes can claim a hundred megapixels in hundreds of scans.
struct JPEGCost {
  /// Bytes that a decoder may take for a picture.
  static let mostBytes = 192 << 20
  /// Scans of one file; real ones have some ten.
  static let mostScans = 200
  /// Scans times megapixels: some ten of the largest picture.
  static let mostWork = 1000

  private let header: JPEGHeader
  private let scans: JPEGScans
  /// How often the picture is there: once more where it is turned, and where it has other samples.
  private let copies: Int

  init(_ header: JPEGHeader, _ scans: JPEGScans, isTurned: Bool) {
    (self.header, self.scans) = (header, scans)
    copies = 1 + (isTurned ? 1 : 0) + (header.components == 3 ? 0 : 1)
  }

  private var pixels: Int { header.width * header.height }

  /// Why the file is refused at any scale; `nil` when it is not.
  var refusal: String? {
    if scans.all.count > Self.mostScans { return "more than \(Self.mostScans) progressive scans" }
    guard scans.all.count * pixels <= Self.mostWork * 1_000_000 else {
      return "\(scans.all.count) progressive scans of \(pixels / 1_000_000) megapixels"
    }
    return nil
  }

  /// Whether a decoder that keeps all coefficients may have the memory for them.
  var fits: Bool { bytes(scale: 1) <= Self.mostBytes }

  /// The largest number of eighths, up to those wanted, for which memory may be taken.
  func scale(wanted: Int) -> Int {
    (1...wanted).last { bytes(scale: $0) <= Self.mostBytes } ?? 1
  }

  private func bytes(scale: Int) -> Int {
    let (width, height) = ((header.width * scale + 7) / 8, (header.height * scale + 7) / 8)
    return coefficients + copies * 3 * width * height
  }

  /// Two bytes a sample of every block, where the picture is known only after the last scan.
  private var coefficients: Int {
    guard scans.isBuffered else { return 0 }
    let units = header.units.across * header.units.down
    return header.parts.reduce(0) { $0 + 128 * units * $1.horizontal * $1.vertical }
  }
}
