import Testing

@testable import Cupola

@Suite("Orientation") struct OrientationTests {
  /// Where the stored pixel of upright (x, y) lies, from the words of the EXIF standard: which side
  /// of the scene the stored rows and columns begin at.
  static func stored(_ orientation: Orientation, _ x: Int, _ y: Int, _ image: RGBImage) -> (
    Int, Int
  ) {
    let (right, bottom) = (image.width - 1, image.height - 1)
    return switch orientation {
    case .up: (x, y)
    case .upMirrored: (right - x, y)
    case .down: (right - x, bottom - y)
    case .downMirrored: (x, bottom - y)
    case .leftMirrored: (y, x)
    case .right: (y, bottom - x)
    case .rightMirrored: (right - y, bottom - x)
    case .left: (right - y, x)
    }
  }

  @Test("Photos stored in every way come out as another decoder shows them", arguments: 1...8)
  func fixtures(value: Int) throws {
    let name = "orientation-\(value)"
    let picture = try PhotoDecoder().open(Fixtures.jpeg(name)).image()
    #expect(picture == (try Fixtures.expectedPicture(name)))
    let metadata = try PhotoDecoder().open(Fixtures.jpeg(name)).metadata
    #expect(metadata.orientation.rawValue == value && metadata.faults == [])
  }

  @Test("Every pixel goes where the standard says", arguments: Orientation.allCases)
  func pixels(orientation: Orientation) {
    let picture = RGBImage.random(5, 3, seed: 21)
    let upright = picture.upright(from: orientation)
    #expect(orientation.swapsSides == (upright.width == 3 && upright.height == 5))
    for y in 0..<upright.height {
      for x in 0..<upright.width {
        let (column, row) = Self.stored(orientation, x, y, picture)
        #expect(upright[x, y] == picture[column, row])
      }
    }
  }

  @Test(
    "Mirroring twice changes nothing",
    arguments: [Orientation.up, .upMirrored, .down, .downMirrored, .leftMirrored, .rightMirrored])
  func involutions(orientation: Orientation) {
    let picture = RGBImage.random(7, 4, seed: 22)
    #expect(picture.upright(from: orientation).upright(from: orientation) == picture)
  }

  @Test("A turn to the right undoes one to the left; four are none")
  func turns() {
    let picture = RGBImage.random(7, 4, seed: 23)
    let right = picture.upright(from: .right)
    #expect(right.upright(from: .left) == picture)
    #expect(right.upright(from: .right) == picture.upright(from: .down))
    #expect(right != picture.upright(from: .left))
  }

  @Test("One pixel, one row and one column turn too", arguments: [(1, 1), (6, 1), (1, 6)])
  func thin(width: Int, height: Int) {
    let picture = RGBImage.random(width, height, seed: 24)
    for orientation in Orientation.allCases {
      let upright = picture.upright(from: orientation)
      #expect(upright.width == (orientation.swapsSides ? height : width))
      #expect(upright.pixels.sorted() == picture.pixels.sorted())
    }
  }
}
