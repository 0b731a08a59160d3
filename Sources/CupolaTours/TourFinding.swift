internal import CupolaCampus
internal import CupolaGuide
internal import CupolaSupport

/// A problem found by ``TourCheck``, or advice.
///
/// The distance of an overlap is `nil` if two stops share a beacon zone.
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

  /// The problem and the recommended action, in one line.
  package var message: String {
    switch self {
    case .unknownPlace(let stop, let place):
      "\(stop): unknown or ambiguous place \"\(VisibleText.line(place))\"; "
        + "use an identifier from cupola guide poi, or latitude and longitude"
    case .overlap(let stop, let other, let meters?):
      "\(stop) and \(other): \(Self.meters(meters)) apart, so their radii overlap and "
        + "both can start at one position; reduce a radius"
    case .overlap(let stop, let other, nil):
      "\(stop) and \(other): both start in the same beacon zone; use different zones"
    case .smallRadius(let stop, let radius):
      "\(stop): a radius of \(Self.meters(radius)) is smaller than a phone's usual position error "
        + "(\(Self.meters(Position.defaultError))); increase it, or use a beacon"
    case .unreachable(let stop):
      "\(stop): no path connects it with the other stops; run cupola guide check"
    case .missingMedia(let stop, let path):
      "\(stop): \(VisibleText.line(path)) is missing; copy it to the tour's folder, or remove it from the tour"
    case .outsideMedia(let stop, let path):
      "\(stop): \(VisibleText.line(path)) is a link that leaves the tour's folder; copy the file there"
    case .missingAlternative(let stop, let path):
      "\(stop): \(VisibleText.line(path)) has no \"alt\" text; describe it for people who cannot "
        + "see or hear it"
    case .missingTranslation(let item, let languages):
      "\(item): no translation for \(languages.joined(separator: ", ")); add one, or visitors "
        + "see the first available language"
    case .noRightAnswer(let stop, let question):
      "\(stop): question \(question) has no right answer, so every answer is accepted; mark one "
        + "as right unless this is intended"
    case .longLeg(let from, let to, let meters):
      "\(from) to \(to): \(Self.meters(meters)) on foot; add a stop between them, or mention it in the "
        + "text"
    }
  }

  private static func meters(_ meters: Double) -> String { DistanceText.text(meters: meters) }
}

package struct TourLength: Equatable, Sendable {
  package let meters: Double
  /// The seconds for walking, and for reading and answering at the stops.
  let walking, stays: Double
  /// Whether some legs are straight lines, because no path is known.
  let isStraight: Bool

  package var seconds: Double { walking + stays }

  /// A sentence such as `1.4 km on foot, about 50 min including 30 min at the stops`.
  package var text: String {
    let known = "\(isStraight ? "at least " : "")\(DistanceText.text(meters: meters)) on foot"
    // Without a guide, the location of a stop may be unknown.
    let way = isStraight && meters < 0.5 ? "unknown distance" : known
    return "\(way), about \(Self.minutes(seconds)) including \(Self.minutes(stays)) at the stops"
  }

  private static func minutes(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds.magnitude < 1e9 else { return "a long time" }
    let minutes = Int((seconds / 60).rounded(.up))
    return minutes < 120 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }
}

package enum TourMediaState: Equatable, Sendable {
  case found, missing
  case outside

  /// Returns the state of the file at a ``TourMedia/path`` in the tour's folder.
  package static func of(_ path: String, in folder: String) -> TourMediaState {
    guard let root = FileAccess.resolved(folder),
      let file = FileAccess.resolved(folder + "/" + path)
    else {
      return .missing
    }
    guard FileAccess.isBelow(file, folder: root) else { return .outside }
    return (try? FileAccess.size(of: folder + "/" + path)) == nil ? .missing : .found
  }
}
