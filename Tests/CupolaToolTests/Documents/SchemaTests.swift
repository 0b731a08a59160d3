import CupolaSupport
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaTours

/// Validates real output of the command against `Documentation/Schemas`.
@Suite("JSON schemas") struct SchemaTests {
  /// Scripts that run one after another in the same folder.
  struct Topic: CustomStringConvertible, Sendable {
    let description: String
    /// A format without `cupola.`, and a script that prints values of this format as JSON or JSON lines.
    let steps: [(format: String, script: String)]
  }

  static let topics = [recognition, training, map, guide, journal, export]

  private static let recognition = Topic(
    description: "recognition",
    steps: [
      (
        "classification/1",
        "cupola classify campus.safetensors visit.jpg streets no.jpg --at 48.3,10.9 --heading 9 --json"
      ),
      ("classification/1", "cupola classify campus.safetensors visit.jpg --at 48.8,2.3 --jsonl"),
      ("explanation/1", "cupola explain campus.safetensors visit.jpg -o why.jpg --json"),
      ("live/1", "echo damaged > walk/05.jpg; cupola watch campus.safetensors walk --jsonl"),
      (
        "sequences/1",
        """
        rm walk/05.jpg
        cupola watch campus.safetensors walk --record session > /dev/null
        sed 's/"file"/"truth":"founders_hall","file"/' session/session.jsonl > truth
        mv truth session/session.jsonl
        cupola evaluate campus.safetensors --sequences session --json
        """
      ),
      ("model/1", "cupola model campus.safetensors --json"),
      ("benchmark/1", "cupola benchmark campus.safetensors visit.jpg --repetitions 2 --json"),
    ])

  private static let training = Topic(
    description: "training",
    steps: [
      ("import/1", "cupola import DCIM -o imported --json"),
      ("check/1", "cupola check photos --campus campus.geojson --json"),
      (
        "training/1",
        """
        cupola split photos -o photos/split.csv > /dev/null
        cupola train photos -o new.safetensors --campus campus.geojson --negatives streets --json
        """
      ),
      ("drift/1", "cupola check photos --model new.safetensors --json"),
      (
        "training/1",
        "cupola train photos -o next.safetensors --update new.safetensors --negatives streets --json"
      ),
      (
        "training/1",
        "cupola train photos -o small.safetensors --weights int8 --features hog --json"
      ),
      (
        "training/1",
        "cupola train photos -o codes.safetensors --classifier retrieval --negatives streets --json"
      ),
      ("model/1", "cupola model next.safetensors --json"),
      ("model/1", "cupola model codes.safetensors --json"),
      ("explanation/1", "cupola explain codes.safetensors visit.jpg --photos photos --json"),
      ("shard/1", "cupola features photos --shard 1/2 -o shards --json"),
      ("shard/1", "cupola evaluate new.safetensors photos --shard 1/2 -o seen --json"),
      ("evaluation/1", "cupola evaluate new.safetensors photos --report report --json"),
      (
        "evaluation/1",
        """
        cupola evaluate small.safetensors photos --negatives streets --compare report/report.json \
        --report other --json > /dev/null
        cat other/report.json
        """
      ),
      (
        "evaluation/1",
        "cupola evaluate campus.safetensors photos --negatives streets --allow-leaks --json"
      ),
    ])

  private static let map = Topic(
    description: "map",
    steps: [
      ("search/1", "cupola campus search campus.geojson libary --json"),
      (
        "nearby/1",
        "cupola campus nearby campus.geojson --at 48.3,10.9 --heading 45 --within 2000 --json"
      ),
      ("fence/1", "printf '48.3,10.9\\nhere\\n' | cupola campus contains campus.geojson --jsonl"),
      ("campus_check/1", "cupola campus check campus.geojson --photos photos --json"),
    ])

  private static let guide = Topic(
    description: "guide",
    steps: [
      (
        "guide_build/1",
        """
        cupola guide build campus.geojson paths.geojson --gtfs Examples/SampleBus -o campus.guide \
        --time-zone Europe/Berlin --json
        """
      ),
      ("guide/1", "cat campus.guide/guide.json"),
      ("guide_check/1", "cupola guide check campus.geojson --json"),
      ("guide_update/1", "cupola guide update copy.guide --from campus.guide --json"),
      (
        "guide_place/1",
        "cupola guide poi campus.guide café --near 'Bell Tower' --when 2026-11-23T14:30 --json"
      ),
      ("guide_place/1", "cupola guide poi campus.guide hall --json"),
      ("route/1", "cupola guide route campus.guide --from 'Bell Tower' --to 'room 1.4' --json"),
      ("guide_stop/1", "cupola guide stops campus.guide --near 'Old Library' --json"),
      (
        "guide_departure/1",
        "cupola guide departures campus.guide 'Library Walk' --when 2026-11-23T14:30 --json"
      ),
      (
        "guide_trip/1",
        """
        cupola guide trips campus.guide --from 'Old Library' --to 'Town Station' \
        --when 2026-11-23T14:30 --json
        """
      ),
      ("tour/1", "cat tour.json"),
      ("tour_check/1", "cupola guide tour check tour.json --guide campus.guide --json"),
      (
        "passkeys/2",
        """
        cupola guide tour keys tour.json --count 2 --until 2027-07-31 -o keys.json > codes.txt
        passkey=$(grep -oE -m1 '[0-9A-Z]{5}(-[0-9A-Z]{5}){2}' codes.txt)
        cupola guide tour redeem keys.json "$passkey" > /dev/null
        cat keys.json
        """
      ),
    ])

  private static let journal = Topic(
    description: "journal",
    steps: [
      (
        "journal_entry/1",
        """
        add() { cupola journal add visit --device phone "$@" > /dev/null; }
        add --title Stairs --text worn --rating 4 --position 48.3,10.9 --photo visit.jpg
        add --kind favorite --building gate_house --place Gate
        add --kind question --text 'Open?' --email a@example.org
        add --kind seen --label old_library --confidence 0.9 --photo visit.jpg
        cupola journal confirm visit --device phone phone-1 gate_house > /dev/null
        cupola journal list visit --json
        """
      ),
      ("questions/1", "cupola journal export visit -o pages > /dev/null; cat pages/questions.json"),
      ("journal.export/1", "cat pages/journal.geojson"),
      (
        "journal/1",
        """
        cupola journal delete visit --device phone phone-2 > /dev/null
        cat visit/device-phone.jsonl
        """
      ),
    ])

  private static let export = Topic(
    description: "export",
    steps: ["safetensors", "onnx", "coreml", "tflite", "c"].map { format in
      (
        "export/1",
        """
        cupola export campus.safetensors --format \(format) -o campus-\(format) > /dev/null
        cat campus-\(format)/export.json
        """
      )
    } + [
      ("place/1", "cat campus-onnx/place.json"),
      ("golden/1", "cat campus-onnx/golden/expected.json"),
    ])

  private static let cache = Result { try TemporaryFolder() }

  @Test("Output matches the schemas", arguments: topics)
  func output(topic: Topic) throws {
    let folder = try DocumentFolder(cache: try Self.cache.get())
    for (format, script) in topic.steps {
      // Some commands report findings with their exit code.
      let output = try folder.run("(\(script)) 2>/dev/null || true").stdout
      let texts =
        Self.isOneValue(output) ? [output] : output.split(separator: "\n").map(String.init)
      #expect(!texts.isEmpty, "\(script)")
      for text in texts { try expectValid(json: text.utf8, format: "cupola." + format) }
    }
  }

  private static func isOneValue(_ text: String) -> Bool {
    (try? JSONReader.value(of: Array(text.utf8))) != nil
  }

  @Test("A visit matches its schema") func visit() throws {
    let tour = try Tour(
      json: Array(try Data(contentsOf: Repository.root.appending(path: "TrainingData/tour.json"))),
      path: "tour.json")
    var visit = TourVisit(of: tour) { _ in (48.3, 10.9) }
    for second in 0..<10 {
      _ = visit.handle(
        .position(latitude: 48.3, longitude: 10.9, accuracy: 5, time: 1000 + Double(second)))
    }
    try expectValid(json: visit.json)
  }

  @Test("JSON examples in documents match their schemas", arguments: DocumentPage.all)
  func examples(page: DocumentPage) throws {
    for block in page.blocks where block.language == "json" {
      let value = try JSONReader.value(of: Array(block.text.utf8))
      guard JSONSchemas.format(of: value)?.hasPrefix("cupola.") ?? false else { continue }
      try expectValid(json: block.text.utf8)
    }
  }

  @Test("Every JSON format has a schema, which Formats.md lists") func formats() throws {
    let schemas = try JSONSchemas.shared.get()
    let page = try String(
      contentsOf: Repository.root.appending(path: "Documentation/Formats.md"), encoding: .utf8)
    for name in schemas.files.keys { #expect(page.contains("(Schemas/\(name))"), "\(name)") }
    // Metadata of safetensors files, which Formats.md describes.
    let others: Set<String> = ["cupola.features/1", "cupola.predictions/1", "cupola.passkeys/1"]
    let sources = Repository.root.appending(path: "Sources")
    let paths = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String }
    for path in paths ?? [] where path.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      for match in text.matches(of: /"(cupola\.[a-z_.]+\/[0-9]+)"/) {
        let format = String(match.1)
        guard !others.contains(format) else { continue }
        #expect(schemas.files[JSONSchemas.file(of: format)] != nil, "\(path): \(format)")
      }
    }
  }

  @Test("The validator finds faults") func validator() throws {
    let schemas = try JSONSchemas.shared.get()
    func faults(_ json: String) throws -> [String] {
      schemas.faults(
        of: try JSONReader.value(of: Array(json.utf8)), format: "cupola.guide_update/1")
    }
    let good =
      #"{"schema":"cupola.guide_update/1","guide":"g","version":"v","updated":true,"bytes": 7}"#
    #expect(try faults(good) == [])
    for (text, other) in [
      ("true", "1"), ("7", "-1"), ("7", "7.5"), (#""v""#, "null"), ("update/1", "update/2"),
      (#""guide":"g","#, ""), (#""bytes": 7"#, #""bytes": 7, "more": 1"#),
    ] {
      #expect(try faults(good.replacing(text, with: other)).count == 1, "\(other)")
    }
    #expect(try faults("[]") == ["$: the type is not object"])
  }
}
