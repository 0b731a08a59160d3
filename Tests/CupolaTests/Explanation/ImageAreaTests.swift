import Testing

@testable import Cupola

@Suite("Areas of a picture") struct ImageAreaTests {
  /// A picture of 64x64 pixels, by the color at each place.
  private static func areas(
    _ color: (_ x: Int, _ y: Int) -> [UInt8]
  ) -> [ImageArea] {
    let pixels = (0..<64).flatMap { y in (0..<64).flatMap { x in color(x, y) } }
    return ImageArea.areas(
      of: RGBImage(width: 64, height: 64, pixels: pixels), columns: 16, rows: 16)
  }

  private static func rows(_ areas: [ImageArea]) -> [String] {
    let letters: [ImageArea: Character] = [
      .sky: "s", .border: "b", .middle: "m", .elsewhere: ".",
    ]
    return (0..<16).map { row in String((0..<16).map { letters[areas[row * 16 + $0]] ?? "?" }) }
  }

  private static let brick: [UInt8] = [120, 60, 40]

  @Test("A dark photo has a border and a middle, but no sky")
  func plain() {
    let rows = Self.rows(Self.areas { _, _ in [30, 30, 30] })
    #expect(rows.first == String(repeating: "b", count: 16))
    #expect(rows[1] == "b" + String(repeating: ".", count: 14) + "b")
    #expect(rows[4] == "b...mmmmmmmm...b" && rows[11] == rows[4] && rows[12] == rows[1])
  }

  @Test(
    "Blue and bright flat regions at the top are sky",
    arguments: [[90, 130, 200], [225, 225, 230], [255, 255, 255]] as [[UInt8]])
  func sky(color: [UInt8]) {
    let rows = Self.rows(
      Self.areas { x, y in y < 16 || (x >= 48 && y < 32) ? color : Self.brick })
    #expect(rows[0..<4].allSatisfy { $0 == String(repeating: "s", count: 16) })
    #expect(rows[4] == "b...mmmmmmmmssss" && rows[7] == rows[4])
    #expect(rows[8] == "b...mmmmmmmm...b")
  }

  @Test("A bright wall or foreground is not sky")
  func wall() {
    let wall = Self.areas { _, y in y < 8 ? [40, 40, 40] : [230, 230, 230] }
    #expect(!wall.contains(.sky))
    let white = Self.areas { _, _ in [240, 240, 240] }
    #expect(Self.rows(white)[9].allSatisfy { $0 == "s" } && !Self.rows(white)[10].contains("s"))
  }

  @Test("A textured region is not sky")
  func structure() {
    let areas = Self.areas { x, y in
      (x + y).isMultiple(of: 2) ? [255, 255, 255] : [120, 120, 255]
    }
    #expect(!areas.contains(.sky))
  }
}
