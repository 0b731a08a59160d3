import Cupola

/// One line about what storing a model's weights in fewer bits changes, as training found it.
enum RoundingText {
  static func line(from model: Model, to format: WeightFormat) -> String {
    if model.weightFormat == format { return "the weights are those of the model file" }
    if format == .float32 {
      return "the weights stay as exact as the \(model.weightFormat.rawValue) of the model file"
    }
    guard model.weightFormat == .float32, let known = model.provenance.rounding[format.rawValue]
    else {
      return "what \(format.rawValue) changes in the answers is not known; "
        + "--photos FOLDER tells it for photos with labels"
    }
    let changed =
      "\(known.changed) of \(known.asked) photos held out in training are answered otherwise than "
      + "with float32; "
    guard known.ofBuildings > 0 else { return changed + "none of them was of a building" }
    return changed + "right of \(known.ofBuildings) photos of buildings: "
      + "\(known.rightBefore) before, \(known.rightAfter) now"
  }
}
