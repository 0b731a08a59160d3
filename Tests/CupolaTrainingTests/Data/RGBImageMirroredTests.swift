import Cupola
import Testing

@testable import CupolaTraining

@Suite("Mirrored picture")
struct RGBImageMirroredTests {
  @Test("columns are exchanged, channels are not, and twice is the picture itself")
  func mirrored() {
    let image = RGBImage(width: 3, height: 2, pixels: (0..<18).map { UInt8($0) })
    let wanted: [UInt8] = [6, 7, 8, 3, 4, 5, 0, 1, 2, 15, 16, 17, 12, 13, 14, 9, 10, 11]
    #expect(image.mirrored.pixels == wanted)
    #expect(image.mirrored.mirrored == image)
  }
}
