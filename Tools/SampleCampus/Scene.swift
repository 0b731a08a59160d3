struct Scene {
  var ground: Ground
  var light: Light
  private(set) var solids: [Solid] = []
  private(set) var finishes: [Finish] = []

  init(ground: Ground, light: Light) {
    self.ground = ground
    self.light = light
  }

  mutating func add(_ massing: Massing, at frame: Frame, owner: Int = -1, seed: Int = 0) {
    for (index, part) in massing.parts.enumerated() {
      let cosine = Angle.cosine(part.turn)
      let sine = Angle.sine(part.turn)
      finishes.append(part.wall)
      finishes.append(part.roof)
      solids.append(
        Solid(
          shape: part.shape, base: frame.place(part.x, part.y, part.z),
          axisX: frame.axisX * cosine - frame.axisY * sine,
          axisY: frame.axisY * cosine + frame.axisX * sine,
          halfX: part.width / 2, halfY: part.depth / 2, height: part.height,
          insetX: part.insetX, insetY: part.insetY, edge: part.edge,
          finish: finishes.count - 2, roof: finishes.count - 1, owner: owner,
          seed: seed + index * 31))
    }
  }

  func nearest(_ ray: Ray, among candidates: [Int]) -> (solid: Int, crossing: Crossing) {
    var best = Crossing.miss
    var found = -1
    for index in candidates {
      let crossing = solids[index].crossing(ray)
      if crossing.distance < best.distance {
        best = crossing
        found = index
      }
    }
    return (found, best)
  }

  /// Returns the candidates that a cone of rays may intersect.
  func visible(
    from place: Vector, along axis: Vector, spread: Double, among candidates: [Int]
  ) -> [Int] {
    candidates.filter { index in
      let offset = solids[index].center - place
      let ahead = offset.dot(axis)
      let radius = solids[index].radius
      let square = offset.dot(offset) - ahead * ahead
      let reach = radius * (1 + spread) + max(ahead, 0) * spread + 0.01
      return ahead > -radius && square <= reach * reach
    }
  }

  /// The fraction of the image that one owner's solids cover.
  func share(of owner: Int, seenBy camera: Camera) -> Double {
    let all = visible(
      from: camera.place,
      along: camera.direction(
        Double(camera.width) / 2, Double(camera.height) / 2),
      spread: 0.9, among: Array(solids.indices))
    var hits = 0
    for row in 0..<12 {
      for column in 0..<12 {
        let direction = camera.direction(
          (Double(column) + 0.5) * Double(camera.width) / 12,
          (Double(row) + 0.5) * Double(camera.height) / 12)
        let found = nearest(Ray(origin: camera.place, direction: direction), among: all).solid
        if found >= 0 && solids[found].owner == owner { hits += 1 }
      }
    }
    return Double(hits) / 144
  }
}
