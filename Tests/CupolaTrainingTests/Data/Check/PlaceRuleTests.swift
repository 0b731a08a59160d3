import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("Photos taken elsewhere")
struct PlaceRuleTests {
  private typealias Tag = EXIFBuilder.Tag

  /// A photo taken so many meters south of 12.5 degrees south, 77 degrees west.
  private static func photo(_ meters: Double, error: UInt32 = 5) throws -> CheckedPhoto {
    // A second of latitude is 30.73 m there.
    let thousandths = UInt32((meters / 30.73 * 1000).rounded())
    let place: [UInt16: EXIFBuilder.Value] = [
      Tag.latitudeReference: .text("S"),
      Tag.latitude: .rationals([(12, 1), (30, 1), (thousandths, UInt32(1000))]),
      Tag.longitudeReference: .text("W"), Tag.longitude: .rationals([(77, 1), (0, 1), (0, 1)]),
      Tag.horizontalError: .rationals([(error, UInt32(1))]),
    ]
    let bytes = try JPEGEncoder.encode(
      RGBImage(width: 64, height: 64, pixels: [UInt8](repeating: 90, count: 64 * 64 * 3)),
      exif: EXIFBuilder().payload([Tag.gps: .directory(place)]))
    let opened = try PhotoDecoder().open(bytes)
    let name = "hall/\(meters).jpg"
    return try CheckedPhoto(
      LabeledPhoto(path: name, name: name, label: "hall", split: .train, group: nil), opened,
      opened.image(),
      with: PhotoReader(
        decoder: PhotoDecoder(), recipe: .hog, extractor: nil,
        sketch: FeatureSketch(values: 1, photos: 1)))
  }

  /// The photos that are told to be far from their building.
  private static func far(_ photos: [CheckedPhoto], _ campus: Campus? = nil) throws -> [String] {
    let folder = try TemporaryFolder()
    try folder.touch("photos/hall/1.jpg")
    let material = CheckMaterial(
      set: try PhotoSet(root: folder.path("photos")), photos: photos, unusable: [],
      hiddenFolders: [], campus: campus, copies: [], validation: nil)
    return PlaceRule.findings(in: material).filter { $0.kind == .farFromBuilding }
      .flatMap { $0.items.map(\.name) }
  }

  @Test("far from its building is more than 200 m and the position's error")
  func building() throws {
    let campus = try Campus(
      geoJSON: GeoJSONText.collection([
        GeoJSONText.boundary("[\(GeoJSONText.square(-77, -12.5, halfSide: 0.5))]"),
        GeoJSONText.feature(
          #"{"role":"building","id":"hall"}"#, GeoJSONText.point("[-77,-12.5]")),
      ]))
    let cases: [(meters: Double, error: UInt32, isFar: Bool)] = [
      (203, 5, false), (207, 5, true), (217, 20, false), (223, 20, true),
    ]
    for one in cases {
      let found = try Self.far([Self.photo(one.meters, error: one.error)], campus)
      #expect(found.isEmpty != one.isFar, "\(one)")
    }
  }

  @Test("where no map knows the building, it is 500 m from the middle of the label's photos")
  func others() throws {
    let near = try [0, 1, 2].map { try Self.photo($0) }
    #expect(try Self.far(near + [Self.photo(503)]).isEmpty)
    #expect(try Self.far(near + [Self.photo(508)]) == ["hall/508.0.jpg"])
    // Of two nobody knows which one strayed.
    #expect(try Self.far([near[0], Self.photo(508)]).isEmpty)
  }
}
