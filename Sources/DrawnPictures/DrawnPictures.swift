internal import CDrawnPictures
package import Cupola

/// Rendered images of objects and landscapes without buildings, included in the program. `Tools/SampleCampus` renders
/// them; a test compares them with its output.
package enum DrawnPictures {
  /// The number of images: objects on a campus, followed by landscapes.
  package static let photoCount = thingCount + landscapeCount
  package static let thingCount = 48
  package static let landscapeCount = 48
  /// The number of images that are also included uncompressed.
  package static let sampleCount = 3

  /// The name of an image's tensor, which contains a JPEG file.
  package static func photoName(_ index: Int) -> String { "photo.\(index + 1)" }

  /// The name of an uncompressed image's tensor, of height x width x 3.
  package static func sampleName(_ index: Int) -> String { "sample.\(index + 1)" }

  /// Returns the JPEG files for training.
  package static func photos() throws -> [[UInt8]] {
    let file = try SafeTensors(bytes: bytes)
    return try (0..<photoCount).map { try tensor(photoName($0), in: file).bytes }
  }

  /// Returns the uncompressed images, which make export tests independent of a decoder.
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
