/// Accuracy by what else is known of the photos: light, session, time of day, distance, shape.
public struct Slice: Equatable, Sendable {
  /// What the photos are divided by, such as `light` or `distance`.
  public let by: String
  /// Which of them these are, such as `cloud` or `25 to 50 m`.
  public let value: String
  /// Photos of known buildings named right by the picture alone.
  public let named: Share
  /// And by picture, place and heading, with photos off the campus counted as wrong.
  public let namedWithPlace: Share

  static let columns: [Column<Slice>] =
    [.text("by") { $0.by }, .text("value") { $0.value }] + Share.columns.map { $0.of { $0.named } }
    + [
      .count("right_fused", "right with place") { $0.namedWithPlace.right },
      .share("accuracy_fused", "with place") { $0.namedWithPlace.accuracy },
    ]

  /// Columns of `split.csv` that are measured, not told apart.
  private static let measured: Set = ["time", "lat", "lon"]
  /// What has more values than this divides into pieces too small to mean anything.
  static let mostValues = 48

  /// All slices of the photos of known buildings, where there are 2 to 48 values.
  public static func all(of evaluation: Evaluation) -> [Slice] {
    let answers = evaluation.known
    let columns = Set(answers.flatMap { $0.photo.attributes.keys }).subtracting(measured).sorted()
    var slices: [Slice] = []
    for column in columns {
      slices += self.slices(answers, by: column) { $0.photo.attributes[column].map { ($0, $0) } }
    }
    func add(_ name: String, _ value: (Evaluation.Answer) -> (order: String, name: String)?) {
      // What somebody wrote into a column of that name stands there already.
      guard !columns.contains(name) else { return }
      slices += self.slices(answers, by: name, value)
    }
    add("session") { $0.session.map { ($0, $0) } }
    add("time of day") { $0.facts.captureTime.flatMap(timeOfDay) }
    add("distance") { $0.facts.distance.flatMap(range) }
    add("shape") { $0.facts.shape }
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
        by: name, value: names[order] ?? order, named: Share(of: answers, where: \.isRight),
        namedWithPlace: Share(of: answers, where: \.isRightWithPlace))
    }
  }

  /// By the hour of a camera's clock.
  static func timeOfDay(_ time: String) -> (order: String, name: String)? {
    guard let hour = CaptureTime(time)?.hour else { return nil }
    // From 22 h on and before 5 h is night.
    return bin(
      Double((hour + 19) % 24),
      [
        (6, "morning (5 to 11 h)"), (10, "midday (11 to 15 h)"), (14, "afternoon (15 to 19 h)"),
        (17, "evening (19 to 22 h)"), (24, "night (22 to 5 h)"),
      ])
  }

  static func range(_ meters: Double) -> (order: String, name: String)? {
    bin(
      meters,
      [
        (10, "under 10 m"), (25, "10 to 25 m"), (50, "25 to 50 m"), (100, "50 to 100 m"),
        (.infinity, "100 m or more"),
      ])
  }

  /// The first of the bins that a value is below the end of, in their order.
  static func bin(
    _ value: Double, _ bins: [(end: Double, name: String)]
  ) -> (order: String, name: String)? {
    bins.firstIndex { value < $0.end }.map { ("\($0 + 1)", bins[$0].name) }
  }
}

extension PhotoFacts {
  /// Width over height, in words; `nil` when nobody looked.
  var shape: (order: String, name: String)? {
    guard width > 0, height > 0 else { return nil }
    return Slice.bin(
      Double(width) / Double(height),
      [
        (0.65, "tall (narrower than 2:3)"), (0.95, "upright (to 1:1)"),
        (1.05.nextUp, "square"), (1.55.nextUp, "level (to 3:2)"),
        (.infinity, "wide (wider than 3:2)"),
      ])
  }
}

extension Evaluation.Answer {
  /// The shooting session: the group of `split.csv` where somebody named it, else the day of capture.
  var session: String? {
    photo.namedSession ?? facts.captureTime.flatMap(CaptureTime.init)?.dayName
  }
}
