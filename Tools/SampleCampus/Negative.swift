import Cupola

/// Kinds of objects other than buildings that people photograph on a campus.
enum Negative: CaseIterable {
  case lawn, path, bench, car, people, sky, bicycle, flowers, paving, board, corridor, desk

  func compose(_ light: Light, using random: inout SplitMix64) -> (scene: Scene, camera: Camera) {
    var scene = Scene(ground: ground, light: isIndoors ? Self.indoors(light) : light)
    if self == .paving { scene.light.seed = random.whole(0...999) }
    switch self {
    case .lawn, .path, .sky: greenery(&scene, &random)
    case .bench, .car, .bicycle, .board: thing(&scene, &random)
    case .people: crowd(&scene, &random)
    case .flowers: flowerBed(&scene, &random)
    case .paving: litter(&scene, &random)
    case .corridor: StillLife.corridor(&scene, &random)
    case .desk: StillLife.desk(&scene, &random)
    }
    return (scene, camera(&random))
  }

  private var isIndoors: Bool { self == .corridor || self == .desk }

  private var ground: Ground {
    switch self {
    case .path: .gravelPath
    case .paving: .paving
    case .corridor: .floor
    case .desk: .desk
    case .flowers: .meadow
    case .car: .gravelPath
    default: .lawn
    }
  }

  private static func indoors(_ light: Light) -> Light {
    var room = light
    room.sunColor = Vector(gray: 0.35)
    room.sun = Vector(-0.3, -0.5, 0.81)
    room.ambient = Vector(0.78, 0.75, 0.68)
    room.bounce = Vector(0.5, 0.48, 0.43)
    room.horizon = Vector(0.6, 0.58, 0.53)
    room.zenith = Vector(0.7, 0.68, 0.62)
    room.castsShadows = false
    room.fog = 0
    room.wet = 0
    room.lit = 0.5
    room.exposure = 1
    return room
  }

  /// A camera that faces a subject to the north, near the origin.
  private func camera(_ random: inout SplitMix64) -> Camera {
    let portrait = random.unit < (self == .people ? 0.7 : 0.3)
    let roll = random.bell * 2
    let turn = random.bell * 4
    func shot(_ away: Double, _ height: Double, _ pitch: Double) -> Camera {
      Camera(
        place: Vector(-away * Angle.sine(turn), -away, height), heading: turn, pitch: pitch,
        roll: roll, portrait: portrait)
    }
    switch self {
    case .lawn, .path: return shot(random.range(14, 22), 1.6, random.range(-6, 4))
    case .sky: return shot(20, 1.6, random.range(32, 60))
    case .bench: return shot(random.range(2.8, 5), 1.5, random.range(-16, -10))
    case .car: return shot(random.range(5, 8), 1.6, random.range(-10, -4))
    case .bicycle: return shot(random.range(2.2, 3.6), 1.4, random.range(-18, -12))
    case .board: return shot(random.range(2.4, 4.2), 1.6, random.range(-4, 2))
    case .people: return shot(random.range(1.9, 3.4), 1.6, random.range(-10, -3))
    case .flowers: return shot(random.range(1.4, 2), 1.1, random.range(-42, -30))
    case .paving: return shot(0, 1.5, random.range(-85, -50))
    case .corridor: return shot(random.range(0, 6), 1.6, random.range(-4, 2))
    case .desk: return shot(random.range(0.9, 1.1), 0.62, random.range(-34, -27))
    }
  }

  private func greenery(_ scene: inout Scene, _ random: inout SplitMix64) {
    let count = self == .sky ? random.whole(0...2) : 9
    for index in 0..<count {
      let away = self == .sky ? random.range(-12, -4) : random.range(-4, 45)
      let side = (random.unit < 0.5 ? -1 : 1) * random.range(3, 12 + max(away, 0) * 0.6)
      let height = random.range(6, 13)
      let tree =
        random.unit < 0.25
        ? Props.conifer(height: height)
        : Props.tree(height: height, leaf: scene.light.leaf, seed: Int(random.unit * 1e6))
      scene.add(tree, at: Frame(side, away, facing: random.unit * 360), seed: index * 17)
    }
    if self == .path, random.unit < 0.6 {
      scene.add(Props.bench(), at: Frame(2.6, random.range(-8, -2), facing: 250))
      scene.add(Props.lampPost(), at: Frame(-2.4, random.range(-6, 2), facing: 0))
    }
  }

  private func thing(_ scene: inout Scene, _ random: inout SplitMix64) {
    let turn = 180 + random.range(-25, 25)
    let frame = Frame(random.range(-0.4, 0.4), 0, facing: turn)
    let tint = Vector(random.unit, random.unit, random.unit)
    switch self {
    case .car:
      scene.add(Props.car(tint * 0.55 + Vector(gray: 0.02)), at: Frame(0, 0, facing: turn))
    case .bench: scene.add(Props.bench(Vector(0.34, 0.2, 0.1) * random.range(0.6, 1.3)), at: frame)
    case .bicycle:
      var bicycle = Massing()
      let paint = Finish(.bicycle, tint * 0.35 + Vector(gray: 0.02))
      bicycle.box(
        0, 0, 0, Bicycle.halfWidth * 2, 0.03, Bicycle.height, paint, edge: .bicycle)
      scene.add(bicycle, at: frame)
    default: scene.add(StillLife.board(tint), at: frame, seed: Int(random.unit * 1e4))
    }
    scene.add(
      Props.hedge(30, leaf: Vector(0.07, 0.15, 0.04)),
      at: Frame(0, random.range(3, 6), facing: 180 + random.range(-8, 8)), seed: 5)
    for index in 0..<3 {
      let tree = Props.tree(
        height: random.range(7, 12), leaf: scene.light.leaf, seed: Int(random.unit * 1e6))
      scene.add(tree, at: Frame(random.range(-14, 14), random.range(8, 16), facing: 0), seed: index)
    }
  }

  private func crowd(_ scene: inout Scene, _ random: inout SplitMix64) {
    for index in 0..<random.whole(2...4) {
      let frame = Frame(
        Double(index) * 0.65 - 0.9 + random.bell * 0.1, random.range(-0.3, 0.6),
        facing: 180 + random.range(-35, 35))
      scene.add(Props.person(seed: Int(random.unit * 1e6)), at: frame, seed: index)
    }
    for index in 0..<5 {
      let tree = Props.tree(
        height: random.range(6, 12), leaf: scene.light.leaf, seed: Int(random.unit * 1e6))
      scene.add(
        tree, at: Frame(random.range(-20, 20), random.range(12, 40), facing: 0), seed: index)
    }
  }

  private func flowerBed(_ scene: inout Scene, _ random: inout SplitMix64) {
    let tints = [
      Vector(0.75, 0.08, 0.1), Vector(0.8, 0.6, 0.05), Vector(0.55, 0.2, 0.6), Vector(gray: 0.75),
    ]
    let first = random.whole(0...3)
    for index in 0..<150 {
      var flower = Massing()
      let height = random.range(0.2, 0.42)
      let tint = tints[(first + index % 2) % 4] * random.range(0.7, 1.1)
      flower.round(.cone, 0, 0, 0, 0.025, height, Finish(.plain, Vector(0.08, 0.2, 0.04)))
      flower.round(
        .ball, 0, 0, height, random.range(0.09, 0.15), 0.06, Finish(.plain, tint))
      flower.round(.ball, 0, 0, height + 0.03, 0.04, 0.045, Finish(.plain, Vector(0.5, 0.35, 0.05)))
      scene.add(
        flower, at: Frame(random.range(-1.6, 1.6), random.range(-0.9, 2.4), facing: 0), seed: index)
    }
  }

  private func litter(_ scene: inout Scene, _ random: inout SplitMix64) {
    for index in 0..<random.whole(3...18) {
      var leaf = Massing()
      let tint = Vector(0.45, 0.2, 0.04) * random.range(0.5, 1.2)
      leaf.round(.ball, 0, 0, 0, 0.13, 0.015, Finish(.plain, tint), depth: 0.07)
      scene.add(
        leaf, at: Frame(random.range(-1.2, 1.2), random.range(-0.6, 2), facing: random.unit * 360),
        seed: index)
    }
  }
}
