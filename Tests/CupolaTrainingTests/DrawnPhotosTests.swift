import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("Drawn photos")
struct DrawnPhotosTests {
  @Test("They are the same drawn, kept and found again, and with any number of threads")
  func same() async throws {
    let drawn = await DrawnPhotos.all(cache: nil, threads: 2)
    #expect(drawn.count == DrawnPhotos.count)
    #expect(Set(drawn.map(\.name)).count == DrawnPhotos.count)
    #expect(Set(drawn.map(\.contents)).count == DrawnPhotos.count)
    #expect(drawn.allSatisfy { $0.label == DrawnPhotos.label && Labels.isBackground($0.label) })
    let folder = try TemporaryFolder()
    let cache = FeatureCache(folder: folder.path)
    #expect(await DrawnPhotos.all(cache: cache, threads: 2) == drawn)
    #expect(try Directory.entries(of: folder.path).count == DrawnPhotos.count)
    #expect(await DrawnPhotos.all(cache: cache, threads: 1) == drawn)
  }

  @Test("They are sound photos, and none of them is one of the sample campus")
  func sound() async throws {
    let drawn = await DrawnPhotos.all(cache: nil, threads: 2)
    for photo in drawn {
      let bytes = try #require(photo.contents)
      let image = try PhotoDecoder().image(from: bytes, minimumWidth: 256, minimumHeight: 256)
      #expect(image.width >= 256 && image.height >= 256)
    }
    let sample = try PhotoSet(root: Repository.sampleCampus).photos.map {
      try PhotoDecoder().image(from: $0.bytes(limit: 1 << 24), minimumWidth: 1, minimumHeight: 1)
    }
    for photo in drawn {
      let image = try PhotoDecoder().image(
        from: try #require(photo.contents), minimumWidth: 1, minimumHeight: 1)
      #expect(!sample.contains(image))
    }
  }

  @Test("Nothing is promised from them: what people photograph is harder to refuse")
  func promises() {
    let names = Labels([DrawnPhotos.label, "_street", "hall", "tower"])
    var logits = Matrix(rows: 60, columns: 4)
    let truth = (0..<60).map { $0 % 4 }
    for (row, label) in truth.enumerated() { logits[row, label] = 5 + Float(row % 7) / 10 }
    let calibration = CalibrationFit(logits: logits, truth: truth, names: names).calibration
    #expect(calibration.notBuildings?.photos == 15)
    #expect(calibration.wrongNames?.photos == 30)
  }
}
