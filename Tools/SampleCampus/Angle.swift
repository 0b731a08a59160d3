/// Trigonometry in degrees that uses only basic arithmetic, because the C library's sine varies in the last bit.
enum Angle {
  static let degree = 3.141592653589793 / 180

  static func sine(_ degrees: Double) -> Double {
    var turn = degrees - 360 * (degrees / 360).rounded()
    if turn > 90 { turn = 180 - turn }
    if turn < -90 { turn = -180 - turn }
    let x = turn * degree
    let q = x * x
    let tail = 1 - q / 42 * (1 - q / 72 * (1 - q / 110 * (1 - q / 156)))
    return x * (1 - q / 6 * (1 - q / 20 * tail))
  }

  static func cosine(_ degrees: Double) -> Double { sine(degrees + 90) }

  /// The angle of (x, y) from the x axis in radians, accurate to 0.1 degrees.
  static func radians(x: Double, y: Double) -> Double {
    let a = abs(x)
    let b = abs(y)
    if a + b == 0 { return 0 }
    let ratio = a > b ? b / a : a / b
    let q = ratio * ratio
    var angle =
      ratio * (0.9998660 - q * (0.3302995 - q * (0.1801410 - q * 0.0851330 + q * q * 0.0208351)))
    if b > a { angle = 90 * degree - angle }
    if x < 0 { angle = 180 * degree - angle }
    return y < 0 ? -angle : angle
  }
}
