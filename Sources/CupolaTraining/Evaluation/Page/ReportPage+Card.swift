#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

internal import Cupola

extension ReportPage {
  var latency: View {
    let stages = Latency.byStage(evaluation.all)
    return [
      "hasLatency": !stages.isEmpty,
      "latencyTable": Self.table(
        "Milliseconds by stage, of all photos, on the machine that made this report",
        ["stage", "median", "95 % within"],
        stages.map {
          [
            $0.stage, FigureText.decimal($0.latency.median, digits: 2),
            FigureText.decimal($0.latency.percentile95, digits: 2),
          ]
        }),
    ]
  }

  private static var mostErrors: Int { 200 }

  var errors: View {
    let errors = report.errors
    let more = errors.count > Self.mostErrors ? ", the first \(Self.mostErrors)" : ""
    return [
      "hasErrors": !errors.isEmpty,
      "errorTable": Self.table(
        "Left out of all figures: \(FigureText.count(errors.count, "photo"))" + more,
        ["photo", "why"], errors.prefix(Self.mostErrors).map { [$0.photo, $0.message] },
        isProse: true),
    ]
  }

  var card: View {
    guard let card = report.card else { return ["limits": [String]()] }
    return [
      "limits": card.limits,
      "cardTable": Self.table(
        "Where model and figures come from", ["fact", "value"], Self.rows(card), isProse: true),
      "recipe": Self.text(of: card.recipe),
      "trainingTable": Self.table(
        "Photos that trained the model", ["label", "photos"],
        card.trainingPhotos.sorted { $0.key < $1.key }.map { [$0.key, "\($0.value)"] }),
    ]
  }

  private static func rows(_ card: EvaluationCard) -> [[String]] {
    let trained = card.trainingPhotos.values.reduce(0, +)
    let odds = FigureText.odds(card.leastOdds)
    let share = FigureText.percent(card.leastShare)
    let position = FigureText.decimal(card.positionWeight, digits: 2)
    let heading = FigureText.decimal(card.headingWeight, digits: 2)
    let parts = card.evaluatedPhotos.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    var rows: [[String]] = []
    func add(_ name: String, _ value: String) { rows.append([name, value]) }
    add("trained by", "Cupola \(card.version), kernel \(card.kernel)")
    add("training photos", "\(trained) of \(card.labels) labels")
    add("their SHA-256", card.dataDigest)
    add("seed", "\(card.seed)")
    add("features", "\(card.features), \(card.featureCount) values")
    add("weights", card.weights.rawValue)
    add("regularisation", "C = \(card.regularisation)")
    add("whitening", card.whitening.map { "shrinkage \($0)" } ?? "none")
    add("temperature", FigureText.decimal(card.temperature, digits: 3))
    add("line between name and no name", "odds of a building from \(odds), its share from \(share)")
    add("map", card.buildingsOnMap.map { FigureText.count($0, "building") } ?? "none")
    add(
      "weights of place and heading",
      card.positionWeight == nil ? "no place" : "\(position), \(heading)")
    add("photos evaluated", parts.joined(separator: ", "))
    add("of these also trained the model", "\(card.photosThatTrained)")
    return rows
  }

  private static func text(of recipe: Recipe) -> String {
    (try? ReportJSON.encoder(pretty: true).encode(recipe))
      .map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
