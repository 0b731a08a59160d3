internal import CupolaSupport

// 1. Clean and escape text, and break it into lines.
// 2. Write elements and paths with `SVGMarkup`.

package enum DrawingText {
  package static func plain(_ text: String, most: Int = 160) -> String {
    let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(most)))
    let cut = text.unicodeScalars.count > most ? start + "…" : start
    return VisibleText.line(cut).split(separator: " ").joined(separator: " ")
  }

  static func label(_ text: String?) -> String? {
    text.map { plain($0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Formats pixels with at most one decimal place; 0 if the value is not finite.
  static func number(_ value: Double) -> String {
    guard value.isFinite else { return "0" }
    let tenths = Int((min(max(value, -1e7), 1e7) * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
    return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
  }

  static func width(_ text: String, size: Double) -> Double {
    text.reduce(0) { $0 + em($1) } * size
  }

  static func width(_ lines: [String], size: Double) -> Double {
    lines.reduce(0) { max($0, width($1, size: size)) }
  }

  private static func em(_ character: Character) -> Double {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    switch scalar {
    case "i", "j", "l", "I", ".", ",", ":", ";", "'", "!", "|", " ", "f", "t", "(", ")", "/", "-",
      "r", "[", "]":
      return 0.33
    case "m", "w", "M", "W", "@", "%", "…", "—": return 0.92
    case "a"..."z", "0"..."9": return 0.58
    case "A"..."Z": return 0.71
    default: break
    }
    if scalar.value >= 0x1F000 { return 1.35 }
    // Hangul, Han, Kana and their full-width punctuation.
    if (0x1100...0x11FF).contains(scalar.value) || (0x2E80...0xD7FF).contains(scalar.value)
      || (0xF900...0xFAFF).contains(scalar.value) || (0xFE30...0xFF60).contains(scalar.value)
    {
      return 1.02
    }
    return scalar.properties.generalCategory == .nonspacingMark ? 0 : 0.64
  }

  /// Breaks a text into lines of a maximum width, at most `most` lines; an ellipsis replaces the rest.
  static func lines(_ text: String, width: Double, size: Double, most: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ").flatMap({ pieces($0, width: width, size: size) }) {
      let longer = line.isEmpty ? word : line + " " + word
      if line.isEmpty || Self.width(longer, size: size) <= width {
        line = longer
      } else {
        lines.append(line)
        line = word
      }
    }
    if !line.isEmpty { lines.append(line) }
    guard lines.count > most, most > 0 else { return lines }
    return Array(lines.prefix(most - 1))
      + [shortened(lines[most - 1] + "…", width: width, size: size)]
  }

  private static func pieces(_ word: Substring, width: Double, size: Double) -> [String] {
    guard Self.width(String(word), size: size) > width else { return [String(word)] }
    var pieces = [""]
    for character in word {
      let longer = pieces[pieces.count - 1] + String(character)
      if longer.count > 1, Self.width(longer, size: size) > width {
        pieces.append(String(character))
      } else {
        pieces[pieces.count - 1] = longer
      }
    }
    return pieces
  }

  static func shortened(_ text: String, width: Double, size: Double) -> String {
    guard Self.width(text, size: size) > width else { return text }
    var start = text
    while !start.isEmpty, Self.width(start + "…", size: size) > width { start.removeLast() }
    while start.last == " " || start.last == "…" { start.removeLast() }
    return start + "…"
  }

  static func name(_ text: String, size: Double) -> [String] {
    let (one, most) = (size * 9, size * 18)
    let words = text.split(separator: " ").map(String.init)
    guard width(text, size: size) > one, words.count > 1 else {
      return [shortened(text, width: most, size: size)]
    }
    var best: (wide: Double, lines: [String]) = (.infinity, [text])
    for cut in 1..<words.count {
      let lines = [words[..<cut], words[cut...]].map { $0.joined(separator: " ") }
      let wide = width(lines, size: size)
      if wide < best.wide { best = (wide, lines) }
    }
    return best.lines.map { shortened($0, width: most, size: size) }
  }

  /// Formats a length, such as `85 m` or `1.2 km`; `nil` if it is invalid.
  static func length(_ meters: Double) -> String? {
    guard meters.isFinite, (0...1e8).contains(meters) else { return nil }
    if meters.rounded() < 1_000 { return "\(Int(meters.rounded())) m" }
    return number(meters / 1_000) + " km"
  }

  /// Formats a duration, such as `40 s`, `12 min` or `1 h 5 min`; `nil` if it is invalid.
  static func time(_ seconds: Double) -> String? {
    guard seconds.isFinite, (0...1e8).contains(seconds) else { return nil }
    if seconds < 55 { return "\(Int(seconds.rounded())) s" }
    let minutes = Int((seconds / 60).rounded())
    if minutes < 60 { return "\(minutes) min" }
    return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
  }
}

enum SVGMarkup {
  typealias Point = SIMD2<Double>

  static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String>, _ content: String = ""
  ) -> String {
    let list = attributes.map { " \($0.key)=\"\(DrawingText.escaped($0.value))\"" }.joined()
    return content.isEmpty ? "<\(name)\(list)/>\n" : "<\(name)\(list)>\(content)</\(name)>\n"
  }

  static func path(_ trace: String, _ style: String, _ content: String = "") -> String {
    trace.isEmpty ? "" : element("path", ["class": style, "d": trace], content)
  }

  static func path(_ trace: String, _ style: String, width: Double) -> String {
    guard !trace.isEmpty else { return "" }
    return element(
      "path", ["class": style, "stroke-width": DrawingText.number(width), "d": trace])
  }

  static func circle(_ middle: Point, radius: Double, _ style: String) -> String {
    element(
      "circle",
      [
        "class": style, "cx": DrawingText.number(middle.x), "cy": DrawingText.number(middle.y),
        "r": DrawingText.number(radius),
      ])
  }

  static func rectangle(_ box: DrawingBox, radius: Double = 0, _ style: String) -> String {
    element(
      "rect",
      [
        "class": style, "x": DrawingText.number(box.left), "y": DrawingText.number(box.top),
        "width": DrawingText.number(max(0, box.width)),
        "height": DrawingText.number(max(0, box.height)), "rx": DrawingText.number(radius),
      ])
  }

  /// Writes a text whose baseline is at a point; the style determines the alignment.
  static func text(
    _ text: String, at point: Point, size: Double, _ style: String, turned degrees: Double = 0
  ) -> String {
    let (x, y) = (DrawingText.number(point.x), DrawingText.number(point.y))
    let letters = DrawingText.number(size)
    let content = DrawingText.escaped(text)
    guard degrees != 0 else {
      return element("text", ["class": style, "x": x, "y": y, "font-size": letters], content)
    }
    let turn = "rotate(\(DrawingText.number(degrees)) \(x) \(y))"
    return element(
      "text",
      ["class": style, "x": x, "y": y, "dy": "0.35em", "font-size": letters, "transform": turn],
      content)
  }

  static func text(
    lines: [String], at middle: Point, size: Double, _ style: String
  ) -> String {
    let step = size * 1.15
    let top = middle.y - step * Double(lines.count - 1) / 2 + size * 0.35
    return lines.enumerated().map { index, line in
      text(line, at: Point(middle.x, top + step * Double(index)), size: size, style)
    }.joined()
  }

  static func shape(_ corners: [(x: Double, y: Double)], at point: Point, _ style: String) -> String
  {
    path(trace(corners.map { Point(point.x + $0.x, point.y + $0.y) }, isClosed: true), style)
  }

  static func title(_ text: String) -> String { "<title>\(DrawingText.escaped(text))</title>" }

  static func trace(_ points: some Sequence<Point>, isClosed: Bool = false) -> String {
    var trace = ""
    for point in points {
      trace += trace.isEmpty ? "M" : "L"
      trace += DrawingText.number(point.x) + " " + DrawingText.number(point.y)
    }
    return isClosed && !trace.isEmpty ? trace + "Z" : trace
  }
}
