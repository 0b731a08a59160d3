internal import Cupola

// An image to draw on, with a font for captions.
// 1. Blend pixels, rectangles and lines.
// 2. Draw text with smooth strokes between dots in 5 columns; Latin letters lose their accents, and unsupported letters
//    become boxes.

struct Canvas {
  typealias Color = SIMD3<Double>

  static let black = Color(repeating: 20)
  static let white = Color(repeating: 255)
  let width: Int
  let height: Int
  private var pixels: [UInt8]

  init(width: Int, height: Int, color: Color) {
    self.width = width
    self.height = height
    pixels = [UInt8](repeating: 0, count: width * height * 3)
    for y in 0..<height { for x in 0..<width { set(x, y, color) } }
  }

  var image: RGBImage { RGBImage(width: width, height: height, pixels: pixels) }

  mutating func blend(_ x: Int, _ y: Int, _ color: Color, opacity: Double) {
    guard x >= 0, x < width, y >= 0, y < height else { return }
    let at = 3 * (y * width + x)
    let old = Color(Double(pixels[at]), Double(pixels[at + 1]), Double(pixels[at + 2]))
    set(x, y, old + (color - old) * opacity)
  }

  mutating func fill(x: Int, y: Int, width: Int, height: Int, _ color: Color) {
    for row in y..<y + max(0, height) {
      for column in x..<x + max(0, width) { blend(column, row, color, opacity: 1) }
    }
  }

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

  /// Draws a line of text, starting at its top left corner. Dots are `size` pixels apart.
  mutating func write(_ text: String, x: Int, y: Int, size: Int, _ color: Color) {
    for (index, character) in text.enumerated() {
      let left = x + index * PixelFont.advance * size
      guard left < width else { return }
      let strokes = PixelFont.strokes(of: character)
      for row in 0..<PixelFont.height * size {
        for column in 0..<PixelFont.advance * size {
          let point = SIMD2(Double(column) + 0.5, Double(row) + 0.5) / Double(size)
          let distance = strokes.reduce(Double.infinity) { min($0, $1.distance(to: point)) }
          let opacity = min(max((0.5 - distance) * Double(size) + 0.5, 0), 1)
          if opacity > 0 { blend(left + column, y + row, color, opacity: opacity) }
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

enum PixelFont {
  /// A line between the centers of two dots, in dots from the top left corner of the letter.
  struct Stroke {
    let start: SIMD2<Double>
    let way: SIMD2<Double>

    func distance(to point: SIMD2<Double>) -> Double {
      let length2 = (way * way).sum()
      let share = length2 > 0 ? min(max(((point - start) * way).sum() / length2, 0), 1) : 0
      let rest = point - start - way * share
      return (rest * rest).sum().squareRoot()
    }
  }

  static let advance = 6
  static let height = 9

  /// Connects each dot with its neighbors. Diagonal neighbors are connected only if no other dots connect them.
  static func strokes(of character: Character) -> [Stroke] {
    let rows = rows(of: character)
    func isSet(_ column: Int, _ row: Int) -> Bool {
      rows.indices.contains(row) && (0..<5).contains(column)
        && rows[row] & (16 >> UInt8(column)) != 0
    }
    var strokes: [Stroke] = []
    for row in rows.indices {
      for column in 0..<5 where isSet(column, row) {
        let start = SIMD2(Double(column) + 0.5, Double(row) + 0.5)
        var ways: [SIMD2<Double>] = [.zero]
        if isSet(column + 1, row) { ways.append([1, 0]) }
        if isSet(column, row + 1) { ways.append([0, 1]) }
        for side in [-1, 1] where isSet(column + side, row + 1) {
          let isConnected = isSet(column + side, row) || isSet(column, row + 1)
          if !isConnected { ways.append([Double(side), 1]) }
        }
        strokes += ways.map { Stroke(start: start, way: $0) }
      }
    }
    return strokes
  }

  static func covers(_ text: String) -> Bool { text.allSatisfy { base($0) != nil } }

  /// The rows of a letter, from the top; each row has 5 bits, with the highest bit on the left.
  static func rows(of character: Character) -> [UInt8] {
    base(character).flatMap { drawn[$0] } ?? box
  }

  /// The letter if it has a glyph, or the letter without its accents.
  private static func base(_ character: Character) -> Character? {
    if drawn[character] != nil { return character }
    // A decomposed character starts with the base letter; the Unicode name of a composed character contains it.
    guard let scalar = character.unicodeScalars.first else { return nil }
    let plain = Character(scalar)
    if drawn[plain] != nil, character.unicodeScalars.dropFirst().allSatisfy(isMark) { return plain }
    let words = scalar.properties.name?.split(separator: " ") ?? []
    guard words.count > 4, words[0] == "LATIN", words[2] == "LETTER", words[4] == "WITH",
      words[3].count == 1
    else { return nil }
    return Character(words[1] == "SMALL" ? words[3].lowercased() : String(words[3]))
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .nonspacingMark
  }

  private static let box: [UInt8] = [31, 17, 17, 17, 17, 17, 31]

  private static let drawn: [Character: [UInt8]] = Dictionary(
    uniqueKeysWithValues: glyphs.split(separator: "\n").compactMap { line in
      guard let letter = line.first else { return nil }
      let rows = line.dropFirst().split(separator: " ").map { row in
        row.reduce(UInt8(0)) { $0 << 1 | ($1 == "#" ? 1 : 0) }
      }
      return (letter, rows)
    })

  private static let glyphs = #"""
      .....
    ! ..#.. ..#.. ..#.. ..#.. ..#.. ..... ..#..
    " .#.#. .#.#. .#.#.
    # .#.#. .#.#. ##### .#.#. ##### .#.#. .#.#.
    $ ..#.. .#### #.#.. .###. ..#.# ####. ..#..
    % ##..# ##..# ...#. ..#.. .#... #..## #..##
    & .##.. #..#. #.#.. .#... #.#.# #..#. .##.#
    ' ..#.. ..#.. .#...
    ( ...#. ..#.. .#... .#... .#... ..#.. ...#.
    ) .#... ..#.. ...#. ...#. ...#. ..#.. .#...
    * ..... #.#.# .###. ##### .###. #.#.#
    + ..... ..#.. ..#.. ##### ..#.. ..#..
    , ..... ..... ..... ..... ..... ..#.. ..#.. .#...
    - ..... ..... ..... .###.
    . ..... ..... ..... ..... ..... ..... ..#..
    / ....# ....# ...#. ..#.. .#... #.... #....
    0 .###. #...# #..## #.#.# ##..# #...# .###.
    1 ..#.. .##.. #.#.. ..#.. ..#.. ..#.. #####
    2 .###. #...# ....# ...#. ..#.. .#... #####
    3 ##### ...#. ..#.. ...#. ....# #...# .###.
    4 ...#. ..##. .#.#. #..#. ##### ...#. ...#.
    5 ##### #.... ####. ....# ....# #...# .###.
    6 ..##. .#... #.... ####. #...# #...# .###.
    7 ##### ....# ....# ...#. ..#.. ..#.. ..#..
    8 .###. #...# #...# .###. #...# #...# .###.
    9 .###. #...# #...# .#### ....# ...#. .##..
    : ..... ..... ..#.. ..... ..... ..#..
    ; ..... ..... ..#.. ..... ..... ..#.. ..#.. .#...
    < ...#. ..#.. .#... #.... .#... ..#.. ...#.
    = ..... ..... ##### ..... #####
    > .#... ..#.. ...#. ....# ...#. ..#.. .#...
    ? .###. #...# ....# ...#. ..#.. ..... ..#..
    @ .###. #...# #.### #.#.# #.### #.... .###.
    A ..#.. .#.#. #...# #...# ##### #...# #...#
    B ####. #...# #...# ####. #...# #...# ####.
    C .###. #...# #.... #.... #.... #...# .###.
    D ###.. #..#. #...# #...# #...# #..#. ###..
    E ##### #.... #.... ####. #.... #.... #####
    F ##### #.... #.... ####. #.... #.... #....
    G .###. #...# #.... #.### #...# #...# .####
    H #...# #...# #...# ##### #...# #...# #...#
    I .###. ..#.. ..#.. ..#.. ..#.. ..#.. .###.
    J ..### ...#. ...#. ...#. ...#. #..#. .##..
    K #...# #..#. #.#.. ##... #.#.. #..#. #...#
    L #.... #.... #.... #.... #.... #.... #####
    M #...# ##.## #.#.# #.#.# #...# #...# #...#
    N #...# ##..# ##..# #.#.# #..## #..## #...#
    O .###. #...# #...# #...# #...# #...# .###.
    P ####. #...# #...# ####. #.... #.... #....
    Q .###. #...# #...# #...# #.#.# #..#. .##.#
    R ####. #...# #...# ####. #.#.. #..#. #...#
    S .###. #...# #.... .###. ....# #...# .###.
    T ##### ..#.. ..#.. ..#.. ..#.. ..#.. ..#..
    U #...# #...# #...# #...# #...# #...# .###.
    V #...# #...# #...# #...# .#.#. .#.#. ..#..
    W #...# #...# #...# #.#.# #.#.# ##.## #...#
    X #...# .#.#. .#.#. ..#.. .#.#. .#.#. #...#
    Y #...# #...# .#.#. ..#.. ..#.. ..#.. ..#..
    Z ##### ....# ...#. ..#.. .#... #.... #####
    [ .##.. .#... .#... .#... .#... .#... .##..
    \ #.... #.... .#... ..#.. ...#. ....# ....#
    ] ..##. ...#. ...#. ...#. ...#. ...#. ..##.
    ^ ..#.. .#.#. #...#
    _ ..... ..... ..... ..... ..... ..... #####
    ` .#... ..#..
    a ..... ..... .###. ....# .#### #...# .####
    b #.... #.... ####. #...# #...# #...# ####.
    c ..... ..... .###. #...# #.... #...# .###.
    d ....# ....# .#### #...# #...# #...# .####
    e ..... ..... .###. #...# ##### #.... .###.
    f ..##. .#..# .#... ###.. .#... .#... .#...
    g ..... ..... .#### #...# #...# #...# .#### ....# .###.
    h #.... #.... ####. #...# #...# #...# #...#
    i ..#.. ..... .##.. ..#.. ..#.. ..#.. .###.
    j ...#. ..... ..##. ...#. ...#. ...#. ...#. #..#. .##..
    k #.... #.... #..#. #.#.. ##... #.#.. #..#.
    l .##.. ..#.. ..#.. ..#.. ..#.. ..#.. .###.
    m ..... ..... ##.#. #.#.# #.#.# #.#.# #.#.#
    n ..... ..... ####. #...# #...# #...# #...#
    o ..... ..... .###. #...# #...# #...# .###.
    p ..... ..... ####. #...# #...# #...# ####. #.... #....
    q ..... ..... .#### #...# #...# #...# .#### ....# ....#
    r ..... ..... #.##. ##..# #.... #.... #....
    s ..... ..... .#### #.... .###. ....# ####.
    t .#... .#... ###.. .#... .#... .#..# ..##.
    u ..... ..... #...# #...# #...# #...# .####
    v ..... ..... #...# #...# #...# .#.#. ..#..
    w ..... ..... #...# #...# #.#.# #.#.# .#.#.
    x ..... ..... #...# .#.#. ..#.. .#.#. #...#
    y ..... ..... #...# #...# #...# #...# .#### ....# .###.
    z ..... ..... ##### ...#. ..#.. .#... #####
    { ...#. ..#.. ..#.. .#... ..#.. ..#.. ...#.
    | ..#.. ..#.. ..#.. ..#.. ..#.. ..#.. ..#..
    } .#... ..#.. ..#.. ...#. ..#.. ..#.. .#...
    ~ ..... ..... .#..# #.#.# #..#.
    """#
}
