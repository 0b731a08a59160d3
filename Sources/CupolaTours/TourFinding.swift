internal import CupolaCampus
internal import CupolaGuide
internal import CupolaSupport

// 1. `TourFinding` lists what can be wrong with a tour, with a message for each.
// 2. `TourLength` puts the walk and the stays into a sentence.
// 3. `TourMediaState` checks that a media file exists inside the tour's folder.

/// What a visitor of a tour would stumble over, found by ``TourCheck``; each says how to mend the tour.
///
/// The meters of an overlap are `nil` where two stops share a beacon's zone.
package enum TourFinding: Equatable, Sendable {
  case unknownPlace(stop: String, place: String)
  case overlap(stop: String, other: String, meters: Double?)
  case smallRadius(stop: String, radius: Double)
  case unreachable(stop: String)
  case missingMedia(stop: String, path: String)
  case outsideMedia(stop: String, path: String)
  case missingAlternative(stop: String, path: String)
  case missingTranslation(item: String, languages: [String])
  case noRightAnswer(stop: String, question: String)
  case longLeg(from: String, to: String, meters: Double)

  /// A short stable name of its kind.
  package var kind: String {
    switch self {
    case .unknownPlace: "unknown_place"
    case .overlap: "overlap"
    case .smallRadius: "small_radius"
    case .unreachable: "unreachable"
    case .missingMedia: "missing_media"
    case .outsideMedia: "outside_media"
    case .missingAlternative: "missing_alternative"
    case .missingTranslation: "missing_translation"
    case .noRightAnswer: "no_right_answer"
    case .longLeg: "long_leg"
    }
  }

  package var isAdvice: Bool {
    switch self {
    case .unknownPlace, .unreachable, .missingMedia, .outsideMedia: false
    case .overlap, .smallRadius, .missingAlternative, .missingTranslation, .noRightAnswer, .longLeg:
      true
    }
  }

  /// One line for people: what is wrong and how to mend it.
  package var message: String {
    switch self {
    case .unknownPlace(let stop, let place):
      "\(stop): the guide knows no place \"\(VisibleText.line(place))\", or several of that name; "
        + "take an identifier that cupola guide poi lists, or give latitude and longitude"
    case .overlap(let stop, let other, let meters?):
      "\(stop) and \(other): \(Self.meters(meters)) apart, nearer than their radiuses together, so "
        + "that both begin at one point; make a radius smaller"
    case .overlap(let stop, let other, nil):
      "\(stop) and \(other): one beacon zone begins both; give each its own"
    case .smallRadius(let stop, let radius):
      "\(stop): a radius of \(Self.meters(radius)) is smaller than the usual error of a phone, "
        + "\(Self.meters(Position.usualError)); make it larger, or use a beacon"
    case .unreachable(let stop):
      "\(stop): no path leads there from the other stops; see cupola guide check"
    case .missingMedia(let stop, let path):
      "\(stop): \(VisibleText.line(path)) is not there; copy it beside the tour, or remove it"
    case .outsideMedia(let stop, let path):
      "\(stop): \(VisibleText.line(path)) is a link out of the tour's folder; copy the file there"
    case .missingAlternative(let stop, let path):
      "\(stop): \(VisibleText.line(path)) has no \"alt\"; say what it shows for those who cannot "
        + "see or hear it"
    case .missingTranslation(let item, let languages):
      "\(item): missing in \(languages.joined(separator: ", ")); translate it, or its first "
        + "language is shown"
    case .noRightAnswer(let stop, let question):
      "\(stop): question \(question) has no right answer, so that every answer is taken; mark one "
        + "as right unless that is meant"
    case .longLeg(let from, let to, let meters):
      "\(from) to \(to): \(Self.meters(meters)) on foot; put a stop between them, or say so in the "
        + "text"
    }
  }

  private static func meters(_ meters: Double) -> String { DistanceText.text(meters: meters) }
}

package struct TourLength: Equatable, Sendable {
  package let meters: Double
  /// Seconds to walk, and to read and answer.
  let walking, stays: Double
  /// Whether some way is only known as the crow flies.
  let isStraight: Bool

  package var seconds: Double { walking + stays }

  /// Such as `1.4 km on foot, 50 min with 30 min at the stops`.
  package var text: String {
    let known = "\(isStraight ? "at least " : "")\(DistanceText.text(meters: meters)) on foot"
    // Without a guide some stops are nowhere.
    let way = isStraight && meters < 0.5 ? "a way that is not known" : known
    return "\(way), about \(Self.minutes(seconds)) with \(Self.minutes(stays)) at the stops"
  }

  private static func minutes(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds.magnitude < 1e9 else { return "long" }
    let minutes = Int((seconds / 60).rounded(.up))
    return minutes < 120 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }
}

/// Whether a file of a tour can be shown.
package enum TourMediaState: Equatable, Sendable {
  case found, missing
  /// A link leads out of the folder.
  case outside

  /// How it is with a file.
  ///
  /// - Parameters:
  ///   - path: of ``TourMedia/path``.
  ///   - folder: of the tour.
  package static func of(_ path: String, in folder: String) -> TourMediaState {
    guard let root = FileAccess.resolved(folder),
      let file = FileAccess.resolved(folder + "/" + path)
    else {
      return .missing
    }
    guard file.starts(with: root.last == UInt8(ascii: "/") ? root : root + [UInt8(ascii: "/")])
    else { return .outside }
    return (try? FileAccess.size(of: folder + "/" + path)) == nil ? .missing : .found
  }
}
