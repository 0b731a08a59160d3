// swift-format-ignore-file
// Runs the Swift code of Core ML exports. Folders and answers have the format of python/answer.py. The code is
// compiled with this file, so one run accepts exports of one geometry only.
import CoreLocation
import CoreML
import Foundation
import Vision

/// The part of the upright photo that the last image shows: the part that the notes describe, if the colors match.
func part(_ input: [String: Any]) -> [Int] {
  let image = VNImageRequestHandler.seen
  var (x, y, width, height) = (0, 0, 400, 300)
  if input["geometry"] as? String == "centreCrop" { (x, width) = (50, 300) }
  if let window = input["window"] as? [String: Int] {
    (x, y) = (400 * (window["left"] ?? 0) / 100, 300 * (window["top"] ?? 0) / 100)
    (width, height) = (400 * (window["width"] ?? 0) / 100, 300 * (window["height"] ?? 0) / 100)
  }
  let side = image.width
  for (column, row) in [(0, 0), (side - 1, 0), (0, side - 1), (side / 2, side / 3)] {
    let start = 4 * (row * side + column)
    let pixel = image.bytes[start..<start + 3].map { Double($0) }
    let across = Double(x) + (Double(column) + 0.5) * Double(width) / Double(side)
    let down = Double(y) + (Double(row) + 0.5) * Double(height) / Double(side)
    let expected = [across / 2, down / 2, 10]
    guard zip(pixel, expected).allSatisfy({ abs($0 - $1) < 1.5 }) else { return [] }
  }
  return [x, y, width, height]
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
  let decision = try CampusDecision(json: Data((MLModel.notes["decision"] ?? "").utf8))
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
  let input = notes["input"] as? [String: Any] ?? [:]
  MLModel.notes = [
    "input": String(
      decoding: try JSONSerialization.data(withJSONObject: input), as: UTF8.self),
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
  let part = part(input).map(String.init)
  print((["part " + part.joined(separator: " ")] + answers).joined(separator: "\n"))
}
