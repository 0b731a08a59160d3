internal import Cupola

extension SettingsSearch {
  /// Examples with another weight of color than the usual one.
  struct Weighed: Sendable {
    let weight: Float
    let examples: ExampleRows
  }

  /// What held-out photos got with that weight.
  struct WeighedTrial: Sendable {
    let examples: ExampleRows
    let span: ExampleSpan
    /// `nil` when no photo can be held out.
    let trial: CrossValidation.Trial?
  }
}

extension SettingsSearch.Problem {
  /// The examples with each weight of color to try; none where there is nothing to choose.
  func weighed(_ examples: ExampleRows) -> [SettingsSearch.Weighed] {
    guard canChoose, let usual = features.usualWeight else { return [] }
    return otherWeights.map { weight in
      SettingsSearch.Weighed(
        weight: weight,
        examples: features.trainable.reweighted(examples, from: usual, to: weight))
    }
  }

  /// Validates one setting with each weight of color, as many at the same time as memory allows.
  ///
  /// - Parameters:
  ///   - products: of the examples, whatever their weights.
  ///   - span: of the examples with the usual weight, which is as large.
  func trials(
    of weighed: [SettingsSearch.Weighed], _ settings: ClassifierSettings,
    _ products: InnerProducts?, like span: ExampleSpan
  ) async -> [SettingsSearch.WeighedTrial] {
    guard settings.colorWeight != nil else { return [] }
    let atOnce = min(
      weighed.count, CrossValidation.fitsAtOnce(span.coordinates, [settings], threads: threads))
    var trials: [SettingsSearch.WeighedTrial] = []
    for start in stride(from: 0, to: weighed.count, by: max(1, atOnce)) {
      let some = weighed[start..<min(start + atOnce, weighed.count)]
      trials += await together(some, settings, products)
    }
    return trials
  }

  private func together(
    _ weighed: ArraySlice<SettingsSearch.Weighed>, _ settings: ClassifierSettings,
    _ products: InnerProducts?
  ) async -> [SettingsSearch.WeighedTrial] {
    await withTaskGroup(of: (Int, SettingsSearch.WeighedTrial).self) { group in
      for (place, own) in weighed.enumerated() {
        group.addTask {
          var tried = settings
          tried.colorWeight = own.weight
          let span = ExampleSpan(of: own.examples, products: products)
          let validation = await validate(
            span, [tried], trainedViews: searchedViews, threads: max(1, threads / weighed.count))
          return (
            place,
            .init(examples: own.examples, span: span, trial: validation.trials.first)
          )
        }
      }
      var trials = [SettingsSearch.WeighedTrial?](repeating: nil, count: weighed.count)
      for await (place, trial) in group { trials[place] = trial }
      return trials.compactMap(\.self)
    }
  }
}
