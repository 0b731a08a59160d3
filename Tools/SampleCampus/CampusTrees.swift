import Cupola

/// The campus trees, which are the same in every photo. The leaf color depends on the season.
enum CampusTrees {
  private static let places: [(east: Double, north: Double)] = {
    var random = SplitMix64(seed: 77)
    var places: [(east: Double, north: Double)] = []
    while places.count < 90 {
      let east = random.range(-250, 250)
      let north = random.range(-200, 200)
      let isFree = Campus.buildings.allSatisfy { building in
        let x = east - building.frame.origin.x
        let y = north - building.frame.origin.y
        // Keep the view of a building's front free.
        let ahead = x * Angle.sine(building.frame.facing) + y * Angle.cosine(building.frame.facing)
        let reach = max(building.width, building.depth) / 2 + (ahead > 4 ? 26 : 5)
        return x * x + y * y > reach * reach
      }
      if isFree { places.append((east, north)) }
    }
    return places
  }()

  static func plant(in scene: inout Scene) {
    for (index, place) in places.enumerated() {
      let size = Noise.hash(index, 1, 21)
      let tint = Vector(gray: 0.8) + Vector(0.4, 0.3, 0.2) * Noise.hash(index, 2, 21)
      let frame = Frame(place.east, place.north, facing: size * 360)
      let tree =
        Noise.hash(index, 3, 21) < 0.2
        ? Props.conifer(height: 8 + 8 * size)
        : Props.tree(height: 6 + 8 * size, leaf: scene.light.leaf * tint, seed: index)
      scene.add(tree, at: frame, seed: index * 131)
    }
  }
}
