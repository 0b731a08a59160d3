import CoreLocation
import CoreML
import Foundation
import ImageIO
import Vision

/// Names the building in a photo.
final class CampusRecognizer {
  private let model: VNCoreMLModel
  private let decision: CampusDecision
  private let map: CampusMap?

  init(bundle: Bundle = .main) throws {
    let campus = try Campus(configuration: MLModelConfiguration()).model
    model = try VNCoreMLModel(for: campus)
    let metadata = campus.modelDescription.metadata[.creatorDefinedKey]
    let notes = metadata as? [String: String] ?? [:]
    decision = try CampusDecision(json: Data((notes["decision"] ?? "").utf8))
    map = try bundle.url(forResource: "campus", withExtension: "geojson")
      .map { try CampusMap(geoJSON: Data(contentsOf: $0)) }
  }

  /// A photo from a file, turned as its EXIF orientation says.
  func answer(photo url: URL, at place: CLLocation? = nil) throws -> CampusAnswer {
    guard let source = CGImageSourceCreateWithURL(url as CFURL, nil),
      let image = CGImageSourceCreateImageAtIndex(source, 0, nil)
    else { throw CocoaError(.fileReadCorruptFile) }
    let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [CFString: Any]
    let number = properties?[kCGImagePropertyOrientation] as? UInt32 ?? 1
    return try answer(
      image, orientation: CGImagePropertyOrientation(rawValue: number) ?? .up, at: place)
  }

  /// A picture; `orientation` says how to turn it upright.
  func answer(
    _ image: CGImage, orientation: CGImagePropertyOrientation, at place: CLLocation? = nil
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
    return decision.answer(
      observations.map { ($0.identifier, Double($0.confidence)) },
      name: { map?.records[$0]?["name"] as? String ?? $0 })
  }
}
