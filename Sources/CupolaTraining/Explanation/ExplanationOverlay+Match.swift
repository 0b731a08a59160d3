package import Cupola

extension ExplanationOverlay {
  /// Draws an explanation with the training photo beside it that the picture resembles most: where the same colors
  /// are, both speak for the same.
  ///
  /// - Parameters:
  ///   - match: that photo, and its explanation with the same two labels.
  ///   - campus: where the buildings' names are looked up; without it labels are shown.
  /// - Throws: ``CupolaError`` when a photo cannot be decoded.
  package func image(
    _ explanation: Explanation, photo: Photo,
    beside match: (explanation: Explanation, photo: Photo),
    campus: Campus? = nil
  ) throws(CupolaError) -> RGBImage {
    let own = try image(explanation, photo: photo, campus: campus)
    var plain = self
    plain.hasCaption = false
    let other = try plain.image(match.explanation, photo: match.photo)
    var canvas = Canvas(
      width: own.width + Self.gap + other.width, height: max(own.height, other.height),
      color: Canvas.white)
    canvas.paste(own, x: 0)
    canvas.paste(other, x: own.width + Self.gap)
    return canvas.image
  }

  /// White pixels between both.
  private static let gap = 12
}

extension Canvas {
  /// Puts a picture at the upper edge.
  fileprivate mutating func paste(_ image: RGBImage, x: Int) {
    for row in 0..<image.height {
      for column in 0..<image.width {
        let at = 3 * (row * image.width + column)
        let color = Color(
          Double(image.pixels[at]), Double(image.pixels[at + 1]), Double(image.pixels[at + 2]))
        blend(x + column, row, color, opacity: 1)
      }
    }
  }
}
