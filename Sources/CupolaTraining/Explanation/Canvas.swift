import Cupola

/// A picture to draw on; what lies outside is left out.
struct Canvas {
  typealias Color = SIMD3<Double>

  static let black = Color(repeating: 20)
  static let white = Color(repeating: 255)

  let width: Int
  let height: Int
  private var pixels: [UInt8]

  /// A sheet of one color.
  init(width: Int, height: Int, color: Color) {
    self.width = width
    self.height = height
    pixels = [UInt8](repeating: 0, count: width * height * 3)
    for y in 0..<height { for x in 0..<width { set(x, y, color) } }
  }

  /// What is drawn.
  var image: RGBImage { RGBImage(width: width, height: height, pixels: pixels) }

  /// Paints one pixel over; `opacity` 0...1.
  mutating func blend(_ x: Int, _ y: Int, _ color: Color, opacity: Double) {
    guard x >= 0, x < width, y >= 0, y < height else { return }
    let at = 3 * (y * width + x)
    let old = Color(Double(pixels[at]), Double(pixels[at + 1]), Double(pixels[at + 2]))
    set(x, y, old + (color - old) * opacity)
  }

  /// Fills a rectangle.
  mutating func fill(x: Int, y: Int, width: Int, height: Int, _ color: Color) {
    for row in y..<y + max(0, height) {
      for column in x..<x + max(0, width) { blend(column, row, color, opacity: 1) }
    }
  }

  /// Draws a line of some pixels' thickness.
  mutating func line(
    from start: SIMD2<Double>, to end: SIMD2<Double>, thickness: Int, _ color: Color,
    opacity: Double
  ) {
    let way = end - start
    let isSteep = way.y.magnitude > way.x.magnitude
    let steps = max(1, Int(max(way.x.magnitude, way.y.magnitude).rounded(.up)))
    for step in 0...steps {
      let point = start + way * (Double(step) / Double(steps))
      let (x, y) = (Int(point.x.rounded(.down)), Int(point.y.rounded(.down)))
      for offset in 0..<thickness {
        let side = offset - thickness / 2
        blend(isSteep ? x + side : x, isSteep ? y : y + side, color, opacity: opacity)
      }
    }
  }

  /// Writes one line of text with its top left corner at `x`, `y`; letters are made of squares of `size` pixels.
  mutating func write(_ text: String, x: Int, y: Int, size: Int, _ color: Color) {
    for (index, character) in text.enumerated() {
      let left = x + index * PixelFont.advance * size
      guard left < width else { return }
      for (row, dots) in PixelFont.rows(of: character).enumerated() {
        for column in 0..<5 where dots & (16 >> UInt8(column)) != 0 {
          fill(
            x: left + column * size, y: y + row * size, width: size, height: size, color)
        }
      }
    }
  }

  private mutating func set(_ x: Int, _ y: Int, _ color: Color) {
    let at = 3 * (y * width + x)
    for channel in 0..<3 {
      pixels[at + channel] = UInt8(min(max(color[channel].rounded(), 0), 255))
    }
  }
}
