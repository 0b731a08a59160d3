import Cupola

/// A rendered image without buildings, for example of a lawn, a path, a car, people or a desk.
enum DrawnNegative {
  /// Renders an image that depends only on its number. Twelve consecutive numbers show each kind once.
  static func picture(_ number: Int) -> RGBImage {
    // Use seeds that the sample campus does not use, because its test photos must not be used for training.
    var random = SplitMix64(seed: 7_000_000 + UInt64(number))
    let kinds = Negative.allCases
    let session = Session(
      group: "", split: "", weather: Weather.allCases[(number / kinds.count + number) % 4],
      using: &random)
    let picture = kinds[number % kinds.count].compose(session.light, using: &random)
    var scene = picture.scene
    scene.light.exposure *= random.range(0.85, 1.2)
    scene.light.tint = Vector(random.range(0.95, 1.06), 1, random.range(0.93, 1.07))
    return Renderer(scene, picture.camera).picture()
  }
}
