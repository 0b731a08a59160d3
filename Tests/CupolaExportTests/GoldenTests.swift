import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaExport

@Suite("Golden photos") struct GoldenTests {
  /// Errors that apps make when they prepare photos.
  enum Mutation: CaseIterable {
    case none, swappedChannels, halfBrightness, bilinear, otherGeometry, smallRange, shiftedLabels

    /// The model's input.
    func square(_ image: RGBImage, _ recipe: Recipe) -> RGBImage {
      switch self {
      case .none, .shiftedLabels: recipe.prepare(image, geometry: recipe.geometry)
      case .swappedChannels:
        Self.map(Self.none.square(image, recipe)) { pixels, index in
          pixels[index / 3 * 3 + 2 - index % 3]
        }
      case .halfBrightness: Self.map(Self.none.square(image, recipe)) { $0[$1] / 2 }
      case .smallRange: Self.map(Self.none.square(image, recipe)) { $0[$1] / 255 }
      case .otherGeometry: recipe.prepare(image, geometry: .centerCrop)
      case .bilinear: Self.interpolated(image, side: recipe.inputSide)
      }
    }

    private static func map(_ image: RGBImage, _ value: ([UInt8], Int) -> UInt8) -> RGBImage {
      let pixels = image.pixels.indices.map { value(image.pixels, $0) }
      return RGBImage(width: image.width, height: image.height, pixels: pixels)
    }

    /// Interpolates between the four nearest pixels, without averaging.
    private static func interpolated(_ image: RGBImage, side: Int) -> RGBImage {
      func place(_ index: Int, _ length: Int) -> (low: Int, high: Int, share: Double) {
        let center = (Double(index) + 0.5) * Double(length) / Double(side) - 0.5
        let place = min(max(center, 0), Double(length - 1))
        return (Int(place), min(Int(place) + 1, length - 1), place - place.rounded(.down))
      }
      let pixels = (0..<side * side * 3).map { index -> UInt8 in
        let (x, y) = (place(index / 3 % side, image.width), place(index / 3 / side, image.height))
        func sample(_ column: Int, _ row: Int) -> Double {
          Double(image.pixels[3 * (row * image.width + column) + index % 3])
        }
        let upper = sample(x.low, y.low) * (1 - x.share) + sample(x.high, y.low) * x.share
        let lower = sample(x.low, y.high) * (1 - x.share) + sample(x.high, y.high) * x.share
        return UInt8((upper * (1 - y.share) + lower * y.share).rounded())
      }
      return RGBImage(width: side, height: side, pixels: pixels)
    }
  }

  private static let models = Result {
    let sample = Repository.root.appending(path: "Models/sample-campus.safetensors")
    return [SampleModels.fisher(), try Model(contentsOf: sample)]
  }

  @Test("Detect errors in the preparation of photos", arguments: Mutation.allCases)
  func mutations(mutation: Mutation) throws {
    for model in try Self.models.get() {
      let golden = try GoldenPictures(model)
      let found = try golden.pictures.map { picture in
        let square = mutation.square(picture.image, model.recipe)
        let answer = try GoldenPictures.answer(model, square)
        return mutation == .shiftedLabels ? [answer[answer.count - 1]] + answer.dropLast() : answer
      }
      for format in ExportFormat.allCases {
        let tolerance = format.tolerance(.float32)
        let passes = zip(golden.pictures, found).allSatisfy { $0.accepts($1, tolerance) }
        #expect(passes == (mutation == .none), "\(format.rawValue)")
      }
    }
  }

  @Test("Detect errors in half precision too", arguments: Mutation.allCases)
  func halfPrecision(mutation: Mutation) throws {
    let model = try Self.models.get()[1].rounded(to: .float16)
    let graph = try Graph(model: model, layout: .channelsFirst, weights: .float16)
    let interpreter = GraphInterpreter(graph, halves: true)
    let tolerance = ExportFormat.coreml.tolerance(.float16)
    let pictures = try GoldenPictures(model).pictures.filter { $0.kind != .offCampus }
    var changes: [Double] = []
    let passes = pictures.allSatisfy { picture in
      let found = interpreter.probabilities(of: mutation.square(picture.image, model.recipe))
        .map(Double.init)
      let answer = mutation == .shiftedLabels ? [found[found.count - 1]] + found.dropLast() : found
      changes.append(zip(found, picture.probabilities).map { abs($0 - $1) }.max() ?? 0)
      return picture.accepts(answer, tolerance)
    }
    #expect(passes == (mutation == .none), "\(changes)")
    // Half precision has an effect, so the test does not compare single precision with itself.
    if mutation == .none { #expect(changes.contains { $0 > 1e-6 }) }
  }

  @Test("Show a rejected, dark, colorful and rotated photo, and one off campus")
  func kinds() throws {
    let golden = try GoldenPictures(try Self.models.get()[1])
    #expect(
      golden.pictures.map(\.kind) == [.rejected, .dark, .colors, .rotated, .offCampus])
    #expect(golden.pictures[0].verdict == .notACampusBuilding)
    #expect(golden.pictures[4].position != nil && golden.pictures[4].name == "1.png")
    let rotated = golden.pictures[3].file
    #expect(Array(rotated[12..<24]) == Array("IHDR".utf8) + [0, 0, 1, 44, 0, 0, 1, 144])
    #expect(Array(rotated[37..<41]) == Array("eXIf".utf8))
    // Red, then blue from left to right. The stored photo starts with the right edge.
    let row = RGBImage(width: 2, height: 1, pixels: [255, 0, 0, 0, 0, 255])
    let column = RGBImage(width: 1, height: 2, pixels: [0, 0, 255, 255, 0, 0])
    #expect(PNG.rotated(row).prefix(33) == PNG.bytes(of: column).prefix(33))
    #expect(PNG.rotated(row).suffix(30) == PNG.bytes(of: column).suffix(30))
  }

  @Test("Include photos of the model's buildings, which verification repeats")
  func photos() throws {
    let model = SampleModels.fisher()
    let source = try model.bytes()
    let picture = SampleSquares.steps.image(side: 96)
    let options = ExportOptions(photos: [
      .init(label: "hall", jpeg: try JPEGEncoder.encode(picture)),
      .init(label: "tower", jpeg: try JPEGEncoder.encode(picture, quality: 50)),
    ])
    let folder = try TemporaryFolder()
    let export = try ModelExport(source: source, format: .onnx, options: options)
    try ExportFolder(path: folder.path("out")).write(export)
    #expect(try !folder.bytes("out/golden/photo-2.jpg").isEmpty)
    let verification = try ExportVerification(folder: folder.path("out"), source: source)
    #expect(verification.faults == [])
    let manifest = try #require(ExportManifest(bytes: try folder.bytes("out/export.json")))
    #expect(manifest.files["golden/photo-1.jpg"] != nil)
  }

  @Test("The publisher's texts are in the model and its guide", arguments: ExportFormat.allCases)
  func texts(format: ExportFormat) throws {
    var options = SampleExports.options(format)
    (options.name, options.author) = ("Sample <Hall> finder", "A. Author")
    (options.license, options.version) = ("CC0-1.0", "7.1")
    let source = try SampleModels.hog().bytes()
    let export = try ModelExport(source: source, format: format, options: options)
    let readme = try #require(export.files.first { $0.path == "README.md" })
    #expect(String(decoding: readme.bytes, as: UTF8.self).hasPrefix("# Sample <Hall> finder\n"))
    if ![.c, .safetensors, .web].contains(format) {
      let bytes = Data(export.modelFiles.flatMap(\.bytes))
      for text in options.notes.values.compactMap(\.text) {
        #expect(bytes.range(of: Data(text.utf8)) != nil, "\(text)")
      }
    }
    let folder = try TemporaryFolder()
    try ExportFolder(path: folder.path("out")).write(export)
    #expect(try ExportVerification(folder: folder.path("out"), source: source).faults == [])
  }
}
