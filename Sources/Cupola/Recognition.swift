/// The answer to one photo.
public struct Recognition: Equatable, Sendable {
  /// What the photo shows, in one word.
  public enum Verdict: String, Codable, Sendable {
    /// A building of the campus.
    case building
    /// The photo was taken outside the geofence.
    case notOnCampus = "not_on_campus"
    /// Taken on the campus, or nobody knows where, but of nothing that the model knows.
    case notACampusBuilding = "not_a_campus_building"
    /// A building of the campus, but two of them are too close to call, or place and picture say
    /// different ones.
    case unsure
    /// Probably a building that the map knows and no photo trained, by position and heading only.
    case mappedBuilding = "mapped_building"
  }

  /// Why the verdict is what it is.
  public enum Reason: Equatable, Sendable {
    /// A building is the most probable label, and probable enough.
    case recognized
    /// The position lies outside the geofence; the picture was not looked at.
    case outsideGeofence
    /// The background labels are too probable, together, beside the best building.
    case background(probability: Double)
    /// No building that trained is like enough to the picture, which is like nothing else that trained
    /// either.
    case unknownBuilding(probability: Double)
    /// Neither of the two best buildings has the share in the probability of all buildings that it
    /// takes, but together they have.
    case tooClose(share: Double, needed: Double)
    /// Nor have the two together.
    case unfamiliar(share: Double, needed: Double)
    /// The model knows no building at all.
    case noBuildings
    /// The picture says none of the trained buildings clearly; by place and heading it is most
    /// probably one that the map knows and no photo trained.
    case byPlaceOnly
    /// The picture is sure of one building, which place and heading make far less probable than
    /// another, or the building that would be named lies behind the camera and another does not.
    case contradicted(picture: String, place: String)
  }

  /// Whether the place fits what the picture says.
  package enum PlaceAgreement: String, Codable, Sendable {
    /// It does, or the picture says nothing clear.
    case agrees
    /// The picture says one building, which place and heading make far less probable.
    case contradicts
  }

  /// A building that the photo might show.
  public struct Candidate: Equatable, Sendable {
    /// The training label, or that of a building of the map that has no photos.
    public let label: String
    /// 0...1, over all labels including the backgrounds, by picture, place and heading: how probable it
    /// is if the picture shows anything that trained or that the map knows.
    public let probability: Double
    /// What the picture alone says; 0 for a building without photos.
    package let imageProbability: Double
    /// How much the picture looks like the building, whatever else it looks like: what the classifier
    /// gives before temperature and softmax. Low for all candidates when the model has never seen
    /// the like; minus infinity for a building without photos.
    package let logit: Double
    /// Whether photos of the building trained the model; others come from the map alone.
    public var isTrained = true
    /// Meters to the building; `nil` without a position or a place of the building on the map.
    public var distance: Double? = nil
    /// The direction of its nearest point, degrees clockwise from true north; `nil` inside it, too.
    public var bearing: Double? = nil

    /// The same that is otherwise probable by picture, place and heading.
    package func with(probability: Double) -> Candidate {
      Candidate(
        label: label, probability: probability, imageProbability: imageProbability, logit: logit,
        isTrained: isTrained, distance: distance, bearing: bearing)
    }
  }

  /// What the photo shows.
  public let verdict: Verdict
  /// Why.
  public let reason: Reason
  /// The building's label, when the verdict is a building, trained or mapped.
  public let label: String?
  /// The building's catalog record, when the campus has one.
  public let building: Building?
  /// How probable the building is, 0...1, when the verdict is a building, trained or mapped; see
  /// ``Candidate/probability``.
  public let probability: Double?
  /// All trained buildings, and with a place those of the map that can be in view, most probable
  /// first; empty when the picture was not looked at.
  public let candidates: [Candidate]
  /// The natural logarithm of the odds of the best building against all backgrounds; `nil` without
  /// backgrounds, and when the picture was not looked at.
  package let odds: Double?
  /// The same by the picture alone.
  package internal(set) var imageOdds: Double?
  /// Whether the place fits the picture; `nil` without a position or a model of places.
  package internal(set) var place: PlaceAgreement?
  /// How probably the picture shows something that trained or that the map knows, 0...1.
  package internal(set) var familiarity = 1.0
  package internal(set) var position: Position?
  package internal(set) var heading: Heading?
  /// On which side of the fence that was; `nil` without a position or a map.
  public internal(set) var fence: FenceSide?
  /// Parts of the EXIF block that could not be read.
  package internal(set) var faults: [EXIFFault] = []
  /// How long each stage took.
  package internal(set) var timing = StageTiming()
}

extension Recognition {
  static func outside(at position: Position, heading: Heading?) -> Recognition {
    Recognition(
      verdict: .notOnCampus, reason: .outsideGeofence, label: nil, building: nil, probability: nil,
      candidates: [], odds: nil, position: position, heading: heading, fence: .outside)
  }
}
