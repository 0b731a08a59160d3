enum Palette {
  static let stone = Vector(0.56, 0.52, 0.44)
  static let whiteTrim = Vector(0.74, 0.72, 0.67)

  static func brick(_ color: Vector = Vector(0.33, 0.11, 0.07)) -> Finish {
    var finish = Finish(.brick, color)
    finish.trim = stone
    return finish
  }

  static func stoneWall(_ color: Vector = stone) -> Finish {
    var finish = Finish(.blocks, color)
    finish.trim = color * 1.1
    return finish
  }

  static func plaster(_ color: Vector) -> Finish {
    var finish = Finish(.plain, color)
    finish.trim = color * 0.85
    return finish
  }

  static let slate = Finish(.tiles, Vector(0.11, 0.12, 0.14))
  static let redTiles = Finish(.tiles, Vector(0.36, 0.12, 0.06))
  static let brownTiles = Finish(.tiles, Vector(0.2, 0.1, 0.06))

  static let copper: Finish = {
    var finish = Finish(.seams, Vector(0.2, 0.4, 0.32))
    finish.gloss = 0.05
    return finish
  }()

  static let concrete: Finish = {
    var finish = Finish(.panels, Vector(0.45, 0.44, 0.42))
    finish.trim = Vector(gray: 0.3)
    return finish
  }()

  static func door(width: Double, height: Double, _ leaf: Vector, head: Openings.Head = .flat)
    -> Openings
  {
    Openings(
      kind: .door, head: head, width: width, height: height, bay: width + 2, floor: 99, sill: 0,
      columns: 1, trim: 0.3, leaf: leaf)
  }

  static func glazing(
    _ width: Double, _ height: Double, bay: Double, floor: Double = 99, sill: Double,
    rows: Int = 1, head: Openings.Head = .flat
  ) -> Openings {
    Openings(
      kind: .glass, head: head, width: width, height: height, bay: bay, floor: floor,
      sill: sill, rows: rows)
  }
}
