// swift-format-ignore-file
// Runs the Swift code of Core ML exports. Folders and answers have the format of python/answer.py. The code is
// compiled with this file, so one run accepts exports of one geometry only.
import CoreLocation
import CoreML
import Foundation
import Vision

/// The class that Xcode generates from a model package.
final class Campus {
  nonisolated(unsafe) static var notes: [String: String] = [:]
  let model = MLModel(notes: notes)
  init(configuration: MLModelConfiguration) throws {}
}

func verdict(of answer: CampusAnswer) -> String {
  switch answer {
  case .building: "building"
  case .mappedBuilding: "mapped_building"
  case .unsure: "unsure"
  case .notACampusBuilding: "not_a_campus_building"
  case .notOnCampus: "not_on_campus"
  }
}

/// Returns the answer of the guide together with the answer of its Place.swift.
func describeHere(
  _ numbers: [Double?], _ recognizer: CampusRecognizer, _ url: URL, _ labels: [String]
) throws -> String {
  let probabilities = numbers[5...].map { $0 ?? .nan }
  VNImageRequestHandler.answers = zip(labels, probabilities).map {
    VNClassificationObservation($0, Float($1))
  }
  let (latitude, longitude) = (numbers[0] ?? .nan, numbers[1] ?? .nan)
  let place = CLLocation(
    coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
    horizontalAccuracy: numbers[2] ?? 15)
  let answer = try recognizer.answer(
    photo: url.appendingPathComponent("photo.jpg"), at: place, heading: numbers[3], view: numbers[4]
  )
  let verdict = verdict(of: answer)
  let json = try Data(contentsOf: url.appendingPathComponent("place.json"))
  let decision = try CampusDecision(json: Data((Campus.notes["decision"] ?? "").utf8))
  let found = try Places(json: json).answer(
    probabilities, decision, latitude: latitude, longitude: longitude, error: numbers[2],
    heading: numbers[3],
    view: numbers[4])
  guard let found, verdict != "not_on_campus" else { return verdict }
  precondition(found.verdict == verdict)
  let best = found.candidates.prefix(3).map { "\($0.building.label)=\($0.probability)" }
  let about = found.buildings.map(\.label).joined(separator: ",")
  return ([verdict, about] + best).joined(separator: " ")
}

for folder in CommandLine.arguments.dropFirst() {
  let url = URL(fileURLWithPath: folder)
  let export =
    try JSONSerialization.jsonObject(
      with: Data(contentsOf: url.appendingPathComponent("export.json"))) as? [String: Any]
  let notes = export?["notes"] as? [String: Any] ?? [:]
  let labels = notes["labels"] as? [String] ?? []
  Campus.notes = [
    "decision": String(
      decoding: try JSONSerialization.data(withJSONObject: notes["decision"] ?? [:]), as: UTF8.self),
    "labels": String(
      decoding: try JSONSerialization.data(withJSONObject: labels), as: UTF8.self),
  ]
  guard let bundle = Bundle(path: folder) else { throw CocoaError(.fileReadNoSuchFile) }
  let recognizer = try CampusRecognizer(bundle: bundle)
  let photo = url.appendingPathComponent("photo.jpg")
  let cases = try String(contentsOf: url.appendingPathComponent("cases.txt"), encoding: .utf8)
  let answers = try cases.split(separator: "\n").map { line in
    let words = line.split(separator: " ")
    let numbers = words.dropFirst().map { Double($0) }
    if words[0] == "here" { return try describeHere(numbers, recognizer, url, labels) }
    guard words[0] == "p" else {
      let place = CLLocation(
        coordinate: CLLocationCoordinate2D(
          latitude: numbers[0] ?? .nan, longitude: numbers[1] ?? .nan),
        // A CLLocation always has an accuracy; 15 m is the guide's default.
        horizontalAccuracy: numbers[2] ?? 15)
      return try recognizer.answer(photo: photo, at: place).text
    }
    VNImageRequestHandler.answers = zip(labels, numbers).map {
      VNClassificationObservation($0, Float($1 ?? .nan))
    }
    return try recognizer.answer(photo: photo).text
  }
  let part = VNImageRequestHandler.part.map { String(Int($0.rounded())) }
  print((["part " + part.joined(separator: " ")] + answers).joined(separator: "\n"))
}
