public import Cupola

// 1. Convert the photo to gray. 2. Interpolate the evidence between cells and blend it with the photo.
// 3. For hog features, draw the cell histograms.
// 4. Add a caption with both buildings and, if requested, the most similar training photo.
// 5. Write SVG, which supports text in any script.

/// Draws an explanation over its photo: orange for evidence for the label, blue for evidence against it.
///
/// For `hog` features, also draws the cell histograms as lines along edges; darker lines are stronger.
public struct ExplanationOverlay: Sendable {
  /// The maximum length of the drawn photo's longer side, in pixels; at least 32.
  public var maximumSide = 1024
  /// Smaller photos are enlarged to this length, but not beyond `maximumSide`.
  package var usualSide = 640
  /// Whether to add a caption with names and the color scale below the photo.
  public var hasCaption = true
  /// The first line of the caption, such as the answer; `nil` omits it.
  package var headline: String?

  /// Creates an overlay with default settings.
  public init() {}

  /// Explains a photo and draws the explanation as a JPEG without metadata.
  ///
  /// - Parameters:
  ///   - model: The model that classifies the photo.
  ///   - photo: The bytes of the photo file.
  ///   - label: The label to explain; see `Explainer.explain(_:label:against:)`.
  ///   - against: The label to compare with.
  ///   - maximumSide: The longer side of the image in pixels.
  ///   - caption: Whether to draw a caption below the photo.
  /// - Throws: `CupolaError` if the photo cannot be decoded or a label is unknown.
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

  /// Draws an explanation over its photo, as a JPEG without metadata.
  ///
  /// - Parameters:
  ///   - explanation: The explanation to draw.
  ///   - photo: The explained photo.
  ///   - campus: The map with the buildings' names; if `nil`, labels are shown.
  /// - Throws: `CupolaError` if the photo cannot be decoded.
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

  private static func gray(_ image: RGBImage, _ x: Int, _ y: Int) -> Canvas.Color {
    let at = 3 * (y * image.width + x)
    let luma =
      0.30 * Double(image.pixels[at]) + 0.59 * Double(image.pixels[at + 1])
      + 0.11 * Double(image.pixels[at + 2])
    return Canvas.Color(repeating: 60 + luma * (195.0 / 255))
  }
}

/// The evidence at each pixel of a drawn photo, in logits per 1% of the image area.
private struct EvidenceField {
  private let map: EvidenceMap
  /// For each column and row of pixels, the neighboring cells and the weight between them; `nil` outside the region.
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
  /// Draws the explanation next to the most similar training photo, explained with the same labels.
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

/// An explanation as SVG: the image with lines of text below it.
///
/// The viewer's fonts render names in any script, unlike the built-in font of JPEG and PNG files.
package struct ExplanationDrawing {
  private let picture: RGBImage
  private let jpeg: [UInt8]
  private let rows: [Row]

  /// The image width as a multiple of the font size, and the average letter width of wide fonts, such as DejaVu Sans,
  /// as a fraction of the font size. Narrower values would clip lines at the right edge.
  private static let lettersAcross = 36.0
  private static let (letterWidth, boldLetterWidth) = (0.6, 0.68)

  private struct Row {
    let text: String
    var isAnswer = false
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
    // The font size is at least 1 pixel, so letters are relatively larger in narrow images.
    let size = max(1, Int(Double(picture.width) / Self.lettersAcross))
    let shown = rows.flatMap { row -> [Row] in
      let letter = Double(size) * (row.isAnswer ? Self.boldLetterWidth : Self.letterWidth)
      let room = Int(Double(picture.width - 2 * size) / letter)
      return WrappedText.words(row.text, to: row.color == nil ? room : room - 2).enumerated().map {
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
