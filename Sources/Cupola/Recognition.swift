/// The answer to one photo.
public struct Recognition: Equatable, Sendable {
  /// The kind of answer.
  public enum Verdict: String, Codable, Sendable {
    /// A campus building.
    case building
    /// The photo was taken outside the fence.
    case notOnCampus = "not_on_campus"
    /// Not a campus building. The position is inside the fence or unknown.
    case notACampusBuilding = "not_a_campus_building"
    /// Two buildings are similarly probable, or image and position disagree.
    case unsure
    /// A building that is on the map but has no training photos, recognized from position and heading.
    case mappedBuilding = "mapped_building"
  }

  /// The reason for a verdict.
  public enum Reason: Equatable, Sendable {
    /// The top label is a building, and its fraction of the total building probability reaches the threshold.
    case recognized
    /// The position is outside the fence, so the image was not classified.
    case outsideGeofence
    /// The background classes, including unknown buildings, have the total `probability`, which is too high relative to
    /// the best building.
    case background(probability: Double)
    /// The same, and the image resembles no training photo, for example because it shows another building.
    case unknownBuilding(probability: Double)
    /// No building's fraction of the total probability reaches the threshold, but the two best together do.
    case tooClose(share: Double, needed: Double)
    /// Even the two best buildings together do not reach the threshold.
    case unfamiliar(share: Double, needed: Double)
    /// The model has no buildings.
    case noBuildings
    /// The image does not clearly show a trained building; position and heading indicate one without training photos.
    case byPlaceOnly
    /// Position and heading contradict the image.
    ///
    /// Either the image clearly shows one building but position and heading make another far more probable, or the most
    /// probable building is behind the camera and another building is not.
    case contradicted(picture: String, place: String)
  }

  /// Whether position and heading support the most probable building.
  package enum PlaceAgreement: String, Codable, Sendable {
    /// Photos of the building are often taken at this position and with this heading, or it would not be the most
    /// probable building, or would not be named, without them.
    case agrees
    /// Position and heading make the building in the image far less probable than another, or it would be named
    /// without them.
    case contradicts
    /// Neither, for example far from the building, or if the model has neither a map nor photo positions of it.
    case unclear
  }

  /// A building that the photo may show.
  public struct Candidate: Equatable, Sendable {
    /// The training label; for a building without training photos, its label on the map.
    public let label: String
    /// The probability given the image, position, and heading, 0 to 1, assuming that the photo shows no building outside
    /// the model and the map.
    ///
    /// The probabilities of all buildings and background classes add up to 1. For a photo without buildings, those of all
    /// candidates are therefore almost 0 together. They do not add up to 1 with the probability of a rejection, which
    /// includes unknown buildings.
    public let probability: Double
    /// The probability from the image alone; 0 for a building without training photos.
    package let imageProbability: Double
    /// The classifier's score before temperature scaling and softmax, which does not depend on other labels.
    /// Low for all candidates if no training photo is similar; minus infinity for a building without training photos.
    package let logit: Double
    /// Whether the model was trained with photos of this building.
    package var isTrained = true
    /// Distance to the building in meters; `nil` without a position or map location.
    public var distance: Double? = nil
    /// The bearing of the building's nearest point from true north in degrees; `nil` inside it or without a position.
    package var bearing: Double? = nil

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
  /// The building's label, if the verdict is a building.
  public let label: String?
  /// The building's map record, if there is one.
  public let building: Building?
  /// The building's probability, 0 to 1, if the verdict is a building; see ``Candidate/probability``.
  public let probability: Double?
  /// The buildings that the photo may show, most probable first; empty if the image was not classified.
  ///
  /// Contains all trained buildings. If the position is known, also contains the untrained buildings in view.
  public let candidates: [Candidate]
  /// The log odds of the best building versus all background classes; `nil` without either or if the image was not
  /// classified.
  package let odds: Double?
  /// The log odds from the image alone.
  package internal(set) var imageOdds: Double?
  /// Whether the position supports the most probable building; `nil` without a position or place model.
  package internal(set) var place: PlaceAgreement?
  /// The probability that the image shows one of the labels or a building on the map, 0 to 1.
  package internal(set) var familiarity = 1.0
  /// The same from the image alone.
  package internal(set) var imageFamiliarity = 1.0
  package internal(set) var position: Position?
  package internal(set) var heading: Heading?
  /// Whether the position is inside or outside the fence; `nil` without a position or map.
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
