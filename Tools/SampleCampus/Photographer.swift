import Cupola

struct Photographer {
  private static let trainingDays: [Weather] = [.sunny, .cloudy, .dusk, .rain]
  private static let testDays: [[Weather]] = [
    [.sunny, .rain], [.cloudy, .dusk], [.sunny, .cloudy], [.dusk, .sunny], [.cloudy, .rain],
  ]

  private let index: Int
  private let building: Building
  private var random: SplitMix64
  private var places: [Vector] = []

  init(building index: Int) {
    self.index = index
    building = Campus.buildings[index]
    random = SplitMix64(seed: 1000 + UInt64(index))
  }

  /// Returns twelve training photos from four days, followed by four test photos from two other days.
  mutating func photos() -> [Photo] {
    var photos: [Photo] = []
    for day in 0..<6 {
      let isTest = day > 3
      let weathers = isTest ? Self.testDays[index % Self.testDays.count] : Self.trainingDays
      let session = Session(
        group: "\(building.label)_d\(day + 1)", split: isTest ? "test" : "train",
        weather: weathers[isTest ? day - 4 : (day + index) % 4], using: &random)
      for shot in 0..<(isTest ? 2 : 3) {
        // Training positions are evenly spaced along the front of the building; test positions are random.
        let slot = Double(shot * 4 + day) + random.unit
        let bearing = isTest ? random.range(-45, 45) : -52 + slot * 104 / 12
        photos.append(photo(photos.count + 1, session, bearing: bearing))
      }
    }
    return photos
  }

  private mutating func photo(_ number: Int, _ session: Session, bearing: Double) -> Photo {
    var scene = Scene(ground: .campus, light: session.light)
    scene.light.exposure *= random.range(0.82, 1.2)
    scene.light.tint = Vector(random.range(0.95, 1.06), 1, random.range(0.93, 1.07))
    for (owner, other) in Campus.buildings.enumerated() {
      scene.add(other.massing, at: other.frame, owner: owner, seed: owner * 977)
    }
    CampusTrees.plant(in: &scene)
    let bare = scene
    var camera = aim(bearing)
    for attempt in 0..<40 {
      scene = bare
      dress(&scene, before: camera)
      let isNew = session.split == "train" || places.allSatisfy { ($0 - camera.place).length > 4 }
      if isNew && scene.share(of: index, seenBy: camera) > 0.13 { break }
      camera = aim(bearing + random.bell * Double(attempt) * 0.8)
    }
    places.append(camera.place)
    return Photo(
      label: building.label, number: number, session: session, scene: scene, camera: camera,
      east: camera.place.x, north: camera.place.y,
      orientation: Photo.orientation(using: &random))
  }

  private mutating func aim(_ bearing: Double) -> Camera {
    let size = max(building.width, building.height * 1.2)
    let near = 14 + size * 0.38
    let distance = random.range(near, near + 36)
    let azimuth = building.frame.facing + bearing
    let origin = building.frame.origin
    let place = Vector(
      origin.x + Angle.sine(azimuth) * distance, origin.y + Angle.cosine(azimuth) * distance, 1.6)
    let isTall = building.height > 30
    let lift = (building.height * 0.42 - 1.6) / distance
    let pitch = Angle.radians(x: 1, y: lift) / Angle.degree
    return Camera(
      place: place, heading: azimuth + 180 + random.bell * 5, pitch: pitch + random.bell * 2.5,
      roll: random.bell * 1.5, portrait: random.unit < (isTall ? 0.75 : 0.2))
  }

  /// Sometimes places people, lamp posts, trees and cars between camera and building.
  private mutating func dress(_ scene: inout Scene, before camera: Camera) {
    func place(_ ahead: Double, _ side: Double) -> Frame {
      let east = Angle.sine(camera.heading)
      let north = Angle.cosine(camera.heading)
      return Frame(
        camera.place.x + east * ahead + north * side, camera.place.y + north * ahead - east * side,
        facing: random.unit * 360)
    }
    for person in 0..<random.whole(0...4) {
      let ahead = random.range(6, 28)
      let frame = place(ahead, random.range(-0.6, 0.6) * ahead)
      scene.add(Props.person(seed: Int(random.unit * 1e6)), at: frame, seed: person)
    }
    if random.unit < 0.4 {
      let ahead = random.range(7, 20)
      scene.add(Props.lampPost(), at: place(ahead, random.range(-0.5, 0.5) * ahead))
    }
    if random.unit < 0.45 {
      let ahead = random.range(9, 20)
      let side = (random.unit < 0.5 ? -1 : 1) * random.range(0.25, 0.6) * ahead
      let tree = Props.tree(
        height: random.range(6, 11), leaf: scene.light.leaf, seed: Int(random.unit * 1e6))
      scene.add(tree, at: place(ahead, side), seed: Int(random.unit * 1e4))
    }
    if random.unit < 0.2 {
      let ahead = random.range(10, 18)
      let color = Vector(random.unit, random.unit, random.unit) * 0.5
      scene.add(Props.car(color), at: place(ahead, random.range(-0.5, 0.5) * ahead))
    }
    if random.unit < 0.2 {
      let ahead = random.range(5, 10)
      scene.add(Props.bench(), at: place(ahead, random.range(-0.5, 0.5) * ahead))
    }
  }
}
