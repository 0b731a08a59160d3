internal import CupolaCampus

/// Decodes a baseline JPEG at an eighth of its size, to the same samples as libjpeg in two thirds of the time.
///
/// At that size only the means of most blocks count. libjpeg takes the codes between them one by one; here
/// ``BlockCode`` passes over several at a look. What is not as cameras write it, and whatever is damaged, is left to
/// libjpeg and to what it says of it.
struct JPEGEighth {
  private let bytes: [UInt8]
  private let header: JPEGHeader
  private let scan: BaselineScan

  /// `nil` when the file is to be read by libjpeg.
  init?(_ bytes: [UInt8], _ header: JPEGHeader) {
    guard let scan = BaselineScan(bytes, header) else { return nil }
    (self.bytes, self.header, self.scan) = (bytes, header, scan)
  }

  /// The picture; `nil` when the data are damaged or end early.
  func picture() -> RGBImage? {
    let (width, height) = ((header.width + 7) / 8, (header.height + 7) / 8)
    let data = EntropyData(bytes.span, scan.start..<bytes.count)
    guard data.isInOrder, data.marker == JPEGMarkers.endOfImage else { return nil }
    let down = header.mostVertical
    var reader = UnitReader(scan, data, unitsAcross: header.units.across)
    var row = UnitRow(scan, unitsAcross: header.units.across)
    var pixels = [UInt8](repeating: 0, count: 3 * width * height)
    for number in 0..<header.units.down {
      guard reader.read(into: &row) else { return nil }
      for line in number * down..<min((number + 1) * down, height) {
        row.write(
          line: line - number * down, count: width, from: line * width, into: &pixels)
      }
    }
    guard reader.isAtEnd else { return nil }
    return RGBImage(width: width, height: height, pixels: pixels)
  }
}
