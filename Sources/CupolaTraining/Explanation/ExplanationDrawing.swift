package import Cupola

/// An explanation as SVG: the picture, above lines of text in the fonts of whoever looks at it.
///
/// Names may be of any script, which the letters drawn into JPEG and PNG are not.
package struct ExplanationDrawing {
  private let picture: RGBImage
  private let jpeg: [UInt8]
  private let lines: [String]

  /// The size of letters as a part of the width, and how wide they are beside that.
  private static let lettersAcross = 36.0
  private static let letterWidth = 0.52

  /// - Parameter lines: the answer first.
  /// - Throws: ``CupolaError`` when the photo cannot be decoded.
  package init(
    _ explanation: Explanation, photo: Photo, lines: [String], overlay: ExplanationOverlay
  ) throws(CupolaError) {
    var overlay = overlay
    overlay.hasCaption = false
    picture = try overlay.image(explanation, photo: photo)
    jpeg = try ExplanationOverlay.jpeg(of: picture)
    self.lines = lines
  }

  /// The file.
  package var svg: String {
    let size = Double(picture.width) / Self.lettersAcross
    let room = Int(Double(picture.width - 2 * Int(size)) / (size * Self.letterWidth))
    let rows = lines.enumerated().flatMap { index, line in
      Self.wrapped(line, to: room).map { (text: $0, isAnswer: index == 0) }
    }
    let height = Double(picture.height) + size * (1.4 * Double(rows.count) + 1)
    let texts = rows.enumerated().map { index, row in
      let y = Double(picture.height) + size * (1.4 * Double(index) + 1.4)
      return "<text x=\"\(Int(size))\" y=\"\(Int(y))\" font-size=\"\(Int(size))\""
        + (row.isAnswer ? " font-weight=\"bold\"" : "")
        + ">\(HTMLEscaping.escaped(row.text))</text>"
    }
    let sides = "width=\"\(picture.width)\" height=\"\(Int(height))\""
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" \(sides)"
      + " viewBox=\"0 0 \(picture.width) \(Int(height))\" font-family=\"system-ui, sans-serif\">"
      + "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"
      + "<image width=\"\(picture.width)\" height=\"\(picture.height)\""
      + " href=\"\(ReportPictures.address(of: jpeg))\"/>" + texts.joined() + "</svg>\n"
  }

  /// In lines of so many letters, where words allow it.
  private static func wrapped(_ text: String, to room: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= room {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
