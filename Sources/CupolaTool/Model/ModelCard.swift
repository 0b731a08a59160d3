import Cupola
import CupolaTraining

/// What `cupola model` shows: schema `cupola.model/1`.
struct ModelCard {
  private let contents: Model
  private let path: String
  private let size: Int
  private let sha256: String

  init(_ contents: Model, path: String, bytes: [UInt8]) {
    (self.contents, self.path, size) = (contents, path, bytes.count)
    sha256 = SHA256.hexadecimal(of: bytes)
  }

  private var viewpoints: Int { contents.count(of: .viewpoints) }

  var json: JSONObject {
    let traces = TraceCounts(contents)
    return [
      "schema": "cupola.model/1", "model": path, "bytes": size, "sha256": sha256,
      "whole_digest": contents.isSealed,
      "labels": contents.labels.names, "recipe": contents.recipe,
      "features": contents.recipe.featureCount, "classifier": contents.classifierKind,
      "weights": contents.weightFormat,
      "traces": traces.photos, "drawn_traces": traces.drawn,
      "calibration": contents.calibration, "provenance": contents.provenance,
      "catalogue_buildings": contents.campus?.buildings.count,
      "fence_polygons": contents.campus?.geofence.polygons.count,
      "place": contents.place.map { place in
        [
          "position_weight": place.positionWeight, "heading_weight": place.headingWeight,
          "viewpoints": viewpoints,
        ] as JSONObject
      },
    ]
  }

  /// How sure the model must be of a name at the usual error.
  private var needed: String {
    let point = OperatingPoint(contents.calibration)
    if point.namesNothing { return "more than all buildings' probability: no photo gets one" }
    let share = point.leastShare
    // Nearly all is not all.
    if share > 0 { return "\(FigureText.apart(share, 1).0) of all buildings' probability" }
    let isKnown = contents.calibration.wrongNames != nil
    return "any probability: "
      + (isKnown ? "no line was needed" : "nobody knows which line is needed")
  }

  /// What the model promises at the usual error, and what a name needs there.
  private var promises: [(String, String)] {
    let promise = Promise(contents)
    return [
      ("promises", promise.names), ("a name needs", needed),
      ("light", promise.light ?? "each building trained on photos of several days"),
      (
        "unknown",
        promise.unknown ?? "nobody knows what buildings without photos are taken for"
      ),
    ]
  }

  var text: String {
    let (recipe, provenance) = (contents.recipe, contents.provenance)
    let counts = contents.labels.names.map { "\($0) (\(provenance.photos[$0] ?? 0))" }
    let weights = contents.weightFormat
    var rows = [
      ("model", "\(path), \(size) bytes"), ("sha256", sha256),
    ]
    if !contents.isSealed {
      rows.append(
        (
          "digest",
          "of its tensors alone: damage to labels or map would go unseen; -o writes one of all"
        ))
    }
    rows += [
      ("labels (photos)", counts.joined(separator: ", ")),
      (
        "features",
        "\(recipe.features.title), \(recipe.featureCount) values from \(recipe.inputSide)x\(recipe.inputSide)"
      ),
      ("geometry", recipe.geometry.name),
      ("classifier", contents.classifierKind.rawValue),
      ("weights", weights.rawValue + (weights == .int8 ? ", one scale a label" : "")),
      ("temperature", Format.decimal(contents.calibration.temperature, digits: 4)),
    ]
    rows += promises
    rows.append(("campus", contents.campus.map(Self.text) ?? "none"))
    if let place = contents.place { rows.append(("place", text(of: place))) }
    rows += [
      ("trained by", "cupola \(provenance.version), seed \(provenance.seed)"),
      (
        "regularization",
        contents.classifierKind == .retrieval
          ? "none" : "C = \(Format.decimal(provenance.regularization, digits: 2))"
      ),
      ("kernel", provenance.kernel), ("training data", "sha256 \(provenance.dataDigest)"),
      ("traces", TraceCounts(contents).text),
    ]
    if let source = provenance.featuresSource {
      rows.append(
        ("features from", "other photos, sha256 \(source.dataDigest), seed \(source.seed)"))
    }
    return TextColumns.facts(rows, width: 17)
  }

  private static func text(of campus: Campus) -> String {
    let fence = FigureText.count(campus.geofence.polygons.count, "polygon")
    let buildings = FigureText.count(campus.buildings.count, "building")
    return "\(buildings) in the catalog, a fence of \(fence)"
  }

  private func text(of place: PlaceModel) -> String {
    "counts \(Format.decimal(place.positionWeight, digits: 2)), heading "
      + "\(Format.decimal(place.headingWeight, digits: 2)), photos taken from "
      + FigureText.count(viewpoints, "known place")
  }
}
