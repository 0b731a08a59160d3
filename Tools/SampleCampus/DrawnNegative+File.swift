import Cupola
import DrawnPictures

extension DrawnNegative {
  /// The file that ``DrawnPictures`` reads. Its bytes are reproducible.
  static func file() throws -> [UInt8] {
    var file = SafeTensors()
    for index in 0..<DrawnPictures.photoCount {
      let things = DrawnPictures.thingCount
      let picture = index < things ? picture(index) : Landscape.picture(index - things)
      let photo = try JPEGEncoder.encode(picture, quality: index < things ? 85 : 75)
      file.tensors[DrawnPictures.photoName(index)] = SafeTensors.Tensor(
        type: "U8", shape: [photo.count], bytes: photo)
      guard index < DrawnPictures.sampleCount else { continue }
      file.tensors[DrawnPictures.sampleName(index)] = SafeTensors.Tensor(
        type: "U8", shape: [picture.height, picture.width, 3], bytes: picture.pixels)
    }
    return try file.bytes()
  }
}
