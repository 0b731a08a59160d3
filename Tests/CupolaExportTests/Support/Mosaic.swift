@testable import Cupola
@testable import CupolaExport
@testable import CupolaTraining

/// A third kind of features, for tests: the mean luma of square tiles. All there is about it stands here.
struct Mosaic: Equatable, Codable {
  /// Pixels along a tile.
  var tile: Int
}

extension Mosaic: ExtractorSettings, Extractor {
  typealias Extractor = Mosaic
  typealias Settings = Mosaic

  static let kind = "mosaic"
  static let title = "Mosaic"

  var settings: Mosaic { self }

  func count(inputSide: Int) -> Int { (inputSide / tile) * (inputSide / tile) }

  func check(inputSide: Int) throws(CupolaError) {
    try Recipe.require((1...inputSide).contains(tile), "tiles of \(tile) pixels")
  }

  func read(_ image: RGBImage, into features: inout [Float]) throws(CupolaError) {
    let luma = GrayImage(luma: image)
    let across = luma.width / tile
    let means = (0..<across * across).map { index -> Float in
      let (row, column) = (index / across * tile, index % across * tile)
      var sum: Float = 0
      for y in row..<row + tile {
        for x in column..<column + tile { sum += luma.samples[y * luma.width + x] }
      }
      return sum / Float(tile * tile)
    }
    features = VectorMath.unit(means)
  }

  var tensors: [String: SafeTensors.Tensor] {
    ["mosaic.learned": SafeTensors.Tensor(floats: [Float(tile)], shape: [1])]
  }

  init(settings: Mosaic, tensors file: SafeTensors) throws {
    _ = try ModelFile.positiveFloats("mosaic.learned", in: file, shape: [1])
    self = settings
  }

  func evidence(_ contributions: [Double], of image: RGBImage) -> EvidenceMap {
    let across = image.width / tile
    var map = EvidenceMap(columns: across, rows: across)
    let size = 1 / Double(across)
    for (index, share) in contributions.enumerated() {
      map.add(
        share,
        over: Extent(
          x: Double(index % across) * size, y: Double(index / across) * size, width: size,
          height: size))
    }
    return map
  }
}

extension Mosaic: TrainableSettings {
  static let areLearned = true
  static let usesDrawnNegatives = false

  static func candidates(regularization: Double?) -> [ClassifierSettings] {
    [ClassifierSettings(whitening: nil, regularization: regularization ?? 1000)]
  }

  func extractor(for sample: TrainingSample) async -> Mosaic? { self }
}

extension Mosaic: ExportableExtractor {
  func graphFeatures(
    of picture: GraphBuilder.Value, side: Int, in builder: inout GraphBuilder
  ) -> GraphFeatures {
    let luma = builder.mix(picture, [[GraphBuilder.luma]])[0]
    let means = builder.averaged(luma, side: tile, stride: tile)
    return GraphFeatures(
      value: builder.unit(builder.reshape(means, [1, count(inputSide: side)])))
  }

  func sizesInC(inputSide: Int) -> [CSource.Constant] { [.init("TILE", tile)] }

  var numbersInC: [CSource.Constant] { [.init("TILE_SCALE", 1 / Float(256 * tile * tile))] }

  static var headerInC: [UInt8] {
    Array("\nstruct cupola_features_workspace { float sum; };\n".utf8)
  }

  static var functionsInC: [[UInt8]] {
    [
      Array(
        """

        static void start_features(struct cupola_features_workspace *part) {
          part->sum = CUPOLA_AT(mosaic_learned, 0);
        }

        static void read_features(
            const uint8_t *square, struct cupola_features_workspace *part, float *features) {
          const int across = CUPOLA_SIDE / CUPOLA_TILE;
          for (int index = 0; index < across * across; index++) {
            part->sum = 0;
            for (int y = 0; y < CUPOLA_TILE; y++) {
              for (int x = 0; x < CUPOLA_TILE; x++) {
                const int row = index / across * CUPOLA_TILE + y;
                const int column = index % across * CUPOLA_TILE + x;
                const uint8_t *pixel = square + 3 * ((size_t)row * CUPOLA_SIDE + (size_t)column);
                part->sum += (float)(77 * pixel[0] + 150 * pixel[1] + 29 * pixel[2]);
              }
            }
            features[index] = part->sum * CUPOLA_TILE_SCALE;
          }
          make_unit(features, CUPOLA_FEATURES);
        }

        """.utf8)
    ]
  }
}
