import Cupola
import CupolaTestSupport
import CupolaTraining
import Foundation

/// A campus of three drawn buildings with their own stripe directions, and street noise.
enum TinyCampus {
  enum Kind: CaseIterable {
    case arch, barn, cone, street

    var label: String { self == .street ? "_street" : "\(self)" }

    fileprivate var stripes: StripedPicture.Direction {
      switch self {
      case .arch: .across
      case .barn: .down
      case .cone: .diagonal
      case .street: .none
      }
    }
  }

  static func jpeg(_ kind: Kind, seed: UInt64, exif: [UInt8] = []) throws -> [UInt8] {
    try JPEGEncoder.encode(StripedPicture.draw(kind.stripes, seed: seed), exif: exif)
  }

  static func position(_ latitude: Double, _ longitude: Double) -> [UInt8] {
    func degrees(_ value: Double) -> EXIFBuilder.Value {
      .rationals([(UInt32((value * 1e7).rounded()), 10_000_000), (0, 1), (0, 1)])
    }
    return EXIFBuilder().payload([
      EXIFBuilder.Tag.gps: .directory([
        EXIFBuilder.Tag.latitudeReference: .text("N"),
        EXIFBuilder.Tag.latitude: degrees(latitude),
        EXIFBuilder.Tag.longitudeReference: .text("E"),
        EXIFBuilder.Tag.longitude: degrees(longitude),
      ])
    ])
  }

  /// Writes `photos` with four training and two test photos of each kind, and their table.
  static func writePhotos(to folder: TemporaryFolder) throws {
    var table = "path,label,split,group\n"
    for kind in Kind.allCases {
      for number in 1...6 {
        let name = "\(kind.label)/\(number).jpg"
        // With that seed, the fifth cone resembles a crop of another.
        let seed = kind == .cone && number == 5 ? 7 : number
        try folder.write(try jpeg(kind, seed: UInt64(seed)), to: "photos/\(name)")
        let group = "\(kind)\(number / 2)"
        table += "\(name),\(kind.label),\(number > 4 ? "test" : "train"),\(group)\n"
      }
    }
    try folder.write(table, to: "photos/split.csv")
  }

  static func folder() async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(try await model(), to: "m.safetensors")
    try writePhotos(to: folder)
    return folder
  }

  /// The map, with a fence from 48 to 48.01 degrees north and 10 to 10.02 degrees east.
  static let map = """
    {"type": "FeatureCollection", "features": [
      {"type": "Feature", "properties": {"role": "boundary", "name": "Tiny Campus"},
       "geometry": {"type": "Polygon", "coordinates":
         [[[10, 48], [10.02, 48], [10.02, 48.01], [10, 48.01], [10, 48]]]}},
      {"type": "Feature", "properties": {"role": "building", "id": "arch", "name": "Old Arch",
       "abbreviation": "OA", "category": "landmark", "year_built": 1899},
       "geometry": {"type": "Point", "coordinates": [10.01, 48.005]}},
      {"type": "Feature", "properties": {"role": "building", "id": "barn", "name": "Red Barn"},
       "geometry": {"type": "Point", "coordinates": [10.011, 48.005]}},
      {"type": "Feature", "properties": {"role": "building", "id": "cone", "name": "The Cone"},
       "geometry": {"type": "Point", "coordinates": [10.012, 48.005]}}
    ]}
    """

  /// The map with OpenStreetMap labels: one name equals the photos' label, one is similar, and one differs.
  static let openStreetMap = map.replacing(
    #""id": "arch", "name": "Old Arch""#, with: #""id": "way/1", "name": "Arch""#
  )
  .replacing(#""id": "barn""#, with: #""id": "way/2""#)
  .replacing(#""id": "cone", "name": "The Cone""#, with: #""id": "way/3", "name": "Gym""#)

  static func model() async throws -> [UInt8] { try await trained.value }

  private static let trained = Task {
    let folder = try TemporaryFolder()
    try writePhotos(to: folder)
    var trainer = Trainer()
    trainer.recipe = .hog
    trainer.campus = try Campus(geoJSON: Array(map.utf8))
    let set = try PhotoSet(root: folder.path("photos"))
    return try await trainer.train(on: set.photos(for: [.train])).model.bytes()
  }

  /// Changes the calibration of a model file; none of 99 background photos was named.
  static func calibrate(
    _ name: String, in folder: TemporaryFolder, to other: String? = nil,
    wrongNames: (photos: Int, scores: [Double]), temperature: Double = 1
  ) throws {
    var file = try SafeTensors(bytes: try folder.bytes(name))
    file.metadata["calibration"] = """
      {"temperature":\(temperature),"not_buildings":{"photos":99,"scores":[]},\
      "wrong_names":{"photos":\(wrongNames.photos),"scores":\(wrongNames.scores)}}
      """
    try folder.write(try ModelSeal.bytes(of: file), to: other ?? name)
  }

  static func fixture(_ name: String) throws -> [UInt8] {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return Array(
      try Data(contentsOf: tests.appending(path: "CupolaTests/Fixtures/jpeg/\(name)")))
  }
}
