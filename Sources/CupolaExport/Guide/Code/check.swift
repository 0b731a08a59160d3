import CampusRecognition
import CoreLocation
import Foundation

// Compares this computer's answers for the photos in golden with Cupola's answers: swift run check

struct Golden: Decodable {
  struct Picture: Decodable {
    let file, kind, verdict: String
    let probabilities: [Double]
    let tolerance, logTolerance: Double
    let latitude, longitude: Double?
  }
  let labels: [String]
  let pictures: [Picture]
}

let decoder = JSONDecoder()
decoder.keyDecodingStrategy = .convertFromSnakeCase
let golden = try decoder.decode(
  Golden.self, from: Data(contentsOf: URL(fileURLWithPath: "golden/expected.json")))
let recognizer = try CampusRecognizer()
var failures = 0
for picture in golden.pictures {
  let file = URL(fileURLWithPath: "golden/" + picture.file)
  let found = try recognizer.probabilities(photo: file)
  let pairs = zip(golden.labels, picture.probabilities).map {
    (max(found[$0] ?? 0, 1e-30), max($1, 1e-30))
  }
  let difference = pairs.map { abs($0 - $1) }.max() ?? 1
  let logarithm = pairs.map { abs(log($0 / $1)) }.max() ?? 100
  var passes =
    found.count == golden.labels.count && difference <= picture.tolerance
    && logarithm <= picture.logTolerance
  if let latitude = picture.latitude, let longitude = picture.longitude {
    let place = CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
      horizontalAccuracy: 10, verticalAccuracy: 10, timestamp: Date())
    if case .notOnCampus = try recognizer.answer(photo: file, at: place) {} else { passes = false }
  }
  failures += passes ? 0 : 1
  print(passes ? "passed:" : "FAILED:", picture.file, picture.kind, difference, logarithm)
}
exit(failures > 0 ? 1 : 0)
