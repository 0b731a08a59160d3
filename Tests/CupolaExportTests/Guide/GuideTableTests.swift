import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaExport

@Suite("Guide table") struct GuideTableTests {
  @Test("The library agrees with the table")
  func decisions() throws {
    for entry in try GuideTable.entries() {
      let model = entry.model
      let decision = DecisionRule(labels: model.labels, point: Thresholds(model.calibration))
      func name(_ label: Int) -> String {
        let label = model.labels.names[label]
        return model.campus?.building(labeled: label)?.name ?? label
      }
      for wanted in entry.sheet.decisions {
        let outcome = decision.outcome(entry.probabilities(wanted))
        let answer =
          switch outcome.reason.verdict {
          case .building: "building: " + name(outcome.ranked[0])
          case .unsure: "unsure: \(name(outcome.ranked[0])) or \(name(outcome.ranked[1]))"
          case .notACampusBuilding, .notOnCampus, .mappedBuilding: "not_a_campus_building"
          }
        #expect(answer == wanted.answer, "\(wanted.note)")
        let text = entry.text(wanted)
        let names = answer.split(separator: ": ").last ?? ""
        switch outcome.reason.verdict {
        case .building: #expect(text.contains(/^(.+) \([0-9.]+%\)$/) && text.hasPrefix(names))
        case .unsure: #expect(text == "Unsure: \(names)")
        default: #expect(text == "Not a Campus Building")
        }
      }
    }
  }

  @Test("Combined answers agree with Fixtures/places.txt")
  func here() throws {
    let file = Repository.root.appending(path: "Tests/CupolaExportTests/Fixtures/places.txt")
    let lines = try GuideTable.entries().flatMap { entry in
      try (entry.sheet.here ?? []).map { "\($0.note) | \(try entry.answer($0))" }
    }
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
      try (lines.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
      Issue.record("recorded anew: \(file.path)")
    }
    let recorded = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    try #require(recorded.count == lines.count)
    for (line, recorded) in zip(lines, recorded) {
      #expect(PlaceAnswer(line) == PlaceAnswer(String(recorded)), "\(line)")
    }
    let verdicts = Set(lines.compactMap { PlaceAnswer($0).words.first })
    #expect(verdicts.count == 5, "must include every verdict")
  }

  @Test(
    "The copies of the position code use the library's constants",
    arguments: ["py", "js", "swift", "kt", "c"])
  func constants(language: String) throws {
    let model = try #require(try GuideTable.entries().map(\.model).first { $0.place != nil })
    let names = Set(try #require(PlaceTable(model)).constants.map(\.name))
    let code = try PlaceCode.text(language)
    let used = PlaceCode.constants(code, language)
    #expect(used.subtracting(names).isEmpty)
    // In C, callers pass the error and the field of view.
    let others: Set = language == "c" ? ["usual_error_m", "upright_view_deg"] : []
    #expect(names.subtracting(used) == others)
    let (radius, flattening) = (6_378_137.0, 1 / 298.257223563)
    let eccentricity2 = flattening * (2 - flattening)
    let degree = radius * .pi / 180
    for (number, digits) in [(eccentricity2, 14), (degree, 8), (degree * (1 - eccentricity2), 8)] {
      #expect(code.contains(String(format: "%.\(digits)f", number)), "WGS 84")
    }
  }

  @Test("Positions relative to the fence agree with the table")
  func places() throws {
    for entry in try GuideTable.entries() {
      let recognizer = Recognizer(model: entry.model)
      for place in entry.sheet.places {
        let latitude = try #require(place.at[0])
        let longitude = try #require(place.at[1])
        let error = place.at[2] ?? 15
        let position =
          error < 0
          ? nil : Position(latitude: latitude, longitude: longitude, horizontalError: error)
        #expect(
          (position.map(recognizer.isOutside) ?? false) == place.outside,
          "\(place.note) \(place.at)")
        if let position, let fence = entry.model.campus?.geofence {
          let distance = fence.signedDistance(to: position)
          #expect(distance == 0 || abs(distance - error) > 0.01 * error, "\(place.note)")
        }
      }
    }
  }
}

/// The code for positions in exports.
private enum PlaceCode {
  static func text(_ language: String) throws -> String {
    let folder = Repository.root.appending(path: "Sources/CupolaExport")
    let files =
      switch language {
      case "py": ["Guide/Code/place.py", "Guide/Code/recognize.py"]
      case "js": ["Guide/Code/place.js", "Guide/Code/recognizer.js"]
      case "c": ["C/Runtime/place.c", "C/Runtime/ellipsoid.c"]
      default:
        ["Place", "CampusRecognizer", "CampusAnswer"].map { "Guide/Code/\($0).\(language)" }
      }
    return try files.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
      .joined()
  }

  /// The names of the constants that the code reads from place.json, or from the tables in C.
  static func constants(_ code: String, _ language: String) -> Set<String> {
    switch language {
    case "c":
      let names = code.matches(of: /CUPOLA_PLACE_([A-Z_]+)/).map { $0.1.lowercased() }
      return Set(names).subtracting(["looks"])
    case "py": return Set(code.matches(of: /[^A-Za-z_]c\.([a-z_]+)/).map { String($0.1) })
    case "js":
      let members = code.matches(of: /[^A-Za-z_]c\.([a-z_]+)/).map { String($0.1) }
      let unpacked = code.matches(of: /\{([a-z_:, ]+)\} = this\.c;/).flatMap { match in
        match.1.split(separator: ",").map { part in
          part.split(separator: ":")[0].trimmingCharacters(in: .whitespaces)
        }
      }
      return Set(members + unpacked)
    default:
      return Set(code.matches(of: /[^A-Za-z_]c(?:onstants)?[\[(]"([a-z_]+)"/).map { String($0.1) })
    }
  }
}

@Suite("Geometry in exports") struct GeometryGuideTests {
  private static let window = Geometry.window(
    Geometry.Crop(left: 10, top: 20, width: 50, height: 60))

  private static func model(_ geometry: Geometry) -> Model {
    var model = SampleModels.hog()
    model.recipe.geometry = geometry
    return model
  }

  @Test(
    "Texts in model files describe the geometry",
    arguments: [ExportFormat.onnx, .coreml, .tflite])
  func texts(format: ExportFormat) throws {
    let part = "the part 50% wide and 60% high, 10% from the left and 20% from the top"
    let words = [
      (Geometry.squash, "squashed to "), (.centerCrop, "its largest centered square"),
      (Self.window, part),
    ]
    for (geometry, word) in words {
      let model = Self.model(geometry)
      let files = try format.files(of: model, notes: ExportNotes(model, source: [1]))
      let data = Data(files.flatMap(\.bytes))
      func says(_ text: String) -> Bool { data.range(of: Data(text.utf8)) != nil }
      #expect(says(word), "\(geometry)")
      #expect(says("squashed to ") == (geometry != .centerCrop), "\(geometry)")
      // ONNX has no description field for this.
      #expect(says("without cropping") == (geometry == .squash && format != .onnx), "\(geometry)")
    }
  }

  @Test("The smallest photo keeps one pixel")
  func smallest() {
    let line = "  val part = upright // the whole photo is stretched to the square\n"
    let code = Self.window.adapted(line)
    #expect(code.contains("maxOf(1, width * 50 / 100), maxOf(1, height * 60 / 100))"))
  }

  @Test("The notes include the window")
  func notes() {
    let input = ExportNotes(Self.model(Self.window), source: [1]).texts["input"]
    #expect(input?.contains(#""geometry":"window""#) == true)
    #expect(input?.contains(#""window":{"height":60,"left":10,"top":20,"width":50}"#) == true)
    #expect(
      ExportNotes(Self.model(.squash), source: [1]).texts["input"]?.contains("window") == false)
  }
}
