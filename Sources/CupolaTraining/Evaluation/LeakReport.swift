/// What photos that trained the model do to the figures, as JSON in the report.
public struct LeakReport: Encodable, Sendable {
  /// Photos that trained the model, of all that were asked about.
  public let same: Int
  /// Copies of such photos.
  public let copies: Int
  /// Crops of such photos.
  public let crops: Int
  /// Photos of known buildings without any of these.
  public let photosLeakFree: Int
  /// The share of them named right by the picture alone.
  public let top1LeakFree: Double?
  /// Its 95 % interval.
  public let top1LeakFreeInterval: [Double]
  /// Photos of known buildings that are such.
  public let photosLeaking: Int
  /// The share of them named right.
  public let top1Leaking: Double?
  /// Its 95 % interval.
  public let top1LeakingInterval: [Double]
  /// By how much the leaking ones are named better; `nil` where either are none.
  public let top1Difference: Double?
  /// Its 95 % interval.
  public let top1DifferenceInterval: [Double]?

  private enum CodingKeys: String, CodingKey {
    case same, copies, crops
    case photosLeakFree = "photos_leak_free"
    case top1LeakFree = "top1_leak_free"
    case top1LeakFreeInterval = "top1_leak_free_interval"
    case photosLeaking = "photos_leaking"
    case top1Leaking = "top1_leaking"
    case top1LeakingInterval = "top1_leaking_interval"
    case top1Difference = "top1_difference"
    case top1DifferenceInterval = "top1_difference_interval"
  }

  /// `nil` when there are no leaks among the photos.
  init?(_ evaluation: Evaluation) {
    let leaks = Dictionary(grouping: evaluation.all.compactMap(\.facts.leak), by: \.self)
      .mapValues(\.count)
    guard !leaks.isEmpty else { return nil }
    (same, copies, crops) = (leaks[.same] ?? 0, leaks[.copy] ?? 0, leaks[.crop] ?? 0)
    func share(_ isLeak: Bool) -> (right: Int, asked: Int) {
      let answers = evaluation.known.filter { ($0.facts.leak != nil) == isLeak }
      return (answers.count(where: \.isRight), answers.count)
    }
    let (free, leaking) = (share(false), share(true))
    func value(_ share: (right: Int, asked: Int)) -> Double? {
      share.asked == 0 ? nil : Double(share.right) / Double(share.asked)
    }
    photosLeakFree = free.asked
    top1LeakFree = value(free)
    top1LeakFreeInterval = WilsonInterval(successes: free.right, of: free.asked).ends
    photosLeaking = leaking.asked
    top1Leaking = value(leaking)
    top1LeakingInterval = WilsonInterval(successes: leaking.right, of: leaking.asked).ends
    let difference = NewcombeInterval(leaking, minus: free)
    top1Difference = difference?.difference
    top1DifferenceInterval = difference.map { [$0.lower, $0.upper] }
  }
}

extension LeakReport {
  /// The figures with and without leaks, in one sentence.
  var sentence: String {
    var text =
      "Leaks among all these photos: \(same) trained the model, \(copies) are copies and \(crops) crops of "
      + "photos that did. Of \(FigureText.count(photosLeakFree, "photo")) of known buildings without leaks "
      + "\(FigureText.percent(top1LeakFree)) are named right, of \(photosLeaking) that leak "
      + "\(FigureText.percent(top1Leaking))"
    if let top1Difference {
      text +=
        ": \(FigureText.points(top1Difference)) points \(top1Difference < 0 ? "less" : "more")"
    }
    return text + "."
  }
}
