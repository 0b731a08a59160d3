import Cupola

/// What an app on an Apple system does with a Core ML package: the Swift part of its README.
enum CoreMLGuide {
  /// The text, in Markdown, for a package called `name` with pictures of this geometry.
  static func text(name: String, geometry: Geometry) -> String {
    let crop = geometry.visionLines
    return """
      ## Swift

      For iOS 15, macOS 12, tvOS 15 and later. Drag `\(name).mlpackage` and
      `campus.geojson`, if there is one, into the Xcode project; Xcode makes the class `\(name)`.
      The model turns pixels into probabilities: there is no feature code to write, and no file of
      labels. Three things are the app's: photos upright, squashed and not cropped, and the
      decision below.

      ```swift
      \(source(name: name, crop: crop))
      ```

      Use it:

      ```swift
      let recognizer = try CampusRecognizer()
      switch try recognizer.answer(photo: url, at: location?.coordinate) {
      case .building(let name, _, let probability): print(name, probability)
      case .unsure(let first, let second): print(first, "or", second, "?")
      case .notACampusBuilding: print("Not a Campus Building")
      case .notOnCampus: print("Not on Campus")
      }
      ```

      - Orientation matters most: a photo turned by 90 degrees is as good as unknown. Frames of the
        back camera in portrait are `.right`, of the front camera `.leftMirrored`.
      - `imageCropAndScaleOption` is not stored in the model, and Vision's own choice differs.
      - The model computes in single precision, on CPU and GPU.
      - The model's metadata, shown by Xcode and read above, hold the labels, the thresholds
        (`decision`), the input and the map.

      `golden` holds pictures of the model's size with the probabilities that a device must give.
      Saved as `check.swift` in this folder, the following compares them on a Mac: `swift check.swift`.

      ```swift
      \(check(name: name))
      ```
      """
  }

  private static func source(name: String, crop: String) -> String {
    [imports, recognizer(name: name, crop: crop), map].joined(separator: "\n\n")
  }

  /// Not spelt out: these are the app's imports, not ours.
  private static let imports = ["CoreLocation", "CoreML", "Foundation", "ImageIO", "Vision"]
    .map { "import " + $0 }.joined(separator: "\n")

  private static func recognizer(name: String, crop: String) -> String {
    """
    /// Names the building in a photo.
    final class CampusRecognizer {
      enum Answer {
        case building(String, label: String, probability: Double)
        case unsure(String, String)
        case notACampusBuilding
        case notOnCampus
      }

      private struct Decision: Decodable {
        let least_odds: Double
        let least_share: Double
      }

      private let model: VNCoreMLModel
      private let decision: Decision
      private let map: CampusMap?

      init(bundle: Bundle = .main) throws {
        let campus = try \(name)(configuration: MLModelConfiguration()).model
        model = try VNCoreMLModel(for: campus)
        let metadata = campus.modelDescription.metadata[.creatorDefinedKey]
        let notes = metadata as? [String: String] ?? [:]
        decision = try JSONDecoder().decode(
          Decision.self, from: Data((notes["decision"] ?? "").utf8))
        map = try bundle.url(forResource: "campus", withExtension: "geojson")
          .map { try CampusMap(geoJSON: Data(contentsOf: $0)) }
      }

      /// A photo from a file, turned as its EXIF orientation says.
      func answer(photo url: URL, at place: CLLocationCoordinate2D? = nil) throws -> Answer {
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
        _ image: CGImage, orientation: CGImagePropertyOrientation,
        at place: CLLocationCoordinate2D? = nil
      ) throws -> Answer {
        if let place, let map, !map.contains(place) { return .notOnCampus }
        let request = VNCoreMLRequest(model: model)
        \(crop)
        try VNImageRequestHandler(cgImage: image, orientation: orientation).perform([request])
        return decide(request.results as? [VNClassificationObservation] ?? [])
      }

      private func decide(_ observations: [VNClassificationObservation]) -> Answer {
        let none = "\(Graph.notACampusBuilding)"
        let nothing = Double(observations.first { $0.identifier == none }?.confidence ?? 0)
        let buildings = observations.filter { $0.identifier != none }
          .map { (label: $0.identifier, probability: Double($0.confidence)) }
          .sorted { $0.probability > $1.probability }
        let all = buildings.reduce(0) { $0 + $1.probability }
        guard let best = buildings.first, best.probability > 0 else { return .notACampusBuilding }
        if nothing > 0, log(best.probability / nothing) < decision.least_odds {
          return .notACampusBuilding
        }
        let share = best.probability / all
        if share >= decision.least_share {
          return .building(name(best.label), label: best.label, probability: best.probability)
        }
        if let second = buildings.dropFirst().first,
          share + second.probability / all >= decision.least_share
        {
          return .unsure(name(best.label), name(second.label))
        }
        return .notACampusBuilding
      }

      private func name(_ label: String) -> String { map?.records[label]?["name"] as? String ?? label }
    }
    """
  }

  private static func check(name: String) -> String {
    """
    import CoreML
    import Foundation
    import Vision

    struct Golden: Decodable {
      struct Picture: Decodable { let file: String, probabilities: [Double] }
      let labels: [String], pictures: [Picture], tolerance: Double
    }

    let golden = try JSONDecoder().decode(
      Golden.self, from: Data(contentsOf: URL(fileURLWithPath: "golden/expected.json")))
    let compiled = try MLModel.compileModel(at: URL(fileURLWithPath: "\(name).mlpackage"))
    let model = try VNCoreMLModel(for: MLModel(contentsOf: compiled))
    for picture in golden.pictures {
      let request = VNCoreMLRequest(model: model)
      request.imageCropAndScaleOption = .scaleFill
      let file = URL(fileURLWithPath: "golden/" + picture.file)
      try VNImageRequestHandler(url: file).perform([request])
      var found: [String: Double] = [:]
      for result in request.results as? [VNClassificationObservation] ?? [] {
        found[result.identifier] = Double(result.confidence)
      }
      let largest = zip(golden.labels, picture.probabilities)
        .map { abs((found[$0] ?? 2) - $1) }.max() ?? 2
      print(picture.file, largest <= golden.tolerance ? "right" : "wrong", largest)
    }
    """
  }

  private static let map = """
    /// campus.geojson: the grounds, and the records of the buildings.
    struct CampusMap {
      /// Name, address and what else is known of each building, by its label.
      private(set) var records: [String: [String: Any]] = [:]
      /// Polygons of rings of positions, longitude first; rings after the first are holes.
      private var polygons: [[[[Double]]]] = []

      init(geoJSON: Data) throws {
        let map = try JSONSerialization.jsonObject(with: geoJSON) as? [String: Any]
        for feature in map?["features"] as? [[String: Any]] ?? [] {
          let properties = feature["properties"] as? [String: Any] ?? [:]
          if let label = properties["label"] as? String { records[label] = properties }
          guard properties["role"] as? String == "boundary" else { continue }
          let geometry = feature["geometry"] as? [String: Any]
          if let polygon = geometry?["coordinates"] as? [[[Double]]] {
            polygons.append(polygon)
          } else {
            polygons += geometry?["coordinates"] as? [[[[Double]]]] ?? []
          }
        }
      }

      /// Whether a place is on the grounds: a ray from there crosses the rings of a polygon an odd
      /// number of times. Not for grounds across the 180th meridian.
      func contains(_ place: CLLocationCoordinate2D) -> Bool {
        polygons.contains { rings in
          var isInside = false
          for ring in rings {
            for (a, b) in zip(ring, ring.dropFirst())
            where (a[1] > place.latitude) != (b[1] > place.latitude) {
              let share = (place.latitude - a[1]) / (b[1] - a[1])
              if a[0] + share * (b[0] - a[0]) > place.longitude { isInside.toggle() }
            }
          }
          return isInside
        }
      }
    }
    """
}

extension Geometry {
  /// How Vision is told which part of a photo to use, in Swift.
  fileprivate var visionLines: String {
    switch self {
    case .squash: return "request.imageCropAndScaleOption = .scaleFill"
    case .centreCrop: return "request.imageCropAndScaleOption = .centerCrop"
    case .window(let window):
      let bottom = 100 - window.top - window.height
      return """
        request.imageCropAndScaleOption = .scaleFill
            request.regionOfInterest = CGRect(  // from the lower left
              x: \(window.left) / 100.0, y: \(bottom) / 100.0,
              width: \(window.width) / 100.0, height: \(window.height) / 100.0)
        """
    }
  }
}
