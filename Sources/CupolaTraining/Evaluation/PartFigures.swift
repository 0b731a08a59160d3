internal import Cupola

/// What a model with some of its parts does with each kind of photos.
struct PartFigures: Sendable {
  let part: ModelPart
  /// Photos of buildings that the model knows.
  let known: Evaluation.Verdicts
  /// Photos of no buildings that were given the name of one that trained.
  let backgroundNamed: Share
  /// Photos of unknown buildings that were.
  let unknownNamed: Share
  /// How known buildings part from no buildings by how sure the answer is, place included; `nil` without
  /// photos.
  let backgroundArea: Double?
  /// The same from unknown buildings.
  let unknownArea: Double?

  static let columns: [Column<PartFigures>] =
    [
      Column("part") { .other($0.part.rawValue, $0.part.title) },
      .count("right") { $0.known.right },
      // By place only too: else photos would be in no column, and the map would seem to cost nothing.
      .count("wrong") { $0.known.wrong + $0.known.mappedWrong },
      .count("unsure") { $0.known.unsure },
      .count("refused") { $0.known.notACampusBuilding + $0.known.notOnCampus },
      .count("not_buildings_named", "no buildings named") {
        $0.backgroundNamed.photos > 0 ? $0.backgroundNamed.right : nil
      },
      .decimal("auroc", "AUROC", digits: 3) { $0.backgroundArea },
      .count("unknown_named", "unknown ones named") {
        $0.unknownNamed.photos > 0 ? $0.unknownNamed.right : nil
      },
      .decimal("unknown_buildings_auroc", "AUROC, unknown ones", digits: 3) { $0.unknownArea },
    ]

  init?(_ part: ModelPart, _ evaluation: Evaluation) {
    func answers(_ answers: [Evaluation.Answer]) -> [(photo: LabeledPhoto, said: PartialAnswer)] {
      answers.compactMap { answer in answer.parts[part].map { (answer.photo, $0) } }
    }
    let known = answers(evaluation.known)
    let (background, unknown) = (answers(evaluation.background), answers(evaluation.unknown))
    guard !known.isEmpty || !background.isEmpty || !unknown.isEmpty else { return nil }
    self.part = part
    self.known = Evaluation.Verdicts(known.map { ($1.verdict, $0.label == $1.label) })
    func named(_ answers: [(photo: LabeledPhoto, said: PartialAnswer)]) -> Share {
      Share(right: answers.count { $0.said.verdict == .building }, of: answers.count)
    }
    (backgroundNamed, unknownNamed) = (named(background), named(unknown))
    let sureties = known.map(\.said.surety)
    backgroundArea = ROCCurve(positives: sureties, negatives: background.map(\.said.surety)).area
    unknownArea = ROCCurve(positives: sureties, negatives: unknown.map(\.said.surety)).area
  }
}
