internal import DrawnPictures

package import Cupola

// 1. Draw three images and scale them to the model's input size.
// 2. Classify them with the recognizer.
// 3. Write them as PNG, and the expected answers as JSON.

/// Test images with the answers that an app must reproduce.
struct GoldenPictures {
  static let expectedPath = "golden/expected.json"

  let images: [RGBImage]
  /// The probabilities of the export's labels for each image.
  let probabilities: [[Double]]

  init(_ model: Model) throws {
    let side = model.recipe.inputSide
    images = try DrawnPictures.samples().map { drawn in
      AreaResampler.resize(
        drawn, region: PixelRect(x: 0, y: 0, width: drawn.width, height: drawn.height),
        width: side, height: side)
    }
    probabilities = try images.map { try Self.answer(model, $0) }
  }

  /// Returns the probabilities from the image alone, without a position.
  static func answer(_ model: Model, _ image: RGBImage) throws -> [Double] {
    let logits = model.logits(try model.extractor.features(of: image))
    let all = Softmax.probabilities(logits, temperature: model.calibration.temperature)
    return model.labels.exported(all)
  }

  func files(labels names: [String], tolerance: Double) -> [ExportFile] {
    let pictures = images.enumerated().map { index, image in
      ExportFile(path: "golden/\(index + 1).png", bytes: PNG.bytes(of: image))
    }
    let answers = probabilities.enumerated().map { index, answer in
      let best = answer.indices.max { answer[$0] < answer[$1] } ?? 0
      return JSONValue.object([
        "file": .string("\(index + 1).png"), "label": .string(names[best]),
        // More digits would exceed single precision.
        "probabilities": .array(answer.map { .number(($0 * 1e7).rounded() / 1e7) }),
      ])
    }
    let expected: [String: JSONValue] = [
      "schema": .string("cupola.golden/1"), "labels": .array(names.map(JSONValue.string)),
      "pictures": .array(answers), "tolerance": .number(tolerance),
    ]
    return pictures + [ExportFile(path: Self.expectedPath, json: expected)]
  }
}

/// Writes PNG files (RFC 2083). Uncompressed files need little code and are readable everywhere.
package enum PNG {
  /// - Parameter compress: Returns a zlib stream of the pixels, or `nil` if they are to be stored.
  package static func bytes(
    of image: RGBImage, compress: (([UInt8]) -> [UInt8]?)? = nil
  ) -> [UInt8] {
    let header =
      bigEndian(UInt32(image.width)) + bigEndian(UInt32(image.height)) + [8, 2, 0, 0, 0]
    let rows = rows(of: image, areDifferences: compress != nil)
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", header) + chunk("IDAT", compress?(rows) ?? stored(rows)) + chunk("IEND", [])
  }

  /// The rows of pixels, each after the number of its filter. Differences to the left pixel compress better.
  private static func rows(of image: RGBImage, areDifferences: Bool) -> [UInt8] {
    var rows: [UInt8] = []
    rows.reserveCapacity(image.height * (3 * image.width + 1))
    for row in 0..<image.height {
      let pixels = image.pixels[row * 3 * image.width..<(row + 1) * 3 * image.width]
      rows.append(areDifferences ? 1 : 0)
      guard areDifferences else {
        rows += pixels
        continue
      }
      rows += pixels.prefix(3)
      rows += zip(pixels.dropFirst(3), pixels).map { $0 &- $1 }
    }
    return rows
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    return bigEndian(UInt32(data.count)) + body + bigEndian(CRC32.of(body))
  }

  /// A zlib stream (RFC 1950) of stored blocks (RFC 1951, section 3.2.4).
  private static func stored(_ data: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    let most = 65_535
    for start in stride(from: 0, to: data.count, by: most) {
      let end = min(start + most, data.count)
      let length = UInt16(end - start)
      stream.append(end == data.count ? 1 : 0)
      stream += length.littleEndianBytes + (~length).littleEndianBytes
      stream += data[start..<end]
    }
    return stream + bigEndian(adler32(data))
  }

  private static func adler32(_ data: [UInt8]) -> UInt32 {
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in data {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return b << 16 | a
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    value.littleEndianBytes.reversed()
  }
}

/// The CRC-32 of ZIP and PNG (ISO 3309, reflected polynomial 0xEDB88320).
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in
      value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320
    }
  }

  static func of(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
  }
}

extension FixedWidthInteger where Self: UnsignedInteger {
  var littleEndianBytes: [UInt8] {
    (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
  }
}
