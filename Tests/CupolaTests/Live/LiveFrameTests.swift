import Testing

@testable import Cupola

@Suite("Frame quality") struct FrameQualityTests {
  private static func read(_ pictures: RGBImage...) -> FrameQuality {
    var quality = FrameQuality(side: 64)
    for picture in pictures { quality.read(picture) }
    return quality
  }

  /// A soft pattern, moved to the side.
  private static func waves(_ shift: Int) -> RGBImage {
    .gray(64, 64) { x, y in UInt8(40 + (x + shift) % 32 * 4 + (y / 16) * 20) }
  }

  @Test("A little motion is no cut, another picture is one, and the first frame is none")
  func cuts() {
    #expect(!Self.read(SampleModel.picture(.hall)).isCut)
    #expect(!Self.read(Self.waves(0), Self.waves(1)).isCut)
    #expect(!Self.read(Self.waves(0), Self.waves(0)).isCut)
    #expect(Self.read(SampleModel.picture(.hall), SampleModel.picture(.tower)).isCut)
    let flat = RGBImage.gray(64, 64) { _, _ in 100 }
    #expect(!Self.read(flat, flat).isCut)
    var quality = Self.read(SampleModel.picture(.hall))
    quality.forget()
    quality.read(SampleModel.picture(.tower))
    #expect(!quality.isCut)
  }

  @Test("More light all over is no cut")
  func light() {
    let dark = Self.waves(0)
    let bright = RGBImage(width: 64, height: 64, pixels: dark.pixels.map { $0 + 30 })
    #expect(!Self.read(dark, bright).isCut)
  }

  @Test("Edges are sharp, slopes are not, in either direction")
  func sharpness() {
    #expect(!Self.read(.random(64, 64, seed: 2)).isBlurred)
    #expect(Self.read(.gray(64, 64) { x, _ in UInt8(3 * x) }).isBlurred)
    // Moved along the rows: sharp from row to row only.
    let noise = GrayImage.random(1, 64, seed: 3)
    #expect(Self.read(.gray(64, 64) { x, y in UInt8(noise[0, y] / 2) + UInt8(x) }).isBlurred)
  }
}

@Suite("Frame probes") struct FrameProbeTests {
  @Test("The part that says more than the whole is told, after two looks at it")
  func hint() {
    var probe = FrameProbe()
    var looks = [0, 0, 0]
    for _ in 0..<36 {
      guard let (part, geometry) = probe.next(whole: -1) else { continue }
      looks[part] += 1
      #expect(geometry.name == "window")
      probe.add(part == 0 ? 3 : -1, part: part)
    }
    #expect(looks == [4, 4, 4] && probe.hint == .moveLeft)
    probe.reset()
    #expect(probe.hint == nil)
  }

  @Test(
    "A part is told by the side that it is on, not before the second look at it",
    arguments: [(0, 0, LiveHint.moveLeft), (1, 15, .stepNearer), (2, 30, .moveRight)])
  func sides(part: Int, left: Int, hint: LiveHint) {
    let window = Geometry.Crop(left: left, top: 15, width: 70, height: 70)
    var probe = FrameProbe()
    var looks = 0
    while looks < 2 {
      #expect(probe.hint == nil)
      guard let (found, geometry) = probe.next(whole: -1) else { continue }
      if found == part { looks += 1 }
      #expect((geometry == .window(window)) == (found == part))
      probe.add(found == part ? 3 : -1, part: found)
    }
    #expect(probe.hint == hint)
  }

  @Test("Nothing is told where no part is better, or none is good")
  func nothing() {
    for (whole, odds) in [(2.0, 3.0), (-5, 0.5), (0, 1.2)] {
      var probe = FrameProbe()
      for _ in 0..<36 {
        if let (part, _) = probe.next(whole: whole) { probe.add(odds, part: part) }
      }
      #expect(probe.hint == nil)
    }
  }
}
