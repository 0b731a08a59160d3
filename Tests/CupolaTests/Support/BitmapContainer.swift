import Synchronization

@testable import Cupola

/// A container for plain 24-bit bitmaps, to test that other formats can be added.
struct BitmapContainer: PhotoContainer {
  static let formats: Set<PhotoFormat> = [.bmp]
  static var openings: Int { counter.withLock(\.self) }
  private static let counter = Mutex(0)

  let width: Int
  let height: Int
  let components = 3
  let metadata: PhotoMetadata
  private let bytes: [UInt8]

  init(_ bytes: [UInt8], format: PhotoFormat) throws(CupolaError) {
    Self.counter.withLock { $0 += 1 }
    guard bytes.count >= 54 else { throw CupolaError.damagedPhoto(format, "cut short") }
    func number(at place: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
    (width, height, self.bytes) = (number(at: 18), number(at: 22), bytes)
    // Two bytes that the format reserves.
    var metadata = PhotoMetadata()
    metadata.orientation = Orientation(rawValue: Int(bytes[6])) ?? .up
    metadata.position = bytes[7] == 0 ? nil : Position(latitude: 48.3, longitude: Double(bytes[7]))
    self.metadata = metadata
  }

  func pixels(
    minimumWidth: Int, minimumHeight: Int, lenient: Bool
  ) throws(CupolaError) -> RGBImage {
    let stride = (width * 3 + 3) / 4 * 4
    guard bytes.count >= 54 + stride * height else {
      throw CupolaError.truncatedPhoto(.bmp, "\(bytes.count) bytes")
    }
    var pixels: [UInt8] = []
    for y in (0..<height).reversed() {
      for x in 0..<width {
        pixels += bytes[54 + y * stride + 3 * x..<57 + y * stride + 3 * x].reversed()
      }
    }
    return RGBImage(width: width, height: height, pixels: pixels)
  }

  static func file(_ image: RGBImage, orientation: Orientation = .up, longitude: UInt8 = 0)
    -> [UInt8]
  {
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 255) } }
    let padding = [UInt8](repeating: 0, count: (image.width * 3 + 3) / 4 * 4 - image.width * 3)
    var rows: [UInt8] = []
    for y in (0..<image.height).reversed() {
      for x in 0..<image.width {
        let at = 3 * (y * image.width + x)
        rows += image.pixels[at..<at + 3].reversed()
      }
      rows += padding
    }
    return Array("BM".utf8) + number(54 + rows.count) + [
      UInt8(orientation.rawValue), longitude, 0, 0,
    ]
      + number(54) + number(40) + number(image.width) + number(image.height) + [1, 0, 24, 0]
      + [UInt8](repeating: 0, count: 24) + rows
  }
}
