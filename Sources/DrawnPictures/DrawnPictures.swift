internal import CDrawnPictures
package import Cupola

/// Pictures of things that are no buildings, which are part of the program.
///
/// `Tools/SampleCampus` draws them; a test compares them with what it draws.
package enum DrawnPictures {
  /// How many photos there are: things on a campus, then landscapes.
  package static let photoCount = thingCount + landscapeCount
  package static let thingCount = 48
  package static let landscapeCount = 48
  /// How many of them are here as they were before they became JPEG.
  package static let sampleCount = 3

  /// The name of a photo's tensor: the bytes of a JPEG file.
  package static func photoName(_ index: Int) -> String { "photo.\(index + 1)" }

  /// The name of a sample's tensor: height x width x RGB.
  package static func sampleName(_ index: Int) -> String { "sample.\(index + 1)" }

  /// JPEG files, to train with.
  package static func photos() throws -> [[UInt8]] {
    let file = try SafeTensors(bytes: bytes)
    return try (0..<photoCount).map { try tensor(photoName($0), in: file).bytes }
  }

  /// Pictures to the bit, which no decoder changes, to try exports with.
  package static func samples() throws -> [RGBImage] {
    let file = try SafeTensors(bytes: bytes)
    return try (0..<sampleCount).map { index in
      let tensor = try tensor(sampleName(index), in: file)
      guard tensor.shape.count == 3, tensor.shape[2] == 3 else {
        throw CupolaError.badModel(.badShape(tensor: sampleName(index)))
      }
      return RGBImage(width: tensor.shape[1], height: tensor.shape[0], pixels: tensor.bytes)
    }
  }

  /// The file that has them.
  package static var bytes: [UInt8] {
    unsafe Array(
      UnsafeBufferPointer(start: cupola_drawn_pictures(), count: cupola_drawn_pictures_size()))
  }

  private static func tensor(_ name: String, in file: SafeTensors) throws -> SafeTensors.Tensor {
    guard let tensor = file.tensors[name] else {
      throw CupolaError.badModel(.missing("tensor \(name)"))
    }
    return tensor
  }
}
