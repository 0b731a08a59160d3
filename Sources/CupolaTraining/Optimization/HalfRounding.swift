internal import Cupola

// What the features learn is rounded to half precision before anything is computed with it, so that
// a model file of half the size holds exactly what trained the classifier.

extension PrincipalComponents {
  /// The nearest components that a file of half precision can hold.
  var halved: PrincipalComponents {
    PrincipalComponents(
      projection: projection.halved,
      offset: Matrix(rows: 1, columns: offset.count, values: offset).halved.values)
  }
}

extension GaussianMixture {
  /// The nearest means and variances that a file of half precision can hold.
  ///
  /// Weights stay as they are: they are few, and small ones would lose their digits.
  /// - Precondition: variances are well above the least half, as the floor of `MixtureFit` has it.
  var halved: GaussianMixture {
    GaussianMixture(weights: weights, means: means.halved, variances: variances.halved)
  }
}
