import Cupola

/// A photo to take: the scene, the camera and the file.
struct Photo {
  let label: String
  let number: Int
  let session: Session
  let scene: Scene
  let camera: Camera
  let east: Double
  let north: Double
  /// The EXIF orientation of the stored pixels.
  let orientation: Int

  var path: String { label + "/" + (number < 10 ? "0" : "") + "\(number).jpg" }

  func note(using random: inout SplitMix64) -> PhotoNote {
    let accuracy = random.range(3, 8)
    let direction = camera.heading + random.bell * 4
    return PhotoNote(
      taken: session.taken(number % 4, using: &random), zone: session.zone,
      latitude: Campus.latitude + (north + random.bell * accuracy * 0.5) / Campus.northScale,
      longitude: Campus.longitude + (east + random.bell * accuracy * 0.5) / Campus.eastScale,
      direction: direction - 360 * (direction / 360).rounded(.down), accuracy: accuracy,
      orientation: orientation)
  }

  /// The image as a phone stores it. Viewers rotate it according to the orientation.
  func storedPicture() -> RGBImage {
    let upright = Renderer(scene, camera).picture()
    if orientation == 1 { return upright }
    let turned = orientation != 3
    let width = turned ? upright.height : upright.width
    let height = turned ? upright.width : upright.height
    var pixels: [UInt8] = []
    pixels.reserveCapacity(upright.pixels.count)
    for row in 0..<height {
      for column in 0..<width {
        let (x, y) =
          switch orientation {
          case 6: (upright.width - 1 - row, column)
          case 8: (row, upright.height - 1 - column)
          default: (upright.width - 1 - column, upright.height - 1 - row)
          }
        let start = (y * upright.width + x) * 3
        pixels += upright.pixels[start..<start + 3]
      }
    }
    return RGBImage(width: width, height: height, pixels: pixels)
  }

  /// Returns an orientation. About one in eight photos is stored rotated.
  static func orientation(using random: inout SplitMix64) -> Int {
    let choice = random.whole(0...23)
    return choice == 0 ? 3 : (choice == 1 ? 8 : (choice == 2 ? 6 : 1))
  }
}
