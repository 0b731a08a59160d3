/// The answer to one photo.
public struct Recognition: Equatable, Sendable {
  /// The kind of answer.
  public enum Verdict: String, Codable, Sendable {
    /// A building of the campus.
    case building
    /// The photo was taken outside the fence.
    case notOnCampus = "not_on_campus"
    /// The photo shows no building of the campus. Its position is inside the fence or unknown.
    case notACampusBuilding = "not_a_campus_building"
    /// Two buildings are similarly probable, or image and position disagree.
    case unsure
    /// A building on the map without training photos, recognized from position and heading.
    case mappedBuilding = "mapped_building"
  }

  /// The reason for a verdict.
  public enum Reason: Equatable, Sendable {
    /// The most probable label is a building whose share reaches the threshold.
    case recognized
    /// The position is outside the fence, so the image was not classified.
    case outsideGeofence
    /// The background classes are too probable compared with the best building.
    case background(probability: Double)
    /// The image resembles neither a trained building nor a trained background class.
    case unknownBuilding(probability: Double)
    /// No building's share of the probability reaches the threshold, but the sum of the two best does.
    case tooClose(share: Double, needed: Double)
    /// Even the sum of the two best shares is below the threshold.
    case unfamiliar(share: Double, needed: Double)
    /// The model has no buildings.
    case noBuildings
    /// The image shows no trained building clearly; position and heading indicate one without training photos.
    case byPlaceOnly
    /// Position and heading contradict the image.
    ///
    /// Either the image clearly shows one building and they make another far more probable, or the most probable
    /// building is behind the camera and another is not.
    case contradicted(picture: String, place: String)
  }

  /// Whether position and heading agree with the image.
  package enum PlaceAgreement: String, Codable, Sendable {
    /// Position and heading agree with the image, or the image is not clear.
    case agrees
    /// Position and heading make the building in the image far less probable than another.
    case contradicts
  }

  /// A building that the photo may show.
  public struct Candidate: Equatable, Sendable {
    /// The training label, or the label of a building on the map without training photos.
    public let label: String
    /// The probability from image, position, and heading, 0 to 1, over all labels including backgrounds.
    ///
    /// Assumes that the photo shows a trained label or a building on the map.
    public let probability: Double
    /// The probability from the image alone; 0 for a building without training photos.
    package let imageProbability: Double
    /// The classifier's score before temperature scaling and softmax, independent of other labels.
    /// Low for all candidates if no training photo is similar; minus infinity for a building without training photos.
    package let logit: Double
    /// Whether the model was trained with photos of the building.
    public var isTrained = true
    /// Distance to the building in meters; `nil` without a position or map location.
    public var distance: Double? = nil
    /// True bearing of the nearest point in degrees; `nil` inside the building or without a distance.
    public var bearing: Double? = nil

    package func with(probability: Double) -> Candidate {
      Candidate(
        label: label, probability: probability, imageProbability: imageProbability, logit: logit,
        isTrained: isTrained, distance: distance, bearing: bearing)
    }
  }

  /// The kind of answer.
  public let verdict: Verdict
  /// The reason for the verdict.
  public let reason: Reason
  /// The label of the building, if the verdict is a building.
  public let label: String?
  /// The catalog record of the building, if the campus has one.
  public let building: Building?
  /// The probability of the building, 0 to 1, if the verdict is a building; see ``Candidate/probability``.
  public let probability: Double?
  /// The possible buildings, most probable first; empty if the image was not classified.
  ///
  /// Contains all trained buildings and, with a position, the untrained buildings in view.
  public let candidates: [Candidate]
  /// The log odds of the best building against all backgrounds; `nil` without backgrounds or a classified image.
  package let odds: Double?
  /// The log odds from the image alone.
  package internal(set) var imageOdds: Double?
  /// Whether the position agrees with the image; `nil` without a position or place model.
  package internal(set) var place: PlaceAgreement?
  /// The probability that the image shows a trained label or a building on the map, 0 to 1.
  package internal(set) var familiarity = 1.0
  package internal(set) var position: Position?
  package internal(set) var heading: Heading?
  /// The side of the fence; `nil` without a position or map.
  public internal(set) var fence: FenceSide?
  package internal(set) var faults: [EXIFFault] = []
  package internal(set) var timing = StageTiming()
}

extension Recognition {
  static func outside(at position: Position, heading: Heading?) -> Recognition {
    Recognition(
      verdict: .notOnCampus, reason: .outsideGeofence, label: nil, building: nil, probability: nil,
      candidates: [], odds: nil, position: position, heading: heading, fence: .outside)
  }
}
