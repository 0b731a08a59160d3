import Foundation
import Testing

@testable import Cupola

/// The files that `Scripts/goldens` creates.
enum Fixtures {
  static func bytes(_ path: String) throws -> [UInt8] {
    try FileAccess.read(Bundle.module.bundleURL.appending(path: "Fixtures/\(path)").path)
  }

  static func tensors(_ path: String) throws -> SafeTensors {
    try SafeTensors(bytes: bytes(path))
  }

  static func json<Value: Decodable>(_ path: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(bytes(path)))
  }

  static func jpeg(_ name: String) throws -> [UInt8] { try bytes("jpeg/\(name).jpg") }

  /// The pixels of the JPEG `name` from another decoder.
  static func expectedPicture(_ name: String) throws -> RGBImage {
    try tensors("jpeg/expected.safetensors").picture(name)
  }

  static let jpegNames =
    ["baseline-420", "baseline-444", "progressive", "grey", "rgb", "cmyk", "ycck", "gps"]
    + ["exif-loop", "exif-past-end", "exif-zero-denominator"]
    + (1...8).map { "orientation-\($0)" }
}

extension SafeTensors {
  func tensor(_ name: String, type: String) throws -> Tensor {
    let tensor = try #require(tensors[name])
    try #require(tensor.type == type)
    return tensor
  }

  /// A `U8` tensor of shape height x width x 3.
  func picture(_ name: String) throws -> RGBImage {
    let tensor = try tensor(name, type: "U8")
    try #require(tensor.shape.count == 3 && tensor.shape[2] == 3)
    return RGBImage(width: tensor.shape[1], height: tensor.shape[0], pixels: tensor.bytes)
  }

  /// A `U8` tensor of shape height x width.
  func grayPicture(_ name: String) throws -> GrayImage {
    let tensor = try tensor(name, type: "U8")
    try #require(tensor.shape.count == 2)
    return GrayImage(
      width: tensor.shape[1], height: tensor.shape[0], samples: tensor.bytes.map(Float.init))
  }

  func floats(_ name: String) throws -> [Float] {
    try #require(try tensor(name, type: "F32").floats)
  }
}

extension SafeTensors {
  func matrix(_ name: String) throws -> Matrix {
    let tensor = try tensor(name, type: "F32")
    try #require(tensor.shape.count == 2)
    return Matrix(rows: tensor.shape[0], columns: tensor.shape[1], values: try floats(name))
  }

  func integers(_ name: String) throws -> [Int] {
    let bytes = try tensor(name, type: "I32").bytes
    return stride(from: 0, to: bytes.count, by: 4).map { start in
      Int(
        Int32(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << (8 * $1) }))
    }
  }
}
