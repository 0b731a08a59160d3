import Cupola
import CupolaTestSupport
import DrawnPictures
import Testing

@testable import SampleCampus

@testable import CupolaTraining

@Suite("Drawn photos")
struct DrawnPhotosTests {
  @Test("There are as many as are told, each another")
  func different() throws {
    let drawn = try DrawnPhotos.all()
    #expect(drawn.count == DrawnPhotos.count)
    #expect(Set(drawn.map(\.name)).count == DrawnPhotos.count)
    #expect(Set(drawn.map(\.contents)).count == DrawnPhotos.count)
    #expect(drawn.allSatisfy { Labels.isBackground($0.label) })
    #expect(drawn.count { $0.label == DrawnPhotos.label } == 48)
    #expect(drawn.count { $0.label == DrawnPhotos.landscapeLabel } == 48)
  }

  // Another encoder than libjpeg writes other files.
  #if os(Linux)
    @Test(
      "They are what Tools/SampleCampus draws: swift run -c release SampleCampus --pictures FILE")
    func drawn() throws { #expect(DrawnPictures.bytes == (try DrawnNegative.file())) }
  #endif

  @Test("The first of them are also there as they were drawn, to the bit")
  func samples() throws {
    let samples = try DrawnPictures.samples()
    #expect(samples.count == DrawnPictures.sampleCount)
    for (index, sample) in samples.enumerated() { #expect(sample == DrawnNegative.picture(index)) }
  }

  @Test("They are sound photos, and none of them is one of the sample campus")
  func sound() throws {
    let drawn = try DrawnPhotos.all()
    for photo in drawn {
      let bytes = try #require(photo.contents)
      let image = try PhotoDecoder().open(bytes).image(minimumWidth: 256, minimumHeight: 256)
      #expect(image.width >= 256 && image.height >= 256)
    }
    let sample = try PhotoSet(root: Repository.sampleCampus).photos.map {
      try PhotoDecoder().open($0.bytes(limit: 1 << 24)).image(minimumWidth: 1, minimumHeight: 1)
    }
    for photo in drawn {
      let image = try PhotoDecoder().open(try #require(photo.contents)).image(
        minimumWidth: 1, minimumHeight: 1)
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
