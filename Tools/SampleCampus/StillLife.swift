import Cupola

enum StillLife {
  static func board(_ tint: Vector) -> Massing {
    var board = Massing()
    let wood = Finish(.planks, Vector(0.22, 0.13, 0.07))
    let felt = Finish(.posters, tint * 0.2 + Vector(0.1, 0.08, 0.05))
    board.box(0, 0, 0.85, 2.2, 0.08, 1.5, wood)
    board.box(0, -0.03, 0.93, 2.04, 0.06, 1.34, felt)
    for side in [-1.15, 1.15] { board.box(side, 0, 0, 0.1, 0.1, 2.5, wood) }
    board.roof(0, 0, 2.42, 2.8, 0.6, 0.25, leanX: 0, leanY: 1, wood)
    return board
  }

  static func corridor(_ scene: inout Scene, _ random: inout SplitMix64) {
    var room = Massing()
    let tint = Vector(random.range(0.5, 0.7), random.range(0.5, 0.66), random.range(0.4, 0.6))
    var wall = Finish(.plain, tint)
    wall.plinth = 0.12
    wall.trim = tint * 0.4
    let step = random.range(3.4, 5)
    let leaf = Vector(random.range(0.1, 0.4), random.range(0.1, 0.25), 0.1)
    wall.windows = Openings(
      kind: .door, width: 1.05, height: 2.1, bay: step, floor: 99, sill: 0, trim: 0.1,
      frame: tint * 0.6, leaf: leaf)
    let half = random.range(1.1, 1.7)
    room.box(-half - 0.1, 0, 0, 0.2, 50, 2.9, wall)
    room.box(half + 0.1, 0, 0, 0.2, 50, 2.9, wall)
    let end = random.range(8, 22)
    var far = Finish(.plain, tint * 0.95)
    far.windows = Palette.glazing(1.4, 1.5, bay: 3, sill: 0.9)
    room.box(0, end, 0, half * 2 + 0.2, 0.2, 2.9, far)
    room.box(0, 0, 2.8, half * 2 + 0.4, 50, 0.2, Finish(.plain, Vector(gray: 0.72)))
    var lamp = Finish(.plain, Vector(gray: 0.9))
    lamp.lamp = 0.9
    for index in 0..<9 {
      room.box(0, Double(index) * 3 - 6, 2.74, 0.3, 1.3, 0.07, lamp, roof: lamp)
    }
    scene.add(room, at: Frame(0, 0, facing: 180))
    let board = Finish(.posters, Vector(0.3, 0.2, 0.1))
    var notices = Massing()
    notices.box(0, 0, 1, 1.6, 0.05, 1.1, board)
    scene.add(notices, at: Frame(-half + 0.03, random.range(4, 8), facing: 90), seed: 9)
    if random.unit < 0.6 {
      let person = Props.person(seed: Int(random.unit * 1e6))
      scene.add(person, at: Frame(random.range(-0.7, 0.7), random.range(5, 8), facing: 170))
    }
  }

  /// Books, a cup, papers and a screen on a wooden table. The table top takes the place of the ground.
  static func desk(_ scene: inout Scene, _ random: inout SplitMix64) {
    func put(_ thing: Massing, _ x: Double, _ y: Double, _ turn: Double) {
      scene.add(thing, at: Frame(x, y, facing: 180 + turn), seed: Int(x * 100))
    }
    let backdrop = Vector(random.range(0.2, 0.7), random.range(0.25, 0.6), random.range(0.2, 0.6))
    var wall = Massing()
    wall.box(0, 0, 0, 6, 0.1, 3, Finish(.plain, backdrop))
    put(wall, 0, 0.7, 0)
    for stack in 0..<2 {
      var books = Massing()
      for index in 0..<random.whole(1...4) {
        let tint = Vector(random.unit, random.unit, random.unit) * 0.5
        books.box(
          0, 0, Double(index) * 0.032, 0.24, 0.17, 0.03, Finish(.planks, Vector(gray: 0.7)),
          roof: Finish(.plain, tint), turn: random.range(-12, 12))
      }
      put(books, stack == 0 ? -0.42 : 0.4, random.range(-0.1, 0.35), random.range(-30, 30))
    }
    var cup = Massing()
    let glaze = Finish(.plain, Vector(random.unit, random.unit, random.unit) * 0.6)
    cup.round(.cone, 0, 0, 0, 0.08, 0.095, glaze)
    cup.round(.cone, 0, 0, 0.09, 0.068, 0.006, Finish(.plain, Vector(0.08, 0.04, 0.02)))
    put(cup, random.range(0.15, 0.3), random.range(-0.2, 0.1), 0)
    var screen = Massing()
    var glass = Finish(.plain, Vector(random.unit, random.unit, random.unit) * 0.3)
    glass.lamp = 0.35
    screen.box(
      0, 0, 0, 0.36, 0.25, 0.015, Finish(.plain, Vector(gray: 0.4)),
      roof: Finish(.planks, Vector(gray: 0.12)))
    screen.box(0, 0.13, 0.01, 0.36, 0.012, 0.24, glass)
    put(screen, random.range(-0.15, 0), random.range(0.1, 0.2), random.range(-12, 12))
    for sheet in 0..<3 {
      var paper = Massing()
      let white = Finish(.plain, Vector(0.78, 0.77, 0.73))
      paper.box(0, 0, 0.001 * Double(sheet), 0.21, 0.297, 0.002, white, roof: white)
      put(paper, random.range(-0.35, 0.3), random.range(-0.35, -0.15), random.range(-40, 40))
    }
    var pen = Massing()
    pen.box(
      0, 0, 0.003, 0.15, 0.01, 0.01, Finish(.plain, Vector(0.05, 0.08, 0.4)),
      roof: Finish(.plain, Vector(0.05, 0.08, 0.4)), turn: random.range(0, 180))
    put(pen, random.range(-0.2, 0.2), -0.25, 0)
  }
}
