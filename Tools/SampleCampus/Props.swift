enum Props {
  static func tree(height: Double, leaf: Vector, seed: Int) -> Massing {
    var tree = Massing()
    let bark = Finish(.plain, Vector(0.12, 0.09, 0.06))
    let crown = Finish(.foliage, leaf)
    let wide = height * (0.5 + 0.2 * Noise.hash(seed, 1, 1))
    tree.round(.cone, 0, 0, 0, height * 0.07, height * 0.55, bark, taper: 0.5)
    tree.round(.ball, 0, 0, height * 0.3, wide, height * 0.68, crown, edge: .ragged)
    for lobe in 0..<3 {
      let angle = Double(lobe) * 120 + 90 * Noise.hash(seed, lobe, 2)
      tree.round(
        .ball, Angle.cosine(angle) * wide * 0.3, Angle.sine(angle) * wide * 0.3,
        height * (0.26 + 0.14 * Noise.hash(seed, lobe, 3)), wide * 0.72, height * 0.44, crown,
        edge: .ragged)
    }
    return tree
  }

  static func conifer(height: Double) -> Massing {
    var tree = Massing()
    tree.round(.cone, 0, 0, 0, 0.5, height * 0.3, Finish(.plain, Vector(0.1, 0.07, 0.05)))
    let needles = Finish(.foliage, Vector(0.05, 0.11, 0.06))
    for tier in 0..<3 {
      let share = 1 - Double(tier) * 0.25
      tree.round(
        .cone, 0, 0, height * (0.12 + 0.25 * Double(tier)), height * 0.42 * share,
        height * 0.42, needles, taper: 1, edge: .ragged)
    }
    return tree
  }

  static func person(seed: Int) -> Massing {
    var person = Massing()
    func tint(_ salt: Int) -> Double { Noise.hash(seed, salt, 17) }
    let skins = [Vector(0.55, 0.36, 0.27), Vector(0.32, 0.18, 0.11), Vector(0.45, 0.29, 0.2)]
    let skin = Finish(.plain, skins[Int(tint(1) * 3)])
    let coat = Finish(
      .plain, Vector(tint(2), tint(3), tint(4)) * 0.3 + Vector(gray: 0.02 + 0.15 * tint(8)))
    let trousers = Finish(.plain, Vector(0.06, 0.07, 0.12) * (0.5 + 2 * tint(5)))
    let hair = Finish(.plain, Vector(0.2, 0.13, 0.06) * (0.2 + tint(6)))
    let stride = 0.08 + 0.14 * tint(7)
    person.round(.cone, -0.09, -stride, 0, 0.19, 0.85, trousers, taper: -0.2)
    person.round(.cone, 0.09, stride, 0, 0.19, 0.85, trousers, taper: -0.2)
    person.round(.ball, 0, 0, 0.68, 0.4, 0.34, trousers, depth: 0.27)
    person.round(.cone, 0, 0, 0.8, 0.38, 0.62, coat, depth: 0.26, taper: -0.15)
    person.round(.ball, 0, 0, 1.28, 0.46, 0.26, coat, depth: 0.28)
    person.round(.ball, -0.25, -stride * 0.5, 0.75, 0.13, 0.7, coat)
    person.round(.ball, 0.25, stride * 0.5, 0.75, 0.13, 0.7, coat)
    person.round(.cone, 0, 0, 1.46, 0.11, 0.12, skin)
    person.round(.ball, 0, 0, 1.5, 0.2, 0.27, skin, depth: 0.22)
    person.round(.dome, 0, 0.02, 1.65, 0.23, 0.14, hair, depth: 0.25)
    return person
  }

  static func lampPost() -> Massing {
    var post = Massing()
    post.round(.cone, 0, 0, 0, 0.16, 4.2, Finish(.plain, Vector(0.04, 0.06, 0.05)), taper: 0.4)
    var globe = Finish(.plain, Vector(0.75, 0.74, 0.68))
    globe.lamp = 1.6
    post.round(.ball, 0, 0, 4.1, 0.5, 0.5, globe)
    return post
  }

  static func bench(_ wood: Vector = Vector(0.3, 0.17, 0.08)) -> Massing {
    var bench = Massing()
    let plank = Finish(.planks, wood)
    let iron = Finish(.plain, Vector(gray: 0.05))
    for slat in 0..<3 { bench.box(0, Double(slat) * 0.15 - 0.15, 0.43, 1.8, 0.12, 0.04, plank) }
    for slat in 0..<3 { bench.box(0, 0.28, 0.56 + Double(slat) * 0.15, 1.8, 0.03, 0.11, plank) }
    for side in [-0.75, 0.75] {
      bench.box(side, 0, 0, 0.06, 0.5, 0.43, iron)
      bench.box(side, 0.3, 0.4, 0.06, 0.03, 0.55, iron)
    }
    return bench
  }

  static func car(_ color: Vector) -> Massing {
    var car = Massing()
    var body = Finish(.plain, color)
    body.gloss = 0.12
    var glass = Finish(.plain, Vector(gray: 0.03))
    glass.gloss = 0.35
    let tyre = Finish(.plain, Vector(gray: 0.025))
    let rim = Finish(.plain, Vector(gray: 0.4))
    car.box(0, 0, 0.3, 4.2, 1.75, 0.52, body, roof: body)
    car.roof(0.1, 0, 0.82, 2.7, 1.6, 0.55, leanX: 0.36, leanY: 0.12, glass)
    car.box(0.1, 0, 1.36, 1.72, 1.4, 0.05, body, roof: body)
    for end in [-1.3, 1.3] {
      car.round(.ball, end, -0.82, 0, 0.66, 0.66, tyre, depth: 0.24)
      car.round(.ball, end, -0.9, 0.16, 0.34, 0.34, rim, depth: 0.2)
      car.round(.ball, end, 0.82, 0, 0.66, 0.66, tyre, depth: 0.24)
    }
    car.box(-2.08, 0.55, 0.6, 0.08, 0.35, 0.14, Finish(.plain, Vector(0.8, 0.8, 0.7)))
    car.box(-2.08, -0.55, 0.6, 0.08, 0.35, 0.14, Finish(.plain, Vector(0.8, 0.8, 0.7)))
    return car
  }

  static func hedge(_ length: Double, leaf: Vector) -> Massing {
    var hedge = Massing()
    hedge.box(0, 0, 0, length, 1.4, 1.5, Finish(.foliage, leaf), roof: Finish(.foliage, leaf))
    return hedge
  }
}
