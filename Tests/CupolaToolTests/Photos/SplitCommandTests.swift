import Cupola
import CupolaTestSupport
import CupolaTraining
import Foundation
import Testing

@Suite("cupola split")
struct SplitCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try TinyCampus.writePhotos(to: folder)
    try FileManager.default.removeItem(atPath: folder.path("photos/split.csv"))
  }

  private func run(_ arguments: String...) throws -> Tool.Output {
    try Tool.run(arguments + ["-q"], in: folder)
  }

  private func split() throws -> Tool.Output {
    try run("split", "photos", "-o", "photos/split.csv")
  }

  private func train(_ options: String...) throws -> Tool.Output {
    try Tool.run(
      ["train", "photos", "-o", "m", "--features", "hog", "-q"] + options,
      in: folder)
  }

  private func table() throws -> String {
    String(decoding: try folder.bytes("photos/split.csv"), as: UTF8.self)
  }

  @Test("Rows of unreadable photos and extra columns are kept")
  func unreadable() throws {
    expectSuccess(try split())
    let lines = try table().split(separator: "\n").enumerated().map {
      $1 + ($0 == 0 ? ",light" : ",day\($0)")
    }
    let own = lines.joined(separator: "\n") + "\n"
    try folder.write(own, to: "photos/split.csv")
    let photo = try folder.bytes("photos/arch/2.jpg")
    try folder.write("no photo", to: "photos/arch/2.jpg")
    let output = try split()
    #expect(output.status == 1)
    #expect(output.messages.count { $0.hasPrefix("cupola: ") } == 1)
    #expect(output.stderr.contains("note: kept 1 row of unreadable photos"))
    #expect(try table() == own)
    try folder.write(photo, to: "photos/arch/2.jpg")
    expectSuccess(try split())
    #expect(try table() == own)
  }

  @Test(
    "Rows follow moved photos and are removed with deleted ones, unless most photos are missing")
  func movedPhotos() throws {
    for name in ["misplaced", "lost"] {
      try folder.write(
        try TinyCampus.jpeg(.barn, seed: name == "lost" ? 60 : 61), to: "photos/arch/\(name).jpg")
    }
    expectSuccess(try split())
    let edited = try table().split(separator: "\n").map { line in
      line + (line.hasPrefix("path,") ? ",light" : line.contains("misplaced") ? ",dusk" : ",")
    }.joined(separator: "\n").replacing(/misplaced.jpg,arch,\w+,\w+/) { _ in
      "misplaced.jpg,arch,test,monday"
    }
    try folder.write(edited + "\n", to: "photos/split.csv")
    try FileManager.default.removeItem(atPath: folder.path("photos/arch/lost.jpg"))
    try FileManager.default.moveItem(
      atPath: folder.path("photos/arch/misplaced.jpg"),
      toPath: folder.path("photos/barn/misplaced.jpg"))
    let check = try run("check", "photos")
    #expect(
      check.stdout.contains(
        "  2 photos listed in split.csv, but missing\n      arch/lost.jpg\n      arch/misplaced.jpg\n"
          + "    -> if you moved or deleted photos, run cupola split again"), "\(check.stdout)")
    let output = try split()
    expectSuccess(output)
    #expect(
      output.messages.first
        == "note: 1 row updated for moved photos; 1 row of missing photos removed")
    #expect(try table().contains("\nbarn/misplaced.jpg,barn,test,monday,dusk\n"))
    #expect(try !table().contains("lost.jpg") && !table().contains("arch/misplaced"))
    #expect(try run("check", "photos").stdout.contains("but missing") == false)
    let again = try split()
    expectSuccess(again)
    #expect(!again.stderr.contains("missing"))
    // A folder that is not mounted.
    let before = try table()
    for label in ["arch", "barn", "cone"] {
      try FileManager.default.moveItem(
        atPath: folder.path("photos/\(label)"), toPath: folder.path("disk-\(label)"))
    }
    expectFailure(
      try split(), 66, "photos: 19 of 25 photos in the table are missing; check the folder, or")
    #expect(try table() == before)
  }

  @Test("Photos missing from the table are reported and then added")
  func addedPhotos() throws {
    expectSuccess(try split())
    let labels = try table().replacing(",arch,", with: ",old_arch,")
    try folder.write(labels, to: "photos/split.csv")
    #expect(try !run("check", "photos").stderr.contains("split.csv"))
    try folder.write(try TinyCampus.jpeg(.arch, seed: 60), to: "photos/arch/new.jpg")
    for number in 1...2 {
      let photo = try TinyCampus.jpeg(.cone, seed: UInt64(60 + number))
      try folder.write(photo, to: "photos/dome/\(number).jpg")
    }
    let warning =
      "warning: 3 photos in 2 folders are not listed in photos/split.csv and not used; add them with: "
      + "cupola split photos -o photos/split.csv"
    #expect(try run("check", "photos").messages.contains(warning))
    #expect(try train().messages.contains(warning))
    #expect(try run("evaluate", "m", "photos").messages.contains(warning))
    #expect(
      try run("features", "photos", "--features", "hog", "-o", "shards").messages.contains(warning))
    // A named table may list some photos intentionally.
    #expect(try !train("--split", "photos/split.csv").stderr.contains(warning))
    expectSuccess(try split())
    let set = try PhotoSet(root: folder.path("photos"))
    #expect(set.photos.count == 27 && set.photos.allSatisfy { $0.split != nil })
    #expect(set.photos.count { $0.label == "old_arch" } == 7)
    #expect(set.photos.count { $0.label == "dome" } == 2)
    #expect(try !train().stderr.contains("split.csv"))
  }

  @Test("Unreadable photos are reported, but not suggested for cupola split")
  func unreadableUnlisted() throws {
    expectSuccess(try split())
    let photo = try folder.bytes("photos/arch/1.jpg")
    try folder.write(Array(photo.prefix(photo.count / 2)), to: "photos/arch/cut.jpg")
    #expect(try split().status == 1)
    let messages = try train().messages
    #expect(
      messages.contains {
        $0.hasPrefix("warning: photos/arch/cut.jpg is not used: truncated JPEG")
      },
      "\(messages)")
    #expect(!messages.contains { $0.contains("add them with") })
  }

  @Test("After a training, --negatives chooses the test photos that training set aside")
  func splitNegativesAfterTraining() throws {
    for number in 0..<25 {
      try folder.write(
        try TinyCampus.jpeg(.street, seed: UInt64(100 + number)), to: "streets/\(number).jpg")
    }
    expectSuccess(try split())
    expectSuccess(try train("--negatives", "streets"))
    let trained = try Model(contentsOf: folder.path("m")).provenance.photoDigests["_not_a_building"]
    expectSuccess(
      try run("split", "photos", "-o", "photos/split.csv", "--negatives", "streets"))
    let photos = try PhotoSet(negatives: folder.path("streets")).photos
    let tests = photos.filter { $0.split == .test }
    #expect(photos.count == 25 && tests.count == 5)
    for photo in photos {
      let digest = PhotoDigests(
        sha256: [SHA256.hexadecimal(of: try FileAccess.read(photo.path))])
      let isTrained = trained?.values.contains { digest.values.contains($0) }
      #expect(isTrained == (photo.split == .train), "\(photo.name)")
    }
  }

  @Test("--negatives splits a folder of non-building photos")
  func splitNegatives() throws {
    try FileManager.default.moveItem(
      atPath: folder.path("photos/_street"), toPath: folder.path("streets"))
    func split() throws -> Tool.Output {
      try run("split", "photos", "-o", "photos/split.csv", "--negatives", "streets/")
    }
    let output = try split()
    expectSuccess(output)
    #expect(output.stdout.contains("\nstreets/split.csv: "))
    func others() throws -> [LabeledPhoto] {
      try PhotoSet(negatives: folder.path("streets")).photos
    }
    let tests = try others().filter { $0.split == .test }
    #expect(try others().count == 6 && (1...3).contains(tests.count))
    #expect(try others().allSatisfy { $0.label == "_not_a_building" })
    // The estimate is for undivided photos of buildings, and the coverage for each part of divided ones.
    let table = try folder.bytes("photos/split.csv")
    func check() throws -> String { try run("check", "photos", "--negatives", "streets").stdout }
    #expect(try !check().contains("quick estimate"))
    try FileManager.default.removeItem(atPath: folder.path("photos/split.csv"))
    #expect(try check().contains("\nquick estimate: "))
    try folder.write(table, to: "photos/split.csv")
    let training = try train("--negatives", "streets")
    #expect(training.stdout.contains(", \(6 - tests.count) non-building photos; set aside"))
    #expect(training.stdout.contains("\nnext: cupola evaluate m photos --negatives streets "))

    try folder.write(try TinyCampus.jpeg(.street, seed: 60), to: "streets/parks/1.jpg")
    expectSuccess(try split())
    #expect(try others().count == 7)
    expectUsageError(
      try run("split", "photos", "-o", "streets/split.csv", "--negatives", "streets"),
      "--output is the table of --negatives streets")
    let before = try folder.bytes("photos/split.csv")
    try folder.write("path,label\n1.jpg,_other\n", to: "streets/split.csv")
    expectFailure(try split(), 73, "streets/split.csv: not a split table")
    #expect(try folder.bytes("photos/split.csv") == before)
  }

  @Test("The suggested command quotes folder names")
  func quoted() throws {
    expectSuccess(try split())
    try FileManager.default.moveItem(
      atPath: folder.path("photos"), toPath: folder.path("my photos"))
    try folder.write(try TinyCampus.jpeg(.arch, seed: 60), to: "my photos/arch/new.jpg")
    let words = "cupola split 'my photos' -o 'my photos/split.csv'"
    #expect(try run("check", "my photos").stderr.contains("add them with: " + words + "\n"))
    #expect(
      try run("check", "my photos", "--allow-outside").stderr.contains(
        "add them with: " + words + " --allow-outside\n"))
  }

  @Test("Photos without a capture time are counted, with one remedy that removes the note")
  func untimed() throws {
    let note = "of 18 building photos"
    #expect(
      try split().messages.contains(
        "note: none \(note) has a capture time: photos that were taken together can be both in training and "
          + "in test, so the measured accuracy may be too high and its interval too narrow. The model is no worse, so you can go on, "
          + "and test it with photos from another day. If you know which photos were taken together: in "
          + "photos/split.csv, write their times into a column time (2026-05-01 14:30), or replace their numbers in the "
          + "column group (g1, g2, ...) by one name per building and session, such as library-1; then run cupola split "
          + "and cupola train again"
      ))
    let findings = try run("check", "photos").stdout
    #expect(findings.contains("\n  18 photos with no capture time\n"))
    #expect(
      findings.contains("\n    -> photos that were taken together can be both in training and in "))
    func write(_ named: Int) throws {
      var number = 0
      let rows = try table().replacing(/,g\d+\n/) { match in
        number += 1
        return number > named ? String(match.0) : ",visit-\(number % 7)\n"
      }
      try folder.write(rows, to: "photos/split.csv")
    }
    try write(12)
    #expect(
      try split().stderr.contains(
        "note: 12 \(note) have neither a capture time nor a named group: "))
    try write(24)
    #expect(try !split().stderr.contains("capture time"))
  }

  @Test("A table written by hand is completed")
  func handwrittenTable() throws {
    try folder.write("path,label,split\narch/1.jpg,arch,test\n", to: "photos/split.csv")
    #expect(
      try run("check", "photos").messages.first?.hasPrefix(
        "warning: 23 photos in 4 folders are not listed in photos/split.csv and not used; add them with: "
      )
        == true)
    expectSuccess(try split())
    #expect(try table().contains("\narch/1.jpg,arch,test,g"))
    #expect(try PhotoSet(root: folder.path("photos")).photos.count == 24)
  }

  @Test("Edits of split, group and time are kept; --seed chooses the test photos again")
  func edits() throws {
    expectSuccess(try split())
    // Exchange training and test, and give two photos of one building a common group.
    let swapped = try table().replacing(/,(train|test),/) { $0.1 == "train" ? ",test," : ",train," }
    try folder.write(swapped, to: "photos/split.csv")
    expectSuccess(try split())
    #expect(try table() == swapped)
    let lines = swapped.split(separator: "\n")
    func row(_ part: String) throws -> Substring {
      try #require(lines.first { $0.contains("/") && $0.contains(",arch,\(part),") })
    }
    let pair = try [row("train"), row("test")]
    let joined = lines.map { line in
      pair.contains(line) ? String(line).replacing(/g\d+$/) { _ in "monday" } : String(line)
    }.joined(separator: "\n")
    try folder.write(joined + "\n", to: "photos/split.csv")
    let output = try split()
    expectSuccess(output)
    #expect(output.stderr.contains(" between training and test, such as arch/"))
    let parts = try table().matches(of: /,arch,(\w+),monday/).map { String($0.1) }
    #expect(parts.count == 2 && Set(parts).count == 1)
    expectSuccess(try run("split", "photos", "-o", "photos/split.csv", "--seed", "0"))
    #expect(try table().matches(of: /,test,/).count < table().matches(of: /,train,/).count)
  }

  @Test("test_unknown is kept")
  func unknown() throws {
    expectSuccess(try split())
    let own = try table().replacing(/,cone,\w+,/) { _ in ",unknown,test_unknown," }
    try folder.write(own, to: "photos/split.csv")
    // A group joins all photos of arch, so the warning counts the labels.
    let joined = own.replacing(/arch,(train|test),g\d+/) { "arch,\($0.1),monday" }
    try folder.write(joined, to: "photos/split.csv")
    let output = try split()
    expectSuccess(output)
    #expect(output.stderr.contains(" of 3 labels cannot be tested"))
    #expect(
      try table().split(separator: "\n").count { $0.contains(",unknown,test_unknown,g") } == 6)
    #expect(try !table().contains("unknown,train"))
  }

  @Test("--unknown tests a building as unknown, without a warning about its sessions")
  func unknownOption() throws {
    let photos = (1...6).map { "photos/cone/\($0).jpg" }
    let photo = try folder.bytes(photos[0])
    for name in photos { try folder.write(photo, to: name) }
    #expect(try split().stderr.contains("cannot be tested"))
    let output = try run("split", "photos", "-o", "photos/split.csv", "--unknown", "cone")
    expectSuccess(output)
    #expect(!output.stderr.contains("cannot be tested"))
    #expect(try table().split(separator: "\n").count { $0.contains(",cone,test_unknown,") } == 6)
    #expect(!(try split().stderr.contains("cannot be tested")))
    #expect(try table().split(separator: "\n").count { $0.contains(",cone,test_unknown,") } == 6)
    expectUsageError(
      try run("split", "photos", "-o", "photos/split.csv", "--unknown", "cones"),
      "--unknown cones: no building of photos has this label")
  }

  @Test("Photos in the negatives folder are only negatives")
  func negatives() throws {
    let output = try train("--negatives", "photos/_street", "--json")
    #expect(
      output.messages.first
        == "note: 6 photos of photos are also in photos/_street; used as non-building photos only")
    let summary = try #require(try output.json() as? [String: Any])
    #expect(
      summary["labels"] as? [String: Int]
        == ["_not_a_building": 6, "arch": 6, "barn": 6, "cone": 6])
    for command in ["train", "check"] {
      let options = command == "train" ? ["-o", "n"] : []
      let same = try Tool.run(
        [command, "photos", "--negatives", "./photos", "-q"] + options, in: folder)
      #expect(
        same.status == 64 && same.stderr.contains("all photos of photos are also in --negatives"))
    }
  }

  @Test("Test photos in the negatives folder do not train")
  func negativesForTest() throws {
    try FileManager.default.moveItem(
      atPath: folder.path("photos/_street"), toPath: folder.path("photos/streets"))
    expectSuccess(try split())
    let tests = try table().split(separator: "\n").count { $0.contains(",streets,test,") }
    #expect(tests > 0)
    let output = try train("--negatives", "photos/streets")
    expectSuccess(output)
    let next = "cupola evaluate m photos --negatives photos/streets --report report"
    #expect(output.stdout.contains("next: \(next)\n"))
    #expect(
      try Model(contentsOf: folder.path("m")).provenance.photos["_not_a_building"] == 6 - tests)
    let report = try run(
      "evaluate", "m", "photos", "--negatives", "photos/streets", "--json", "--allow-leaks")
    expectSuccess(report)
    let figures = try #require(try report.json() as? [String: Any])
    // Drawn photos may resemble crops of each other.
    #expect((figures["leaks"] as? [String: Any])?["same"] as? Int ?? 0 == 0)
    let rejection = try #require(figures["rejection"] as? [String: Any])
    #expect(rejection["photos"] as? Int == tests)
  }

  @Test("A building with only test photos is reported")
  func onlyTested() throws {
    expectSuccess(try split())
    let rows = try table().replacing(/,cone,train,/) { _ in ",cone,test," }
    try folder.write(rows, to: "photos/split.csv")
    let told = "warning: cone has only test photos and counts as an unknown building"
    #expect(try train().messages.contains(told))
    #expect(try run("evaluate", "m", "photos").messages.contains(told))
    #expect(
      try run("check", "photos").stdout.contains("1 building without training photos\n      cone"))
  }

  @Test(
    "A misspelled label with only test photos is reported as such")
  func misspelledTestLabel() throws {
    expectSuccess(try split())
    let rows = try table().replacing(/,cone,\w+,/) { _ in ",barns,test," }
    try folder.write(rows, to: "photos/split.csv")
    #expect(
      try train().messages.contains(
        "warning: barns has only test photos and looks like a misspelled barn; correct it, or set the split of its "
          + "photos to test_unknown"))
    expectFailure(try run("evaluate", "m", "photos"), 65, "\"barns\" (did you mean \"barn\"?)")
  }

  @Test("Warns about buildings left with one session")
  func oneSession() throws {
    let folder = try TemporaryFolder()
    let sessions = ["chapel": 2, "bell_tower": 3, "founders_hall": 1]
    var table = "path,label,split,group\n"
    for (label, count) in sessions {
      for number in 1...3 * count {
        let name = "\(label)/0\(number).jpg"
        try folder.write(
          try FileAccess.read("\(Repository.sampleCampus)/\(name)"), to: "photos/\(name)")
        table += "\(name),\(label),train,\(label) \((number - 1) / 3)\n"
      }
    }
    try folder.write(table, to: "photos/split.csv")
    let output = try Tool.run(["split", "photos", "-o", "s.csv", "-q"], in: folder)
    expectSuccess(output)
    #expect(
      output.messages == [
        "warning: 1 of 3 buildings cannot be tested, because a split would separate related photos: photos from one session "
          + "(founders_hall)",
        "warning: 1 of 3 buildings has training photos from too few sessions or days, so training may be "
          + "unable to calibrate the percentages: photos from one session (chapel)",
        "  -> take photos on another day; until then, you can have either a test or calibrated percentages: to "
          + "calibrate, delete s.csv",
        "note: moved 6 photos between training and test, such as bell_tower/04.jpg: related photos stay together, and "
          + "each label needs both",
      ])
  }
}
