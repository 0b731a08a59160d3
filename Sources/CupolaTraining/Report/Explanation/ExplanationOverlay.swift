public import Cupola

// Draws an explanation over its photo.
// 1. The photo becomes gray; 2. evidence is interpolated between cells and blended in.
// 3. hog features also show the histograms of their cells; 4. a caption names both buildings.
// 5. Beside it perhaps the most similar training photo; or all as SVG with text in any script.

/// Draws an explanation over its photo: a gray picture, orange where it speaks for the label, blue
/// where it speaks for the other.
///
/// Explanations of `hog` features also show the histograms of their cells, as edges see them: dark
/// lines along the edges, the darker the stronger.
public struct ExplanationOverlay: Sendable {
  /// The longest side of the photo within the picture, in pixels; 32 or more.
  public var maximumSide = 1024
  /// Photos with a shorter longest side are enlarged to this, or to `maximumSide` where that is less.
  package var usualSide = 640
  /// Whether names, probabilities and the scale stand below the photo.
  public var hasCaption = true
  /// What stands first in the caption, such as the answer; `nil` for nothing.
  package var headline: String?

  /// An overlay with the usual sizes and a caption.
  public init() {}

  /// Explains a photo, and draws that, as a JPEG without any metadata.
  ///
  /// - Parameters:
  ///   - model: what is explained.
  ///   - photo: the bytes of an image file.
  ///   - label: what to explain, and `against` what; see `Explainer.explain(_:label:against:)`.
  ///   - against: see `label`.
  ///   - maximumSide: see ``maximumSide``.
  ///   - caption: see ``hasCaption``.
  /// - Throws: `CupolaError` as that does.
  public static func jpeg(
    model: Model, photo: [UInt8], label: String? = nil, against: String? = nil,
    maximumSide: Int = 1024, caption: Bool = true
  ) throws(CupolaError) -> [UInt8] {
    var overlay = ExplanationOverlay()
    overlay.maximumSide = maximumSide
    overlay.hasCaption = caption
    let photo = try PhotoDecoder().open(photo)
    let explanation = try Explainer(model: model).explain(photo, label: label, against: against)
    return try overlay.jpeg(explanation, photo: photo, campus: model.campus)
  }

  /// Draws an explanation over the photo that was explained, as a JPEG without any metadata.
  ///
  /// - Parameters:
  ///   - explanation: what is drawn.
  ///   - photo: the photo that it is about.
  ///   - campus: where the buildings' names are looked up; without it labels are shown.
  /// - Throws: `CupolaError` when the photo cannot be decoded.
  public func jpeg(
    _ explanation: Explanation, photo: Photo, campus: Campus? = nil
  ) throws(CupolaError) -> [UInt8] {
    try Self.jpeg(of: try image(explanation, photo: photo, campus: campus))
  }

  package static func jpeg(of picture: RGBImage) throws(CupolaError) -> [UInt8] {
    try JPEGEncoder.encode(picture, quality: 85)
  }

  package func image(
    _ explanation: Explanation, photo: Photo, campus: Campus? = nil
  ) throws(CupolaError) -> RGBImage {
    let picture = try scaled(photo)
    let caption = OverlayCaption(
      explanation, headline: headline, campus: campus, width: picture.width)
    var canvas = Canvas(
      width: picture.width, height: picture.height + (hasCaption ? caption.height : 0),
      color: Canvas.white)
    let scale = DivergingScale(explanation.map)
    let field = EvidenceField(explanation, width: picture.width, height: picture.height)
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        canvas.blend(x, y, Self.gray(picture, x, y), opacity: 1)
        let (color, opacity) = scale.color(of: field.density(x, y))
        canvas.blend(x, y, color, opacity: opacity)
      }
    }
    if let cells = explanation.cells {
      OrientationGlyphs(cells).draw(
        on: &canvas, over: explanation.region, width: picture.width, height: picture.height)
    }
    if hasCaption { caption.draw(on: &canvas, below: picture.height, scale) }
    return canvas.image
  }

  private func scaled(_ photo: Photo) throws(CupolaError) -> RGBImage {
    precondition(maximumSide >= 32, "a picture of \(maximumSide) pixels")
    let image = try photo.image(minimumWidth: maximumSide, minimumHeight: maximumSide)
    let longest = max(image.width, image.height)
    let side = min(maximumSide, max(longest, usualSide))
    func length(_ own: Int) -> Int { max(1, (own * side + longest / 2) / longest) }
    return AreaResampler.resize(
      image, region: PixelRect(x: 0, y: 0, width: image.width, height: image.height),
      width: length(image.width), height: length(image.height))
  }

  /// The photo's luma, lightened so that colors and lines stand out.
  private static func gray(_ image: RGBImage, _ x: Int, _ y: Int) -> Canvas.Color {
    let at = 3 * (y * image.width + x)
    let luma =
      0.30 * Double(image.pixels[at]) + 0.59 * Double(image.pixels[at + 1])
      + 0.11 * Double(image.pixels[at + 2])
    return Canvas.Color(repeating: 60 + luma * (195.0 / 255))
  }
}

/// The evidence at each pixel of a drawn photo, in logits in 1 % of the picture.
private struct EvidenceField {
  private let map: EvidenceMap
  /// For each column and row of the photo the place between two cells; `nil` outside what was looked at.
  private let columns: [(cell: Int, next: Int, share: Double)?]
  private let rows: [(cell: Int, next: Int, share: Double)?]

  init(_ explanation: Explanation, width: Int, height: Int) {
    map = explanation.map
    let region = explanation.region
    columns = Self.places(width, from: region.x, extent: region.width, cells: map.columns)
    rows = Self.places(height, from: region.y, extent: region.height, cells: map.rows)
  }

  func density(_ x: Int, _ y: Int) -> Double {
    guard let across = columns[x], let down = rows[y] else { return 0 }
    func row(_ index: Int) -> Double {
      map[across.cell, index] * (1 - across.share) + map[across.next, index] * across.share
    }
    let value = row(down.cell) * (1 - down.share) + row(down.next) * down.share
    return value * Double(map.columns * map.rows) / 100
  }

  private static func places(
    _ length: Int, from start: Double, extent: Double, cells: Int
  ) -> [(cell: Int, next: Int, share: Double)?] {
    (0..<length).map { pixel in
      let place = ((Double(pixel) + 0.5) / Double(length) - start) / extent
      guard place >= 0, place <= 1 else { return nil }
      let center = min(max(place * Double(cells) - 0.5, 0), Double(cells - 1))
      let cell = Int(center)
      return (cell, min(cell + 1, cells - 1), center - Double(cell))
    }
  }
}

extension ExplanationOverlay {
  /// Draws the training photo that the picture resembles most beside it, both explained by the same labels.
  package func image(
    _ explanation: Explanation, photo: Photo,
    beside match: (explanation: Explanation, photo: Photo), campus: Campus? = nil
  ) throws(CupolaError) -> RGBImage {
    let own = try image(explanation, photo: photo, campus: campus)
    var plain = self
    plain.hasCaption = false
    let other = try plain.image(match.explanation, photo: match.photo)
    let start = own.width + 12
    var canvas = Canvas(
      width: start + other.width, height: max(own.height, other.height), color: Canvas.white)
    canvas.paste(own, x: 0)
    canvas.paste(other, x: start)
    return canvas.image
  }
}

extension Canvas {
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

/// An explanation as SVG: the picture, above lines of text in the fonts of whoever looks at it.
///
/// Names may be of any script, which the letters drawn into JPEG and PNG are not.
package struct ExplanationDrawing {
  private let picture: RGBImage
  private let jpeg: [UInt8]
  private let rows: [Row]

  /// The size of letters as a part of the width, and how wide they are beside that.
  private static let lettersAcross = 36.0
  private static let letterWidth = 0.52

  private struct Row {
    let text: String
    var isAnswer = false
    /// Of the square before it, where it tells what that color speaks for.
    var color: Canvas.Color?
  }

  package init(
    _ explanation: Explanation, photo: Photo, lines: [String], names: (String, String),
    overlay: ExplanationOverlay
  ) throws(CupolaError) {
    var overlay = overlay
    overlay.hasCaption = false
    picture = try overlay.image(explanation, photo: photo)
    jpeg = try ExplanationOverlay.jpeg(of: picture)
    rows =
      lines.prefix(1).map { Row(text: $0, isAnswer: true) }
      + [
        Row(text: "for " + names.0, color: DivergingScale.orange),
        Row(text: "for " + names.1, color: DivergingScale.blue),
      ] + lines.dropFirst().map { Row(text: $0) }
  }

  package var svg: String {
    // Of a narrow photo the letters are wider than that.
    let size = max(1, Int(Double(picture.width) / Self.lettersAcross))
    let room = Int(Double(picture.width - 2 * size) / (Double(size) * Self.letterWidth))
    let shown = rows.flatMap { row in
      // A square is as wide as two letters.
      WrappedText.words(row.text, to: row.color == nil ? room : room - 2).enumerated().map {
        Row(text: $1, isAnswer: row.isAnswer, color: $0 == 0 ? row.color : nil)
      }
    }
    let height = picture.height + size + shown.count * size * 7 / 5
    let drawn = shown.enumerated().map { index, row in
      svg(row, y: picture.height + size * 7 / 5 * (index + 1), size)
    }
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(picture.width)\""
      + " height=\"\(height)\" viewBox=\"0 0 \(picture.width) \(height)\""
      + " font-family=\"system-ui, sans-serif\">"
      + "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"
      + "<image width=\"\(picture.width)\" height=\"\(picture.height)\""
      + " href=\"\(ReportPictures.address(of: jpeg))\"/>" + drawn.joined() + "</svg>\n"
  }

  private func svg(_ row: Row, y: Int, _ size: Int) -> String {
    let square = row.color.map { color in
      "<rect x=\"\(size)\" y=\"\(y - size * 4 / 5)\" width=\"\(size * 4 / 5)\""
        + " height=\"\(size * 4 / 5)\" fill=\"rgb(\(Int(color.x)),\(Int(color.y)),\(Int(color.z)))\"/>"
    }
    return (square ?? "")
      + "<text x=\"\(size * (square == nil ? 2 : 5) / 2)\" y=\"\(y)\" font-size=\"\(size)\""
      + (row.isAnswer ? " font-weight=\"bold\"" : "")
      + ">\(HTMLEscaping.escaped(row.text))</text>"
  }
}
