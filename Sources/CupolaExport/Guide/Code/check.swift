import CoreML
import Foundation
import Vision

struct Golden: Decodable {
  struct Picture: Decodable {
    let file: String
    let probabilities: [Double]
  }
  let labels: [String]
  let pictures: [Picture]
  let tolerance: Double
}

let golden = try JSONDecoder().decode(
  Golden.self, from: Data(contentsOf: URL(fileURLWithPath: "golden/expected.json")))
let compiled = try MLModel.compileModel(at: URL(fileURLWithPath: "Campus.mlpackage"))
let model = try VNCoreMLModel(for: MLModel(contentsOf: compiled))
for picture in golden.pictures {
  let request = VNCoreMLRequest(model: model)
  request.imageCropAndScaleOption = .scaleFill
  let file = URL(fileURLWithPath: "golden/" + picture.file)
  try VNImageRequestHandler(url: file).perform([request])
  var found: [String: Double] = [:]
  for result in request.results as? [VNClassificationObservation] ?? [] {
    found[result.identifier] = Double(result.confidence)
  }
  let largest =
    zip(golden.labels, picture.probabilities)
    .map { abs((found[$0] ?? 2) - $1) }.max() ?? 2
  print(picture.file, largest <= golden.tolerance ? "passed" : "failed", largest)
}
