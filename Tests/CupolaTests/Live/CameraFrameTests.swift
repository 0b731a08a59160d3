import Testing

@testable import Cupola

@Suite("Camera frames") struct CameraFrameTests {
  private static func rows(
    _ picture: RGBImage, padding: Int, _ pixel: ([UInt8]) -> [UInt8]
  ) -> [UInt8] {
    (0..<picture.height).flatMap { y in
      (0..<picture.width).flatMap { x in pixel(picture[x, y]) }
        + [UInt8](repeating: 77, count: padding)
    }
  }

  private static func square(
    _ frame: borrowing CameraFrame, _ geometry: Geometry = .squash, side: Int = 24
  ) -> RGBImage {
    var sampler = FrameSampler(side: side)
    var square = RGBImage(width: side, height: side)
    sampler.read(frame, geometry: geometry, into: &square)
    return square
  }

  private static let geometries: [Geometry] = [
    .squash, .centerCrop, .window(.init(left: 3, top: 11, width: 61, height: 70)),
  ]

  @Test(
    "A frame matches its upright photo for all layouts and orientations",
    arguments: Orientation.allCases, [0, 5])
  func squares(orientation: Orientation, padding: Int) {
    let stored = RGBImage.random(37, 50, seed: 3)
    let upright = stored.upright(from: orientation)
    let layouts: [(CameraFrame.Format, Int, ([UInt8]) -> [UInt8])] = [
      (.rgb, 3, { $0 }), (.rgba, 4, { $0 + [9] }), (.bgra, 4, { $0.reversed() + [200] }),
    ]
    for (format, bytes, pixel) in layouts {
      let pixels = Self.rows(stored, padding: padding, pixel)
      let frame = CameraFrame(
        pixels: pixels.span, format: format, width: 37, height: 50,
        bytesPerRow: 37 * bytes + padding, orientation: orientation)
      #expect((frame.uprightWidth, frame.uprightHeight) == (upright.width, upright.height))
      for geometry in Self.geometries {
        let region = geometry.region(width: upright.width, height: upright.height)
        let expected = AreaResampler.resize(upright, region: region, width: 24, height: 24)
        #expect(Self.square(frame, geometry) == expected)
      }
    }
  }

  @Test("Frames of any size are scaled to the square")
  func sizes() {
    for (width, height) in [(24, 24), (9, 7), (640, 480)] {
      let picture = RGBImage.random(width, height, seed: 4)
      let frame = CameraFrame(
        pixels: picture.pixels.span, format: .rgb, width: width, height: height,
        bytesPerRow: 3 * width)
      let region = Geometry.squash.region(width: width, height: height)
      #expect(
        Self.square(frame)
          == AreaResampler.resize(picture, region: region, width: 24, height: 24))
    }
  }

  private static func red(
    _ y: Double, _ cb: Double, _ cr: Double, _ encoding: YCbCr
  ) -> [Double] {
    let (kr, kb) = encoding.isHD ? (0.2126, 0.0722) : (0.299, 0.114)
    let luma = encoding.isFullRange ? y : (y - 16) * 255 / 219
    let scale = encoding.isFullRange ? 1 : 255.0 / 224
    let (blue, red) = ((cb - 128) * scale, (cr - 128) * scale)
    let r = luma + 2 * (1 - kr) * red
    let b = luma + 2 * (1 - kb) * blue
    return [r, (luma - kr * r - kb * b) / (1 - kr - kb), b].map { min(max($0, 0), 255) }
  }

  @Test("YCbCr is converted by BT.601 and BT.709 within one level")
  func colors() {
    for isHD in [false, true] {
      for isFullRange in [true, false] {
        let encoding = YCbCr(isHD: isHD, isFullRange: isFullRange)
        for seed in 0..<40 as Range<UInt64> {
          var generator = SplitMix64(seed: seed)
          let values = (0..<3).map { _ in UInt8(generator.below(256)) }
          let luma = [UInt8](repeating: values[0], count: 6 * 5)
          let pairs = [[UInt8]](repeating: [values[1], values[2]], count: 3 * 3).flatMap(\.self)
          let two = CameraFrame(
            luma: luma.span, bytesPerRow: 6, chroma: pairs.span, chromaBytesPerRow: 6,
            encoding: encoding, width: 5, height: 5)
          let cb = [UInt8](repeating: values[1], count: 9)
          let cr = [UInt8](repeating: values[2], count: 9)
          let three = CameraFrame(
            luma: luma.span, bytesPerRow: 6, cb: cb.span, cr: cr.span, chromaBytesPerRow: 3,
            encoding: encoding, width: 5, height: 5)
          let expected = Self.red(
            Double(values[0]), Double(values[1]), Double(values[2]), encoding)
          let squares = [Self.square(two, side: 4), Self.square(three, side: 4)]
          #expect(squares[0] == squares[1])
          for (found, wanted) in zip(squares[0][1, 2], expected) {
            #expect(abs(Double(found) - wanted) <= 1)
          }
        }
      }
    }
  }

  @Test("Each block of 2x2 pixels has its own chroma")
  func chroma() {
    let luma = [UInt8](repeating: 128, count: 4 * 4)
    var cr = [UInt8](repeating: 128, count: 4)
    cr[1] = 228
    let cb = [UInt8](repeating: 128, count: 4)
    let frame = CameraFrame(
      luma: luma.span, bytesPerRow: 4, cb: cb.span, cr: cr.span, chromaBytesPerRow: 2,
      encoding: YCbCr(), width: 4, height: 4)
    let square = Self.square(frame, side: 4)
    for y in 0..<4 {
      for x in 0..<4 { #expect((square[x, y][0] > 200) == (x >= 2 && y < 2)) }
    }
  }

  @Test("A buffer shorter than the frame traps")
  func tooFew() async {
    await #expect(processExitsWith: .failure) {
      let bytes = [UInt8](repeating: 0, count: 99)
      _ =
        CameraFrame(
          pixels: bytes.span, format: .rgb, width: 10, height: 10, bytesPerRow: 10
        ).width
    }
  }
}
