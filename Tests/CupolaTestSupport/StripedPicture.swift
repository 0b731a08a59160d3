package import Cupola

/// Drawn pictures of buildings that have nothing but stripes, and of a street, which is noise.
///
/// Here and not with the tests of the command, because this module is compiled with optimization: they draw some thousand.
package enum StripedPicture {
  /// Which way the stripes go; the raw value chooses the picture together with the seed.
  package enum Direction: Int, Sendable {
    case across, down, diagonal, none
  }

  /// A picture of 64x64 to 300x200 pixels.
  package static func draw(_ direction: Direction, seed: UInt64) -> RGBImage {
    var generator = SplitMix64(seed: seed * 4 + UInt64(direction.rawValue))
    let width = Int.random(in: 64...300, using: &generator)
    let height = Int.random(in: 64...200, using: &generator)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(3 * width * height)
    for y in 0..<height {
      for x in 0..<width {
        // Stripes as wide in every photo as the square that it is stretched to.
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
