package import Cupola

/// Drawn pictures of striped buildings, and of a street, which is noise.
///
/// In this module because it is compiled with optimization, and tests draw thousands of pictures.
package enum StripedPicture {
  /// The direction of the stripes. The raw value and the seed determine the picture.
  package enum Direction: Int, Sendable {
    case across, down, diagonal, none
  }

  /// Draws a picture of 64x64 to 300x200 pixels.
  package static func draw(_ direction: Direction, seed: UInt64) -> RGBImage {
    var generator = SplitMix64(seed: seed * 4 + UInt64(direction.rawValue))
    let width = Int.random(in: 64...300, using: &generator)
    let height = Int.random(in: 64...200, using: &generator)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(3 * width * height)
    for y in 0..<height {
      for x in 0..<width {
        // The stripe width is relative to the size, because pictures are stretched to a square.
        let (column, row) = (x * 16 / width, y * 16 / height)
        let noise = Int.random(in: 0...1, using: &generator)
        let stripe =
          switch direction {
          case .across: column
          case .down: row
          case .diagonal: column + row
          case .none: noise
          }
        let base = stripe % 2 * 150
        for _ in 0..<3 {
          pixels.append(UInt8(base + Int.random(in: 0..<40, using: &generator)))
        }
      }
    }
    return RGBImage(width: width, height: height, pixels: pixels)
  }
}
