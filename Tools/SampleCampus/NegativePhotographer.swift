import Cupola

/// Takes a campus's non-building photos.
struct NegativePhotographer {
  static let label = "_not_a_building"
  private var random = SplitMix64(seed: 4242)

  /// Returns photos from nine training sessions and three test sessions. Each session shows four kinds of objects.
  mutating func photos() -> [Photo] {
    var photos: [Photo] = []
    for day in 0..<12 {
      let isTest = day > 8
      let session = Session(
        group: "not_a_building_d\(day + 1)", split: isTest ? "test" : "train",
        weather: Weather.allCases[(day / 3 + day) % 4], using: &random)
      for shot in 0..<4 {
        let kind = Negative.allCases[(day * 4 + shot) % Negative.allCases.count]
        photos.append(photo(photos.count + 1, kind, session))
      }
    }
    return photos
  }

  private mutating func photo(_ number: Int, _ kind: Negative, _ session: Session) -> Photo {
    let picture = kind.compose(session.light, using: &random)
    var scene = picture.scene
    scene.light.exposure *= random.range(0.85, 1.2)
    scene.light.tint = Vector(random.range(0.95, 1.06), 1, random.range(0.93, 1.07))
    return Photo(
      label: Self.label, number: number, session: session, scene: scene, camera: picture.camera,
      east: random.range(-230, 230), north: random.range(-180, 180),
      orientation: Photo.orientation(using: &random))
  }
}
