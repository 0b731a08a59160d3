/// A rectangle of a drawing: pixels, x to the right, y down.
struct DrawingBox: Equatable {
  var left: Double
  var top: Double
  var right: Double
  var bottom: Double

  init(left: Double, top: Double, right: Double, bottom: Double) {
    (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
  }

  /// About a point.
  init(_ middle: SIMD2<Double>, width: Double, height: Double) {
    self.init(
      left: middle.x - width / 2, top: middle.y - height / 2, right: middle.x + width / 2,
      bottom: middle.y + height / 2)
  }

  /// Around points; `nil` for none.
  init?(_ points: some Sequence<SIMD2<Double>>) {
    var low = SIMD2(Double.infinity, .infinity)
    var high = -low
    for point in points { (low, high) = (pointwiseMin(low, point), pointwiseMax(high, point)) }
    guard low.x <= high.x, low.y <= high.y else { return nil }
    self.init(left: low.x, top: low.y, right: high.x, bottom: high.y)
  }

  var width: Double { right - left }
  var height: Double { bottom - top }
  var middle: SIMD2<Double> { SIMD2((left + right) / 2, (top + bottom) / 2) }

  func grown(by pixels: Double) -> DrawingBox {
    DrawingBox(
      left: left - pixels, top: top - pixels, right: right + pixels, bottom: bottom + pixels)
  }

  func meets(_ other: DrawingBox) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }

  func holds(_ other: DrawingBox) -> Bool {
    left <= other.left && top <= other.top && right >= other.right && bottom >= other.bottom
  }

  func holds(_ point: SIMD2<Double>) -> Bool {
    (left...right).contains(point.x) && (top...bottom).contains(point.y)
  }
}
