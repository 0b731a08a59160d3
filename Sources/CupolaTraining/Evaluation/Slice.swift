internal import Cupola

/// Accuracy by what else is known of the photos: light, session, time of day, distance, shape.
public struct Slice: Equatable, Sendable {
  /// What the photos are divided by, such as `light` or `distance`.
  public let by: String
  /// Which of them these are, such as `cloud` or `20 to 50 m`.
  public let value: String
  /// Photos of known buildings.
  public let photos: Int
  /// How many were named right by the picture alone.
  public let right: Int
  /// And by picture, place and heading, with photos off the campus counted as wrong.
  public let rightWithPlace: Int

  /// The share that was named right by the picture alone, 0...1.
  public var accuracy: Double { Double(right) / Double(photos) }
  /// Its 95 % interval.
  public var interval: WilsonInterval { WilsonInterval(successes: right, of: photos) }

  /// Columns of `split.csv` that are measured, not told apart.
  private static let measured: Set = ["time", "lat", "lon"]
  /// What has more values than this divides into pieces too small to mean anything.
  static let mostValues = 48

  /// All slices of the photos of known buildings, where there are two values or more.
  public static func all(of evaluation: Evaluation) -> [Slice] {
    let answers = evaluation.known
    let columns = Set(answers.flatMap { $0.photo.attributes.keys }).subtracting(measured).sorted()
    var slices: [Slice] = []
    for column in columns {
      slices += self.slices(answers, by: column) { $0.photo.attributes[column].map { ($0, $0) } }
    }
    slices += self.slices(answers, by: "session") { $0.session.map { ($0, $0) } }
    slices += self.slices(answers, by: "time of day") { $0.facts.captureTime.flatMap(timeOfDay) }
    slices += self.slices(answers, by: "distance") { $0.facts.distance.map(range) }
    slices += self.slices(answers, by: "shape") { $0.facts.shape }
    return slices
  }

  /// - Parameter value: what orders the values, and what they are called.
  private static func slices(
    _ answers: [Evaluation.Answer], by name: String,
    _ value: (Evaluation.Answer) -> (order: String, name: String)?
  ) -> [Slice] {
    var members: [String: [Evaluation.Answer]] = [:]
    var names: [String: String] = [:]
    for answer in answers {
      guard let (order, name) = value(answer) else { continue }
      members[order, default: []].append(answer)
      names[order] = name
    }
    guard (2...mostValues).contains(members.count) else { return [] }
    return members.sorted { $0.key < $1.key }.map { order, answers in
      Slice(
        by: name, value: names[order] ?? order, photos: answers.count,
        right: answers.count(where: \.isRight),
        rightWithPlace: answers.count(where: \.isRightWithPlace))
    }
  }

  /// By the hour of a camera's clock.
  static func timeOfDay(_ time: String) -> (order: String, name: String)? {
    guard Grouping.seconds(time) != nil,
      let hour = time.split(whereSeparator: { $0 == " " || $0 == ":" }).dropFirst(3).first
        .flatMap({ Int($0) })
    else { return nil }
    switch hour {
    case 5..<11: return ("1", "morning (5 to 11 h)")
    case 11..<15: return ("2", "midday (11 to 15 h)")
    case 15..<19: return ("3", "afternoon (15 to 19 h)")
    case 19..<22: return ("4", "evening (19 to 22 h)")
    default: return ("5", "night (22 to 5 h)")
    }
  }

  static func range(_ metres: Double) -> (order: String, name: String) {
    switch metres {
    case ..<10: ("1", "under 10 m")
    case ..<25: ("2", "10 to 25 m")
    case ..<50: ("3", "25 to 50 m")
    case ..<100: ("4", "50 to 100 m")
    default: ("5", "100 m or more")
    }
  }
}

extension PhotoFacts {
  /// Width over height, in words; `nil` when nobody looked.
  var shape: (order: String, name: String)? {
    guard width > 0, height > 0 else { return nil }
    switch Double(width) / Double(height) {
    case ..<0.65: return ("1", "tall (narrower than 2:3)")
    case ..<0.95: return ("2", "upright (to 1:1)")
    case ...1.05: return ("3", "square")
    case ...1.55: return ("4", "level (to 3:2)")
    default: return ("5", "wide (wider than 3:2)")
    }
  }
}

extension Evaluation.Answer {
  /// The shooting session: the group of `split.csv`, else the day of capture.
  var session: String? {
    photo.group
      ?? facts.captureTime.flatMap { time in
        Grouping.seconds(time) == nil ? nil : time.split(separator: " ").first.map(String.init)
      }
  }
}
