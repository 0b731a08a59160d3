#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

internal import Cupola

/// Two models side by side, on the photos that both were asked about.
public struct ModelComparison: Encodable, Sendable {
  /// The file of the other model, as its report names it.
  public let other: String?
  /// The other's figures on all of its own photos.
  public let figures: OtherReport.Figures
  /// Photos of known buildings that both were asked about, by their digests.
  public let photos: Int
  /// Those that this model names right by the picture alone, and the other.
  public let right: Int
  /// Those that the other names right.
  public let otherRight: Int
  /// Whether that is more than chance.
  public let mcnemar: McNemar
  /// The same by picture, place and heading.
  public let mcnemarFused: McNemar
  /// Photos that only this model names right, at most ``mostNames``.
  public let won: [String]
  /// Photos that only the other names right, at most ``mostNames``.
  public let lost: [String]

  static let mostNames = 100

  enum CodingKeys: String, CodingKey {
    case other, photos, right, mcnemar, won, lost
    case figures = "other_figures"
    case otherRight = "other_right"
    case mcnemarFused = "mcnemar_fused"
  }

  /// Compares an evaluation with the report of another.
  public init(_ evaluation: Evaluation, with report: OtherReport) {
    let others = Dictionary(
      report.predictions.filter { $0.kind == "building" }.map { ($0.digest + "\n" + $0.label, $0) }
    ) { first, _ in first }
    let pairs = evaluation.known.compactMap { answer in
      others[answer.facts.digest + "\n" + answer.photo.label].map { (answer: answer, other: $0) }
    }
    other = report.card?.model
    figures = report.figures
    photos = pairs.count
    right = pairs.count { $0.answer.isRight }
    otherRight = pairs.count { $0.other.isRight }
    let won = pairs.filter { $0.answer.isRight && !$0.other.isRight }
    let lost = pairs.filter { !$0.answer.isRight && $0.other.isRight }
    mcnemar = McNemar(onlyFirst: won.count, onlySecond: lost.count)
    mcnemarFused = McNemar(
      onlyFirst: pairs.count { $0.answer.isRightWithPlace && !$0.other.isRightWithPlace },
      onlySecond: pairs.count { !$0.answer.isRightWithPlace && $0.other.isRightWithPlace })
    self.won = won.prefix(Self.mostNames).map(\.answer.photo.name)
    self.lost = lost.prefix(Self.mostNames).map(\.answer.photo.name)
  }
}

/// What a comparison needs of another model's `report.json`.
public struct OtherReport: Decodable, Sendable {
  /// The figures of a report that stand side by side.
  public struct Figures: Codable, Sendable {
    let photos: Int
    let top1: Double?
    let top1Interval: [Double]
    let top3: Double?
    let macroF1: Double?
    let fused: Double?
    let ece: Double?
    let auroc: Double?
    let unknownBuildingsAUROC: Double?

    enum CodingKeys: String, CodingKey {
      case photos, top1, top3, fused, ece, auroc
      case top1Interval = "top1_interval"
      case macroF1 = "macro_f1"
      case unknownBuildingsAUROC = "unknown_buildings_auroc"
    }
  }

  struct Prediction: Decodable, Sendable {
    let digest: String
    let label: String
    let kind: String
    let answer: String?
    let fusedAnswer: String?

    enum CodingKeys: String, CodingKey {
      case digest, label, kind, answer
      case fusedAnswer = "fused_answer"
    }

    var isRight: Bool { answer == label }
    var isRightWithPlace: Bool { fusedAnswer == label }
  }

  struct Card: Decodable, Sendable { let model: String }

  let figures: Figures
  let predictions: [Prediction]
  let card: Card?

  private enum CodingKeys: String, CodingKey {
    case schema, predictions, place, calibration, rejection
    case card = "model_card"
    case ece, auroc
    case fused = "top1_fused"
    case unknownBuildingsAUROC = "unknown_buildings_auroc"
  }

  /// Reads a `report.json`.
  public init(from decoder: any Decoder) throws {
    let whole = try decoder.container(keyedBy: CodingKeys.self)
    func inside(_ key: CodingKeys) throws -> KeyedDecodingContainer<CodingKeys> {
      try whole.nestedContainer(keyedBy: CodingKeys.self, forKey: key)
    }
    predictions = try whole.decode([Prediction].self, forKey: .predictions)
    card = try whole.decodeIfPresent(Card.self, forKey: .card)
    let plain = try Top(from: decoder)
    let rejection = try inside(.rejection)
    figures = Figures(
      photos: plain.photos, top1: plain.top1, top1Interval: plain.top1Interval, top3: plain.top3,
      macroF1: plain.macroF1,
      fused: try inside(.place).decodeIfPresent(Double.self, forKey: .fused),
      ece: try inside(.calibration).decodeIfPresent(Double.self, forKey: .ece),
      auroc: try rejection.decodeIfPresent(Double.self, forKey: .auroc),
      unknownBuildingsAUROC: try rejection.decodeIfPresent(
        Double.self, forKey: .unknownBuildingsAUROC))
  }

  private struct Top: Decodable {
    let photos: Int
    let top1: Double?
    let top1Interval: [Double]
    let top3: Double?
    let macroF1: Double?

    enum CodingKeys: String, CodingKey {
      case photos, top1, top3
      case top1Interval = "top1_interval"
      case macroF1 = "macro_f1"
    }
  }

  /// The largest report that is read, in bytes.
  private static let fileLimit = 512 << 20

  /// Reads the report in a file.
  ///
  /// - Throws: ``FileError/cannotRead(path:code:)``, ``TrainingError/badReport(path:)``.
  public init(contentsOf path: String) throws {
    let bytes = try FileAccess.read(path, limit: Self.fileLimit)
    guard let report = try? JSONDecoder().decode(OtherReport.self, from: Data(bytes)) else {
      throw TrainingError.badReport(path: path)
    }
    self = report
  }
}
