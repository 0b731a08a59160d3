import CupolaTestSupport
import Testing

@testable import Cupola

@Suite("JPEG encoder") struct JPEGEncoderTests {
  @Test("A picture of one color comes back", arguments: [(1, 1), (8, 8), (17, 3)])
  func flat(width: Int, height: Int) throws {
    let picture = RGBImage.gray(width, height) { _, _ in 93 }
    let decoded = try PhotoDecoder().open(JPEGEncoder.encode(picture)).image()
    #expect(largestDifference(decoded, picture) <= 1)
  }

  @Test("Better quality comes nearer and takes more bytes")
  func quality() throws {
    let picture = RGBImage.gray(48, 40) { x, y in UInt8((x * 5 + y * y) % 200) }
    let files = try [10, 60, 100].map { try JPEGEncoder.encode(picture, quality: $0) }
    #expect(files[0].count < files[1].count && files[1].count < files[2].count)
    #expect(largestDifference(try PhotoDecoder().open(files[2]).image(), picture) <= 4)
  }

  @Test("Noise in the best quality fits the buffer", arguments: [1, 7, 64])
  func noise(side: Int) throws {
    let picture = RGBImage.random(side, side, seed: 1)
    let decoded = try PhotoDecoder().open(JPEGEncoder.encode(picture, quality: 100)).image()
    #expect(decoded.width == side && decoded.height == side)
  }

  @Test("An EXIF block is written where it is found again")
  func exif() throws {
    let payload = EXIFBuilder().payload([EXIFBuilder.Tag.gps: .directory(EXIFBuilder.place)])
    let photo = try JPEGEncoder.encode(.gray(8, 8) { _, _ in 1 }, exif: payload)
    let position = try #require(try PhotoDecoder().open(photo).metadata.position)
    #expect(position.latitude == -12.5 && position.longitude == -77.01)
  }

  @Test("Equal pictures give equal files")
  func repeatable() throws {
    let picture = RGBImage.random(20, 30, seed: 3)
    #expect(try JPEGEncoder.encode(picture) == JPEGEncoder.encode(picture))
  }
}
