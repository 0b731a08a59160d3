import CoreLocation
import CoreML
import Foundation
import ImageIO
import Vision

/// Recognizes the building in a photo.
public final class CampusRecognizer {
  private let model: VNCoreMLModel
  private let decision: CampusDecision
  private let labels: [String]
  private let side: Int
  private let map: CampusMap?
  private let places: Places?

  /// Loads the model from a bundle. The default is the app's bundle or, in a package, the package's.
  public init(bundle: Bundle? = nil) throws {
    #if SWIFT_PACKAGE
      let bundle = bundle ?? .module
    #else
      let bundle = bundle ?? .main
    #endif
    let campus = try Self.model(in: bundle)
    model = try VNCoreMLModel(for: campus)
    let metadata = campus.modelDescription.metadata[.creatorDefinedKey]
    let notes = metadata as? [String: String] ?? [:]
    decision = try CampusDecision(json: Data((notes["decision"] ?? "").utf8))
    labels = try JSONDecoder().decode([String].self, from: Data((notes["labels"] ?? "[]").utf8))
    let input =
      try JSONSerialization.jsonObject(with: Data((notes["input"] ?? "{}").utf8)) as? [String: Any]
    guard let side = input?["side"] as? Int else { throw CocoaError(.fileReadCorruptFile) }
    self.side = side
    places = try bundle.url(forResource: "place", withExtension: "json")
      .map { try Places(json: Data(contentsOf: $0)) }
    map = try bundle.url(forResource: "campus", withExtension: "geojson")
      .map { try CampusMap(geoJSON: Data(contentsOf: $0)) }
  }

  /// Xcode compiles an app's model. Otherwise, compile it now.
  private static func model(in bundle: Bundle) throws -> MLModel {
    if let compiled = bundle.url(forResource: "Campus", withExtension: "mlmodelc") {
      return try MLModel(contentsOf: compiled)
    }
    guard let package = bundle.url(forResource: "Campus", withExtension: "mlpackage") else {
      throw CocoaError(.fileReadNoSuchFile)
    }
    return try MLModel(contentsOf: MLModel.compileModel(at: package))
  }

  /// Classifies a photo from a file, using its EXIF orientation. For heading and view, see
  /// ``Places``.
  public func answer(
    photo url: URL, at place: CLLocation? = nil, heading: Double? = nil, view: Double? = nil
  ) throws -> CampusAnswer {
    let (image, orientation) = try Self.photo(url)
    return try answer(
      image, orientation: orientation, at: place, heading: heading, view: view)
  }

  /// The probabilities of all labels for a photo from a file.
  public func probabilities(photo url: URL) throws -> [String: Double] {
    let (image, orientation) = try Self.photo(url)
    let found = try probabilities(Self.upright(image, orientation))
    return Dictionary(found, uniquingKeysWith: { first, _ in first })
  }

  private static func photo(_ url: URL) throws -> (CGImage, CGImagePropertyOrientation) {
    guard let source = CGImageSourceCreateWithURL(url as CFURL, nil),
      let image = CGImageSourceCreateImageAtIndex(source, 0, nil)
    else { throw CocoaError(.fileReadCorruptFile) }
    let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [CFString: Any]
    let number = properties?[kCGImagePropertyOrientation] as? UInt32 ?? 1
    return (image, CGImagePropertyOrientation(rawValue: number) ?? .up)
  }

  /// The maximum number of pixels to process.
  private static let mostPixels = 16e6

  private static func upright(
    _ image: CGImage, _ orientation: CGImagePropertyOrientation
  ) throws -> UprightPhoto {
    let scale = min(1, (mostPixels / Double(image.width * image.height)).squareRoot())
    let width = max(1, Int(Double(image.width) * scale))
    let height = max(1, Int(Double(image.height) * scale))
    // White is visible behind transparent pixels.
    var bytes = [UInt8](repeating: 255, count: 4 * width * height)
    try drawing(in: &bytes, width: width, height: height) { canvas in
      canvas.draw(image, in: CGRect(x: 0, y: 0, width: width, height: height))
    }
    return UprightPhoto(bytes, size: (width, height), orientation: orientation.rawValue)
  }

  /// Draws in a bitmap with four bytes for each pixel: red, green, blue and an unused one.
  private static func drawing<Result>(
    in bytes: inout [UInt8], width: Int, height: Int, _ draw: (CGContext) -> Result
  ) throws -> Result {
    try bytes.withUnsafeMutableBytes { buffer in
      guard let space = CGColorSpace(name: CGColorSpace.sRGB),
        let canvas = CGContext(
          data: buffer.baseAddress, width: width, height: height, bitsPerComponent: 8,
          bytesPerRow: 4 * width, space: space, bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue)
      else { throw CocoaError(.fileReadCorruptFile) }
      return draw(canvas)
    }
  }

  private func probabilities(_ photo: UprightPhoto) throws -> [(String, Double)] {
    let part = (0, 0, photo.width, photo.height)  // the whole photo is stretched to the square
    var bytes = photo.squared(part, side: side)
    let image = try Self.drawing(in: &bytes, width: side, height: side) { $0.makeImage() }
    guard let square = image else { throw CocoaError(.fileReadCorruptFile) }
    let request = VNCoreMLRequest(model: model)
    request.imageCropAndScaleOption = .scaleFill
    try VNImageRequestHandler(cgImage: square, orientation: .up).perform([request])
    let observations = request.results as? [VNClassificationObservation] ?? []
    return observations.map { ($0.identifier, Double($0.confidence)) }
  }

  /// Classifies an image with the given EXIF orientation.
  public func answer(
    _ image: CGImage, orientation: CGImagePropertyOrientation, at place: CLLocation? = nil,
    heading: Double? = nil, view: Double? = nil
  ) throws -> CampusAnswer {
    if let place, let map,
      map.isOutside(
        latitude: place.coordinate.latitude, longitude: place.coordinate.longitude,
        error: place.horizontalAccuracy)
    {
      return .notOnCampus
    }
    let photo = try Self.upright(image, orientation)
    let probabilities = try probabilities(photo)
    if let place, let places {
      let isUpright = photo.width < photo.height
      let known = view.flatMap { $0.isFinite ? $0 : nil }
      let given = Dictionary(probabilities, uniquingKeysWith: { first, _ in first })
      let found = places.answer(
        labels.map { given[$0] ?? 0 }, decision, latitude: place.coordinate.latitude,
        longitude: place.coordinate.longitude, error: place.horizontalAccuracy, heading: heading,
        view: known ?? (isUpright ? places.c("upright_view_deg") : nil))
      if let found { return CampusAnswer(found) }
    }
    return decision.answer(
      probabilities,
      name: { map?.records[$0]?["name"] as? String ?? $0 })
  }
}
