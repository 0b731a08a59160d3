package import Cupola

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

  /// - Parameters:
  ///   - lines: the answer first.
  ///   - names: the building that orange speaks for, and the one that blue does.
  /// - Throws: ``CupolaError`` when the photo cannot be decoded.
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

  /// The file.
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
