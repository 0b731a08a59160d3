internal import CupolaCampus
internal import DrawnPictures
internal import Foundation

package import Cupola

// 1. Draw test photos, or use photos of the model's buildings.
// 2. Classify them with the recognizer.
// 3. Write them as PNG or JPEG, and the expected answers as JSON and, for C, as text.

/// Test photos with the answers that an app must reproduce. Apps prepare them like any other photo.
struct GoldenPictures {
  static let expectedPath = "golden/expected.json"

  /// A test photo with its expected answer.
  struct Picture {
    var kind: Kind
    /// The path in the folder `golden`.
    var name: String
    var file: [UInt8]
    let image: RGBImage
    var building: String?
    /// A position outside the fence.
    var position: Position?
    /// The probabilities of the export's labels, from the image alone.
    let probabilities: [Double]
    let verdict: Recognition.Verdict
  }

  enum Kind: String {
    case rejected, dark, colors, rotated, photo
    case offCampus = "off_campus"
  }

  private(set) var pictures: [Picture] = []

  /// - Parameter photos: JPEG files of the model's buildings.
  init(_ model: Model, photos: [ExportOptions.Photo] = []) throws {
    let drawn = try DrawnPictures.samples()
    try add(.rejected, drawn[0], model)
    try add(.dark, drawn[2].darkened, model)
    try add(.colors, Self.colors(), model)
    try add(.rotated, drawn[1], model)
    if let position = model.campus.flatMap({ Self.outside($0.geofence) }) {
      pictures.append(pictures[0])
      pictures[pictures.count - 1].kind = .offCampus
      pictures[pictures.count - 1].position = position
    }
    for (index, photo) in photos.enumerated() {
      let image = try PhotoDecoder().open(photo.jpeg).image()
      try add(.photo, image, model)
      let last = pictures.count - 1
      (pictures[last].name, pictures[last].file) = ("photo-\(index + 1).jpg", photo.jpeg)
      pictures[last].building = photo.label
    }
  }

  private mutating func add(_ kind: Kind, _ image: RGBImage, _ model: Model) throws {
    let square = model.recipe.prepare(image, geometry: model.recipe.geometry)
    let all = try Self.all(model, square)
    let file = kind == .rotated ? PNG.rotated(image) : PNG.bytes(of: image)
    pictures.append(
      Picture(
        kind: kind, name: "\(pictures.count + 1).png", file: file, image: image,
        probabilities: model.labels.exported(all),
        verdict: Self.verdict(model, all)))
  }

  /// Returns the probabilities of the export's labels for the model's input, without a position.
  static func answer(_ model: Model, _ square: RGBImage) throws -> [Double] {
    model.labels.exported(try all(model, square))
  }

  private static func all(_ model: Model, _ square: RGBImage) throws -> [Double] {
    let logits = model.logits(try model.extractor.features(of: square))
    return Softmax.probabilities(logits, temperature: model.calibration.temperature)
  }

  private static func verdict(_ model: Model, _ probabilities: [Double]) -> Recognition.Verdict {
    switch model.decisionRule().outcome(probabilities).reason {
    case .recognized: .building
    case .tooClose: .unsure
    default: .notACampusBuilding
    }
  }

  // MARK: - Images

  /// Fine stripes of different colors, which show errors in the order of the channels and in resizing.
  private static func colors() -> RGBImage {
    let (width, height) = (400, 300)
    let pixels = (0..<height).flatMap { y in
      (0..<width).flatMap { x in
        let blue = (x + 2 * y) / 7 % 2 * ((x / 80 + y / 60) % 2)
        return [
          UInt8(120 + 100 * ((x / 5 + y / 40) % 2)),
          UInt8(60 + 40 * (y / 3 % 3) + 20 * (x / 50 % 2)), UInt8(40 + 180 * blue),
        ]
      }
    }
    return RGBImage(width: width, height: height, pixels: pixels)
  }

  /// A position north or south of the fence; `nil` if there is none.
  private static func outside(_ fence: Geofence) -> Position? {
    let latitudes = fence.polygons.flatMap { $0.rings.flatMap { $0.map(\.latitude) } }
    guard let north = latitudes.max(), let south = latitudes.min(),
      let longitude = fence.polygons.first?.rings.first?.first?.longitude
    else { return nil }
    return [north + 0.1, south - 0.1].lazy.filter { abs($0) <= 89 }
      .compactMap { Position(latitude: $0, longitude: longitude, horizontalError: 10) }
      .first { !fence.contains($0) }
  }

  // MARK: - Files

  func files(
    labels names: [String], format: ExportFormat, weights: WeightFormat
  ) -> [ExportFile] {
    let tolerance = format.tolerance(weights)
    let expected: [String: JSONValue] = [
      "schema": .string("cupola.golden/1"), "labels": .array(names.map(JSONValue.string)),
      "pictures": .array(pictures.map { .object($0.expected(names, tolerance)) }),
      "tolerance": .number(tolerance.probability), "log_tolerance": .number(tolerance.logarithm),
    ]
    let photos = pictures.filter { $0.kind != .offCampus }
      .map { ExportFile(path: "golden/" + $0.name, bytes: $0.file) }
    let lines = pictures.compactMap { $0.line(tolerance) }.joined()
    let text = ExportFile(path: "golden/expected.txt", bytes: Array(lines.utf8))
    return photos + [ExportFile(path: Self.expectedPath, json: expected)]
      + (format == .c ? [text] : [])
  }
}

extension GoldenPictures.Picture {
  /// JPEG decoders differ by up to 3 levels, which changes small probabilities much.
  private func own(_ usual: ExportFormat.Tolerance) -> ExportFormat.Tolerance {
    kind == .photo ? (0.1, 100) : usual
  }

  /// Whether the probabilities are close enough to the expected ones.
  func accepts(_ found: [Double], _ usual: ExportFormat.Tolerance) -> Bool {
    let (tolerance, logarithm) = own(usual)
    return found.count == probabilities.count
      && zip(found, probabilities).allSatisfy { a, b in
        abs(a - b) <= tolerance && abs(log(max(a, 1e-30) / max(b, 1e-30))) <= logarithm
      }
  }

  private var answer: Recognition.Verdict { position == nil ? verdict : .notOnCampus }

  /// Six significant digits; more would exceed single precision.
  private var digits: [Double] {
    probabilities.map { value in
      guard value > 1e-30 else { return 0 }
      let scale = pow(10, 6 - log10(value).rounded(.down))
      return (value * scale).rounded() / scale
    }
  }

  fileprivate func expected(
    _ labels: [String], _ usual: ExportFormat.Tolerance
  ) -> [String: JSONValue] {
    let best = probabilities.indices.max { probabilities[$0] < probabilities[$1] } ?? 0
    let (tolerance, logarithm) = own(usual)
    var members: [String: JSONValue] = [
      "file": .string(name), "kind": .string(kind.rawValue), "label": .string(labels[best]),
      "probabilities": .array(digits.map(JSONValue.number)), "verdict": .string(answer.rawValue),
      "tolerance": .number(tolerance), "log_tolerance": .number(logarithm),
    ]
    members["building"] = building.map(JSONValue.string)
    if let position {
      members["latitude"] = .number(position.latitude)
      members["longitude"] = .number(position.longitude)
    }
    return members
  }

  /// A line for the check in C: file, tolerances, whether the position is off campus, position, and probabilities.
  fileprivate func line(_ usual: ExportFormat.Tolerance) -> String? {
    guard kind != .rotated, kind != .photo else { return nil }
    let (tolerance, logarithm) = own(usual)
    let place = [position?.latitude ?? 0, position?.longitude ?? 0]
    let words = [tolerance, logarithm].map { CLiteral.number($0) } + [position == nil ? "0" : "1"]
    let numbers = (place + digits).map { CLiteral.number($0) }
    return ([name] + words + numbers).joined(separator: " ") + "\n"
  }
}

extension RGBImage {
  /// The image at half its brightness.
  fileprivate var darkened: RGBImage {
    RGBImage(width: width, height: height, pixels: pixels.map { $0 / 2 })
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

  /// An upright image, stored rotated by 90 degrees with the EXIF orientation 6.
  static func rotated(_ image: RGBImage) -> [UInt8] {
    var pixels: [UInt8] = []
    for column in 0..<image.width {
      for row in 0..<image.height {
        let start = 3 * (row * image.width + image.width - 1 - column)
        pixels += image.pixels[start..<start + 3]
      }
    }
    let stored = bytes(of: RGBImage(width: image.height, height: image.width, pixels: pixels))
    // A TIFF header and one entry: tag 0x112, one short integer, 6.
    let exif: [UInt8] =
      [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
    return Array(stored.prefix(33)) + chunk("eXIf", exif) + stored.dropFirst(33)
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
