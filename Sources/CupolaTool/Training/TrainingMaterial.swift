import CupolaTraining

/// What there is to train on.
struct TrainingMaterial {
  var photos: [LabeledPhoto] = []
  var heldBack = 0
  /// What `cupola evaluate` needs beside the folder to ask about those that are held back; `nil` where none of the folder
  /// itself is.
  var testOptions: [String]?
  var skipped: [SkippedFile] = []
  /// Buildings that do not train, but for the test.
  var onlyTested: [String] = []
  var ignored = IgnoredFiles()
}
