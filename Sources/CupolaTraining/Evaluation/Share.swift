/// How many of some photos were named right.
public struct Share: Equatable, Sendable {
  /// Photos named right.
  public let right: Int
  /// Photos asked about.
  public let photos: Int

  init(right: Int, of photos: Int) { (self.right, self.photos) = (right, photos) }

  init(of answers: [Evaluation.Answer], where isRight: (Evaluation.Answer) -> Bool) {
    self.init(right: answers.count(where: isRight), of: answers.count)
  }

  /// Of those for which it can be said.
  init(_ isRight: [Bool?]) {
    self.init(right: isRight.count { $0 == true }, of: isRight.count { $0 != nil })
  }

  /// The share, 0...1; `nil` without photos.
  public var accuracy: Double? { photos == 0 ? nil : Double(right) / Double(photos) }
  /// Its 95 % interval.
  public var interval: WilsonInterval { WilsonInterval(successes: right, of: photos) }

  static let columns: [Column<Share>] = [
    .count("photos") { $0.photos }, .count("right") { $0.right },
    .share("accuracy") { $0.accuracy }, .interval { $0.photos > 0 ? $0.interval.ends : nil },
  ]
}

extension WilsonInterval {
  /// Both ends, as JSON has them.
  var ends: [Double] { [lower, upper] }
}
