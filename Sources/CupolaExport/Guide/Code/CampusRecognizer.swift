import CoreLocation
import CoreML
import Foundation
import ImageIO
import Vision

/// Recognizes the building in a photo.
final class CampusRecognizer {
  private let model: VNCoreMLModel
  private let decision: CampusDecision
  private let labels: [String]
  private let map: CampusMap?
  private let places: Places?

  init(bundle: Bundle = .main) throws {
    let campus = try Campus(configuration: MLModelConfiguration()).model
    model = try VNCoreMLModel(for: campus)
    let metadata = campus.modelDescription.metadata[.creatorDefinedKey]
    let notes = metadata as? [String: String] ?? [:]
    decision = try CampusDecision(json: Data((notes["decision"] ?? "").utf8))
    labels = try JSONDecoder().decode([String].self, from: Data((notes["labels"] ?? "[]").utf8))
    places = try bundle.url(forResource: "place", withExtension: "json")
      .map { try Places(json: Data(contentsOf: $0)) }
    map = try bundle.url(forResource: "campus", withExtension: "geojson")
      .map { try CampusMap(geoJSON: Data(contentsOf: $0)) }
  }

  /// Classifies a photo from a file, using its EXIF orientation. For heading and view, see
  /// ``Places``.
  func answer(
    photo url: URL, at place: CLLocation? = nil, heading: Double? = nil, view: Double? = nil
  ) throws -> CampusAnswer {
    guard let source = CGImageSourceCreateWithURL(url as CFURL, nil),
      let image = CGImageSourceCreateImageAtIndex(source, 0, nil)
    else { throw CocoaError(.fileReadCorruptFile) }
    let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [CFString: Any]
    let number = properties?[kCGImagePropertyOrientation] as? UInt32 ?? 1
    return try answer(
      image, orientation: CGImagePropertyOrientation(rawValue: number) ?? .up, at: place,
      heading: heading, view: view)
  }

  /// Classifies an image with the given EXIF orientation.
  func answer(
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
    let request = VNCoreMLRequest(model: model)
    request.imageCropAndScaleOption = .scaleFill  // the whole photo is stretched to the square
    try VNImageRequestHandler(cgImage: image, orientation: orientation).perform([request])
    let observations = request.results as? [VNClassificationObservation] ?? []
    let probabilities = observations.map { ($0.identifier, Double($0.confidence)) }
    if let place, let places {
      let turns = orientation.rawValue > 4
      let isUpright = turns ? image.height < image.width : image.width < image.height
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
