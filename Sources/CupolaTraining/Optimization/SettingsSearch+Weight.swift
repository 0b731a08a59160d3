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

  /// Validates one setting with each weight of color, all at the same time.
  ///
  /// - Parameter products: of the examples, whatever their weights.
  func trials(
    of weighed: [SettingsSearch.Weighed], _ settings: ClassifierSettings,
    _ products: InnerProducts?
  ) async -> [SettingsSearch.WeighedTrial] {
    guard settings.colorWeight != nil else { return [] }
    let share = max(1, threads / max(1, weighed.count))
    return await withTaskGroup(of: (Int, SettingsSearch.WeighedTrial).self) { group in
      for (place, own) in weighed.enumerated() {
        group.addTask {
          var tried = settings
          tried.colorWeight = own.weight
          let span = ExampleSpan(of: own.examples, products: products)
          let trial = await validate(span, [tried], trainedViews: searchedViews, threads: share)
            .trials.first
          return (place, .init(examples: own.examples, span: span, trial: trial))
        }
      }
      var trials = [SettingsSearch.WeighedTrial?](repeating: nil, count: weighed.count)
      for await (place, trial) in group { trials[place] = trial }
      return trials.compactMap(\.self)
    }
  }
}
