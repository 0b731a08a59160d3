import Testing

@testable import Cupola

@Suite("Frame quality") struct FrameQualityTests {
  private static func read(_ pictures: RGBImage...) -> FrameQuality {
    var quality = FrameQuality(side: 64)
    for picture in pictures { quality.read(picture) }
    return quality
  }

  /// A soft pattern, shifted horizontally.
  private static func waves(_ shift: Int) -> RGBImage {
    .gray(64, 64) { x, y in UInt8(40 + (x + shift) % 32 * 4 + (y / 16) * 20) }
  }

  @Test("A cut needs a different photo; motion and first frames are no cuts")
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

  @Test("A brightness offset is no cut")
  func light() {
    let dark = Self.waves(0)
    let bright = RGBImage(width: 64, height: 64, pixels: dark.pixels.map { $0 + 30 })
    #expect(!Self.read(dark, bright).isCut)
  }

  @Test("Edges are sharp and slopes are blurred in both directions")
  func sharpness() {
    #expect(!Self.read(.random(64, 64, seed: 2)).isBlurred)
    #expect(Self.read(.gray(64, 64) { x, _ in UInt8(3 * x) }).isBlurred)
    // Sharp only from row to row.
    let noise = GrayImage.random(1, 64, seed: 3)
    #expect(Self.read(.gray(64, 64) { x, y in UInt8(noise[0, y] / 2) + UInt8(x) }).isBlurred)
  }
}

@Suite("Frame probes") struct FrameProbeTests {
  @Test("A hint names the better part after two probes")
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
    "The hint matches the side of the better part",
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

  @Test("There is no hint if no part is better or good enough")
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
