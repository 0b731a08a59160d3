import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola
@testable import CupolaTraining

/// Small rendered photos with noise; each kind has its own edge direction.
enum Pictures {
  enum Kind: Int, CaseIterable { case upright, level, rising, noise }

  static func jpeg(
    _ kind: Kind, seed: UInt64, width: Int = 96, height: Int = 80
  ) throws -> [UInt8] {
    var generator = SplitMix64(seed: seed)
    let shift = Int.random(in: 0..<16, using: &generator)
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let along = [x, y, x + y, 0][kind.rawValue] + shift
        let base = kind == .noise ? Int.random(in: 0..<150, using: &generator) : along / 8 % 2 * 150
        for _ in 0..<3 {
          pixels.append(UInt8(base + Int.random(in: 0..<60, using: &generator)))
        }
      }
    }
    return try JPEGEncoder.encode(RGBImage(width: width, height: height, pixels: pixels))
  }

  static func flat(gray: UInt8) throws -> [UInt8] {
    let pixels = [UInt8](repeating: gray, count: 64 * 64 * 3)
    return try JPEGEncoder.encode(RGBImage(width: 64, height: 64, pixels: pixels))
  }
}

extension TemporaryFolder {
  func draw(_ kind: Pictures.Kind, _ numbers: Range<Int>, to label: String) throws {
    for number in numbers {
      try write(
        try Pictures.jpeg(kind, seed: UInt64(kind.rawValue * 100 + number)),
        to: "\(label)/\(number).jpg")
    }
  }

  func draw(_ count: Int, to labels: [String]) throws {
    for (kind, label) in zip(Pictures.Kind.allCases, labels) {
      try draw(kind, 0..<count, to: label)
    }
  }
}

/// Changes that other programs make to photos, for testing copy detection.
enum Copies {
  enum Kind: CaseIterable {
    case savedAgain, smaller, mirrored, cropped, mirroredAndCropped, croppedAndSmaller
  }

  /// A changed copy, saved with a JPEG quality of 40 to 90.
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

  /// Scales each side to 33% to 66% of its length.
  private static func smaller(
    _ image: RGBImage, using generator: inout SplitMix64
  ) -> RGBImage {
    func side(_ length: Int) -> Int {
      max(16, length * Int.random(in: 33...66, using: &generator) / 100)
    }
    return AreaResampler.resize(
      image, region: PixelRect(x: 0, y: 0, width: image.width, height: image.height),
      width: side(image.width), height: side(image.height))
  }

  /// Crops each side to 80% to 90% of its length, at a random offset.
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
      region: PixelRect(x: across.start, y: down.start, width: across.length, height: down.length),
      width: across.length, height: down.length)
  }
}

/// The fits computed by scikit-learn in Scripts/goldens/fisher.py.
struct FisherGolden {
  private let file: SafeTensors

  init() throws {
    let url = try #require(
      Bundle.module.url(
        forResource: "fisher", withExtension: "safetensors", subdirectory: "Fixtures"))
    file = try SafeTensors(bytes: Array(try Data(contentsOf: url)))
  }

  func floats(_ name: String) throws -> [Float] { try #require(file.tensors[name]?.floats) }

  func matrix(_ name: String) throws -> Matrix {
    let shape = try #require(file.tensors[name]?.shape)
    try #require(shape.count == 2)
    return Matrix(rows: shape[0], columns: shape[1], values: try floats(name))
  }

  /// The mixture after 0, 1 or 40 EM steps.
  func mixture(_ steps: Int) throws -> GaussianMixture {
    GaussianMixture(
      weights: try floats("em.\(steps).weights"), means: try matrix("em.\(steps).means"),
      variances: try matrix("em.\(steps).variances"))
  }
}

extension FisherSettings {
  static func small(
    _ preset: FisherSettings = .fast, components: Int = 8, hogDimensions: Int = 8
  ) -> FisherSettings {
    var settings = preset
    settings.sides = [64]
    settings.components = components
    settings.hogDimensions = hogDimensions
    settings.colorDimensions = 4
    return settings
  }
}

extension ExampleRows {
  init(_ matrix: Matrix) {
    self.init(
      [SafeTensors.Tensor(floats: matrix.values, shape: [matrix.rows, matrix.columns])],
      columns: matrix.columns)
  }
}

extension Coordinates {
  var all: Matrix { selecting(rows: Array(0..<rows)) }
}

extension Repository {
  static let noRealPhotos: Comment = "no real photos; name their folder in CUPOLA_DATA"
}
