import Cupola
import CupolaTraining

/// What becomes of photos on their way through other programs, for tests of finding them again.
enum Copies {
  enum Kind: CaseIterable {
    case savedAgain, smaller, mirrored, cropped, mirroredAndCropped, croppedAndSmaller
  }

  /// A copy of a picture, as a decoder sees it: saved with a quality of 40 to 90.
  static func copy(
    of image: RGBImage, _ kind: Kind, using generator: inout SplitMix64
  ) throws -> RGBImage {
    let changed: RGBImage
    switch kind {
    case .savedAgain: changed = image
    case .smaller: changed = smaller(image, using: &generator)
    case .mirrored: changed = image.upright(from: .upMirrored)
    case .cropped: changed = cropped(image, using: &generator)
    case .mirroredAndCropped:
      changed = cropped(image, using: &generator).upright(from: .upMirrored)
    case .croppedAndSmaller:
      changed = smaller(cropped(image, using: &generator), using: &generator)
    }
    let quality = Int.random(in: 40...90, using: &generator)
    return try PhotoDecoder().open(JPEGEncoder.encode(changed, quality: quality)).image()
  }

  /// A third to two thirds of the size, with another aspect ratio at times.
  private static func smaller(
    _ image: RGBImage, using generator: inout SplitMix64
  ) -> RGBImage {
    func side(_ length: Int) -> Int {
      max(16, length * Int.random(in: 33...66, using: &generator) / 100)
    }
    return AreaResampler.resize(
      image, region: Region(x: 0, y: 0, width: image.width, height: image.height),
      width: side(image.width), height: side(image.height))
  }

  /// 80 to 90 % of each side, from anywhere.
  private static func cropped(
    _ image: RGBImage, using generator: inout SplitMix64
  ) -> RGBImage {
    func part(_ length: Int) -> (start: Int, length: Int) {
      let kept = length * Int.random(in: 80...90, using: &generator) / 100
      return (Int.random(in: 0...length - kept, using: &generator), kept)
    }
    let (across, down) = (part(image.width), part(image.height))
    return AreaResampler.resize(
      image,
      region: Region(x: across.start, y: down.start, width: across.length, height: down.length),
      width: across.length, height: down.length)
  }
}
