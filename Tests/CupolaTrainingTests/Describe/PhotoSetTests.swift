import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola
@testable import CupolaTraining

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("Photo set")
struct PhotoSetTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func set(splitFile: String? = nil, allowOutside: Bool = false) throws -> PhotoSet {
    try PhotoSet(root: folder.path, splitFile: splitFile, allowOutside: allowOutside)
  }

  @Test("Label folders are sorted by name")
  func labelFolders() throws {
    try folder.touch("tower/2.jpg", "tower/1.JPEG", "chapel/x y.jpg", "_street/a.jpg")
    for root in [
      folder.path, folder.path + "/", folder.path + "//",
      folder.path + String(repeating: "/", count: 50_000),
    ] {
      let set = try PhotoSet(root: root)
      #expect(
        set.photos.map(\.name) == [
          "_street/a.jpg", "chapel/x y.jpg", "tower/1.JPEG", "tower/2.jpg",
        ])
      #expect(set.photos.map(\.label) == ["_street", "chapel", "tower", "tower"])
      #expect(set.photos.allSatisfy { $0.split == nil && $0.group == nil })
      #expect(set.photos.allSatisfy { FileManager.default.fileExists(atPath: $0.path) })
      #expect(!set.isDivided)
      #expect(set.skipped.isEmpty)
      #expect(set.ignored == 0)
    }
  }

  @Test("Folders for train, val and test contain label folders")
  func splitFolders() throws {
    try folder.touch(
      "train/tower/1.jpg", "val/tower/2.jpg", "test/tower/3.jpg", "test_unknown/barn/4.jpg",
      "train/_street/5.jpg")
    let set = try set()
    #expect(
      set.photos.map(\.name) == [
        "test/tower/3.jpg", "test_unknown/barn/4.jpg", "train/_street/5.jpg", "train/tower/1.jpg",
        "val/tower/2.jpg",
      ])
    #expect(set.photos.map(\.label) == ["tower", "barn", "_street", "tower", "tower"])
    #expect(set.photos.map(\.split) == [.test, .testUnknown, .train, .train, .val])
    #expect(set.isDivided)
  }

  @Test("Test folders without train are parts, but a label may be \"test\"")
  func testFolder() throws {
    try folder.touch("held/test/tower/1.jpg", "held/val/chapel/2.jpg")
    let held = try PhotoSet(root: folder.path("held"))
    #expect(held.photos.map(\.label) == ["tower", "chapel"])
    #expect(held.photos.map(\.split) == [.test, .val])
    try folder.touch("plain/test/1.jpg", "plain/test/old/2.jpg", "plain/tower/3.jpg")
    let plain = try PhotoSet(root: folder.path("plain"))
    #expect(plain.photos.map(\.label) == ["test", "test", "tower"] && !plain.isDivided)
  }

  @Test(
    "Split folders have the names of other tools if their shape is clear",
    arguments: [
      ["train", "valid", "test"], ["training", "validation", "testing"], ["Train", "Val", "Test"],
      ["TRAINING", "Valid", "TEST"], ["Training Set", "dev", "Test Set"],
      ["train-images", "val_images", "test-images"], ["1_train", "2_val", "3_test"],
      ["trainset", "dev_set", "holdout"],
    ])
  func namesOfParts(names: [String]) throws {
    for name in names { try folder.touch("\(name)/hall/1.jpg", "\(name)/tower/2.jpg") }
    let set = try set()
    let splits = Dictionary(uniqueKeysWithValues: zip(names, [Split.train, .val, .test]))
    #expect(set.photos.count == 6 && set.skipped.isEmpty && set.layoutFault == nil)
    for photo in set.photos {
      let folders = photo.name.split(separator: "/").map(String.init)
      #expect(photo.split == splits[folders[0]] && photo.label == folders[1])
    }
  }

  @Test("Two folders are enough, and labels may have the names of splits")
  func shapeOfParts() throws {
    try folder.touch("two/Train/hall/1.jpg", "two/Test/hall/2.jpg", "two/readme.txt")
    #expect(try PhotoSet(root: folder.path("two")).photos.map(\.split) == [.test, .train])
    // One of several folders, or photos directly in them: labels.
    try folder.touch("mixed/Training/may/1.jpg", "mixed/hall/2.jpg")
    #expect(try PhotoSet(root: folder.path("mixed")).photos.map(\.label) == ["Training", "hall"])
    try folder.touch("plain/Train/1.jpg", "plain/Test/2.jpg")
    let plain = try PhotoSet(root: folder.path("plain"))
    #expect(plain.photos.map(\.label) == ["Test", "Train"] && !plain.isDivided)
  }

  @Test("A folder that is one level too high or flat is recognized")
  func layoutFaults() throws {
    try folder.touch("up/photos/hall/1.jpg", "up/photos/tower/2.jpg")
    let tooHigh = LayoutFault.tooHigh(label: "photos", inner: "hall", isOnly: true)
    #expect(try PhotoSet(root: folder.path("up")).layoutFault == tooHigh)
    try folder.touch("split/train/set/hall/1.jpg", "split/test/set/tower/2.jpg")
    #expect(
      try PhotoSet(root: folder.path("split")).layoutFault
        == .tooHigh(label: "test/set", inner: "tower", isOnly: false))
    try folder.touch("walks/may 1/hall/1.jpg", "walks/may 2/hall/2.jpg")
    let walks = try #require(try PhotoSet(root: folder.path("walks")).layoutFault)
    #expect(walks == .tooHigh(label: "may 1", inner: "hall", isOnly: false))
    #expect(walks.advice.contains("one level up"))
    try folder.touch("flat/1.jpg", "flat/2.jpg", "flat/hall/3.jpg")
    #expect(try PhotoSet(root: folder.path("flat")).layoutFault == .flat(photos: 2))
    // Sessions of buildings, and label folders with some photos of their own, are right.
    try folder.touch("days/hall/2026-05-01/1.jpg", "days/tower/2026-05-02/2.jpg")
    try folder.touch("some/hall/1.jpg", "some/tower/front/2.jpg")
    for name in ["days", "some"] {
      #expect(try PhotoSet(root: folder.path(name)).layoutFault == nil)
    }
  }

  @Test("iCloud placeholders, Live Photo movies and ._ files are named")
  func filesOfApple() throws {
    try folder.touch(
      "a/IMG_1.HEIC", "a/IMG_1.MOV", "a/IMG_2.JPG", "a/img_2.mp4", "a/film.mov", "b/IMG_2.mov",
      "a/._IMG_2.JPG", "a/.IMG_3.HEIC.icloud", "a/.notes.txt.icloud", "a/.IMG_4.MOV.icloud")
    let set = try set()
    #expect(set.photos.map(\.name) == ["a/IMG_1.HEIC", "a/IMG_2.JPG"])
    #expect(
      set.skipped == [SkippedFile(name: "a/.IMG_3.HEIC.icloud", reason: .notDownloaded)])
    #expect(set.ignoredFiles.text == "2 videos, 2 Live Photo movies, 1 macOS ._ file")
    #expect(set.ignoredFiles.videos == 4 && set.ignored == 4)
  }

  @Test("Names that differ only in bytes have a fixed order")
  func equalNames() throws {
    let names = ["caf\u{E9}.jpg", "cafe\u{301}.jpg"]
    for rows in [names, names.reversed()] {
      let table = rows.map { "\($0),a,train\n" }.joined()
      try folder.write("path,label,split\n" + table, to: "split.csv")
      #expect(
        try set().photos.map { Array($0.name.utf8) }
          == [Array(names[1].utf8), Array(names[0].utf8)])
      #expect(
        try PhotoSet(negatives: folder.path).photos.map { Array($0.name.utf8) }
          == [Array(names[1].utf8), Array(names[0].utf8)])
    }
  }

  @Test("A split.csv overrides folders")
  func table() throws {
    try folder.touch("anywhere/1.jpg", "anywhere/2.jpg", "3.jpg", "anywhere/unlisted.jpg")
    try folder.write(
      """
      split,path,group,label,remark
      train,anywhere/1.jpg,monday,tower,
      test,anywhere/2.jpg,,tower,"far, from behind"
       val ,3.jpg,tuesday,_street,
      test_unknown,/somewhere/else.jpg,,barn,

      """, to: "split.csv")
    let set = try set(allowOutside: true)
    #expect(
      set.photos.map(\.name) == [
        "/somewhere/else.jpg", "3.jpg", "anywhere/1.jpg", "anywhere/2.jpg",
      ])
    #expect(set.photos.map(\.label) == ["barn", "_street", "tower", "tower"])
    #expect(set.photos.map(\.split) == [.testUnknown, .val, .train, .test])
    #expect(set.photos.map(\.group) == [nil, "tuesday", "monday", nil])
    #expect(set.photos.first?.path == "/somewhere/else.jpg")
    #expect(set.photos.last?.path == folder.path + "/anywhere/2.jpg")
  }

  @Test("Another table replaces split.csv")
  func otherTable() throws {
    try folder.touch("a/1.jpg")
    try folder.write("path,label,split\na/1.jpg,a,test\n", to: "split.csv")
    let other = try folder.write("path,label,split\na/1.jpg,b,train\n", to: "mine.csv")
    let set = try set(splitFile: other)
    #expect(set.photos.map(\.label) == ["b"])
    #expect(set.photos.map(\.split) == [.train])
    #expect(set.photos.first?.path == folder.path + "/a/1.jpg")
  }

  @Test("Photos are chosen by part, or all if undivided")
  func parts() throws {
    try folder.touch("train/a/1.jpg", "val/a/2.jpg", "test/a/3.jpg", "undivided/a/4.jpg")
    let set = try set()
    #expect(set.photos(for: [.train, .val]).map(\.name) == ["train/a/1.jpg", "val/a/2.jpg"])
    #expect(set.photos(for: [.testUnknown]).isEmpty)
    let undivided = try PhotoSet(root: folder.path + "/undivided")
    #expect(undivided.photos(for: [.test]).map(\.name) == ["a/4.jpg"])
  }

  @Test("Hidden files and folders are ignored silently")
  func hidden() throws {
    try folder.touch(
      "a/1.jpg", "a/.DS_Store", "a/._1.jpg", ".ipynb_checkpoints/2.jpg", ".git/3.jpg", ".4.jpg",
      "a/.hidden/5.jpg")
    let set = try set()
    #expect(set.photos.map(\.name) == ["a/1.jpg"])
    #expect(set.skipped.isEmpty)
    #expect(set.ignored == 0 && set.ignoredFiles.appleDoubles == 1)
  }

  @Test(
    "Other files are counted by kind, except system files")
  func counted() throws {
    try folder.touch(
      "a/1.jpg", "a/notes.txt", "a/README", "a/Thumbs.db", "a/desktop.ini", "a/jpg", "a/3.jpg.txt",
      "a/film.MP4", "a/deeper/film.mov", "a/@eaDir/1.jpg", "film.avi", "campus.geojson")
    let set = try set()
    #expect(set.photos.map(\.name) == ["a/1.jpg"])
    #expect(set.ignored == 7)
    #expect(set.ignoredFiles.videos == 3)
    #expect(set.ignoredFiles.text == "3 videos, 4 other files")
    #expect(set.skipped.isEmpty)
    #expect(set.joined(with: set).ignoredFiles.text == "6 videos, 8 other files")
    #expect(IgnoredFiles().text.isEmpty)
  }

  @Test("Images without a file extension are counted apart from other files")
  func unnamedImages() throws {
    try folder.touch("a/1.jpg", "a/README")
    try folder.write([0xFF, 0xD8] + [UInt8](repeating: 0, count: 40), to: "a/IMG_1")
    try folder.write("path,label,split and more text than 32 bytes", to: "a/table")
    let ignored = try set().ignoredFiles
    #expect(
      ignored.text == "1 image without a file extension (add one, such as .jpg), 2 other files")
    #expect(ignored.count == 3)
  }

  @Test("Photos outside label folders are reported")
  func misplacedPhotos() throws {
    try folder.touch("a/1.jpg", "stray.jpg", "campus.geojson", "README.md")
    let set = try set()
    #expect(set.photos.map(\.name) == ["a/1.jpg"])
    #expect(set.skipped == [SkippedFile(name: "stray.jpg", reason: .outsideLabelFolder)])
    #expect(set.skipped.first?.message.contains("move it") == true)
  }

  @Test(
    "A file name that is not UTF-8 is reported",
    .enabled(if: TemporaryFolder.acceptsAnyName, "this file system refuses such names"))
  func notUTF8() throws {
    try folder.touch("a/1.jpg")
    try folder.create([0x63, 0x61, 0x66, 0xE9, 0x2E, 0x6A, 0x70, 0x67], in: "a")
    try folder.create([0xFF, 0xFE])
    let set = try set()
    #expect(set.photos.map(\.name) == ["a/1.jpg"])
    #expect(
      set.skipped == [
        SkippedFile(name: "a/caf\u{FFFD}.jpg", reason: .nameNotUTF8),
        SkippedFile(name: "\u{FFFD}\u{FFFD}", reason: .nameNotUTF8),
      ])
    #expect(set.skipped.first?.message.contains("rename") == true)
  }

  @Test(
    "Photos are identified by file extension",
    arguments: [
      ("a.jpg", true), ("a.JPG", true), ("a.jpeg", true), ("a.b.jpe", true), ("a.heic", true),
      ("a.png", true), ("a.tiff", true), ("a.webp", true), ("jpg", false), ("a.", false),
      ("a.jpg.bak", false), ("a.csv", false), ("", false), ("a.jpg ", false),
    ])
  func extensions(name: String, isPhoto: Bool) {
    #expect(PhotoSet.looksLikePhoto(name) == isPhoto)
  }

  @Test("Negatives are all photos in a folder at any depth")
  func negatives() throws {
    try folder.touch(
      "1.jpg", "things/2.jpg", "things/deeper/3.jpg", "_indoor/4.jpg", "things/notes.txt",
      ".cache/5.jpg")
    let set = try PhotoSet(negatives: folder.path + "/")
    #expect(
      set.photos.map(\.name) == ["1.jpg", "_indoor/4.jpg", "things/2.jpg", "things/deeper/3.jpg"])
    #expect(set.photos.allSatisfy { $0.label == PhotoSet.negativeLabel && $0.split == nil })
    #expect(set.ignored == 1)
  }

  @Test("A split.csv lists negatives and their background labels")
  func dividedNegatives() throws {
    try folder.touch("1.jpg", "2.jpg", "3.jpg", "4.jpg")
    try folder.write(
      "path,label,split\n1.jpg,_street,train\n2.jpg,cat,test\n3.jpg,_not_a_building,val\n",
      to: "split.csv")
    let set = try PhotoSet(negatives: folder.path)
    #expect(set.photos.map(\.name) == ["1.jpg", "2.jpg", "3.jpg"])
    #expect(set.photos.map(\.label) == ["_street", "_not_a_building", "_not_a_building"])
    #expect(set.photos.map(\.split) == [.train, .test, .val])
  }

  @Test("Unreadable negatives are not held back, and a table's split is kept")
  func heldBackNegatives() async throws {
    for number in 10...20 { try folder.touch("parks/\(number).jpg") }
    let set = try await PhotoSet(negatives: folder.path)
      .holdingBackTests(decoder: PhotoDecoder(), threads: 1)
    #expect(set.photos.count == 11 && set.photos.allSatisfy { $0.split == .train })
    try folder.write("path,label,split\nparks/10.jpg,_parks,train\n", to: "split.csv")
    let divided = try PhotoSet(negatives: folder.path)
    let same = await divided.holdingBackTests(decoder: PhotoDecoder(), threads: 1)
    #expect(same.photos == divided.photos)
  }

  @Test("Numbered groups of negatives are separate; named ones stay")
  func groupsOfNegatives() throws {
    try folder.touch("1.jpg", "2.jpg", "3.jpg")
    try folder.write(
      "path,label,split,group\n1.jpg,_street,train,g1\n2.jpg,_street,train,monday\n3.jpg,_street,train,\n",
      to: "split.csv")
    let photos = try PhotoSet(negatives: folder.path).photos
    #expect(photos.map(\.group) == ["g-1", "monday", nil])
    #expect(try set().photos.map(\.group) == ["g1", "monday", nil])
  }

  @Test(
    "An invalid table is reported with its line",
    arguments: [
      ("path,label\n", 1, "the header must contain path, label and split"),
      ("1.jpg,a,train\n", 1, "the header must contain path, label and split"),
      ("path;label;split\n1.jpg;a;train\n", 1, "columns are separated by semicolons; use commas"),
      (
        "path;label;split\n\"1,5.jpg\";a;train\n", 1,
        "columns are separated by semicolons; use commas"
      ),
      ("path,label,split\n1.jpg,a,train\n2.jpg,a,tset\n", 3, "invalid split \"tset\""),
      ("path,label,split\n1.jpg,a,Train\n", 2, "invalid split \"Train\""),
      ("path,label,split\r\n\r\n1.jpg,,train\r\n", 3, "missing path or label"),
      ("path,label,split\n,a,train\n", 2, "missing path or label"),
      ("path,label,split\n1.jpg,\" \",train\n", 2, "missing path or label"),
      (
        "path,label,split\n1.jpg,\(String(repeating: "ü", count: 513)),train\n", 2,
        "the label has more than 1024 bytes; shorten it"
      ),
      ("path,label,split\n1.jpg,a\n", 2, "2 fields, but the header has 3"),
    ])
  func badTable(text: String, line: Int, problem: String) throws {
    let path = try folder.write(text, to: "split.csv")
    let error = try #require(throws: TrainingError.self) { try set() }
    guard case .badTable(path, line, let found) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(found.hasPrefix(problem))
    #expect(error.message.hasPrefix("\(path):\(line): "))
  }

  @Test("Blanks around a label are removed")
  func trimmedLabels() throws {
    try folder.write("path,label,split\n1.jpg, tower ,train\n", to: "split.csv")
    #expect(try set().photos.map(\.label) == ["tower"])
  }

  @Test("A missing folder or table throws", arguments: ["", "/split.csv"])
  func missing(file: String) throws {
    let root = folder.path + "/nowhere"
    #expect(throws: TrainingError.file(.cannotRead(path: root + file, code: ENOENT))) {
      file.isEmpty
        ? try PhotoSet(root: root) : try PhotoSet(root: folder.path, splitFile: root + file)
    }
  }

  @Test("A file in place of a folder throws")
  func fileAsRoot() throws {
    let path = try folder.write("", to: "1.jpg")
    #expect(throws: TrainingError.file(.cannotRead(path: path, code: ENOTDIR))) {
      try PhotoSet(root: path)
    }
  }

  @Test("An empty folder has no photos")
  func empty() throws {
    #expect(try set().photos.isEmpty)
    #expect(try PhotoSet(negatives: folder.path).photos.isEmpty)
  }
}

@Suite("Photo tree")
struct PhotoTreeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func set() throws -> PhotoSet { try PhotoSet(root: folder.path) }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(name), withDestinationPath: target)
  }

  @Test("Photos at any depth belong to the label folder")
  func deep() throws {
    try folder.touch("tower/1.jpg", "tower/2026-05/2.jpg", "tower/a/b/c/3.jpg", "_street/x/4.jpg")
    let set = try set()
    #expect(
      set.photos.map(\.name) == [
        "_street/x/4.jpg", "tower/1.jpg", "tower/2026-05/2.jpg", "tower/a/b/c/3.jpg",
      ])
    #expect(set.photos.map(\.label) == ["_street", "tower", "tower", "tower"])
    #expect(set.photos.allSatisfy { FileManager.default.fileExists(atPath: $0.path) })
    #expect(set.ignored == 0 && set.skipped.isEmpty)
  }

  @Test("Part folders may be nested, and misplaced photos are reported")
  func parts() throws {
    try folder.touch(
      "train/tower/may/1.jpg", "test/tower/june/2.jpg", "test/stray.jpg", "stray.jpg", "mine/3.jpg",
      "mine/notes.txt", "all/4.jpg")
    try link("train/arch", to: "../all")
    let set = try set()
    #expect(
      set.photos.map(\.name) == [
        "test/tower/june/2.jpg", "train/arch/4.jpg", "train/tower/may/1.jpg",
      ])
    #expect(set.photos.map(\.label) == ["tower", "arch", "tower"])
    #expect(set.photos.map(\.split) == [.test, .train, .train])
    #expect(
      set.skipped == [
        SkippedFile(name: "stray.jpg", reason: .outsideLabelFolder),
        SkippedFile(name: "test/stray.jpg", reason: .outsideLabelFolder),
        SkippedFile(name: "mine/3.jpg", reason: .outsideSplitFolders),
      ])
  }

  @Test("A linked folder is read once, under its own label", .timeLimit(.minutes(10)))
  func links() throws {
    try folder.touch("arch/1.jpg", "tower/2.jpg")
    try link("arch/up", to: "..")
    try link("arch/all", to: "../tower")
    try link("copy", to: "tower")
    let set = try set()
    #expect(set.photos.map(\.name) == ["arch/1.jpg", "tower/2.jpg"])
    #expect(set.ignoredFiles.repeatedFolders == 3)
    #expect(set.ignoredFiles.text == "3 repeated folders")
    let negatives = try PhotoSet(negatives: folder.path)
    #expect(negatives.photos.map(\.name) == ["arch/1.jpg", "tower/2.jpg"])
  }

  @Test("An unreadable folder is reported, and the rest is read")
  func unreadable() throws {
    try folder.touch("a/1.jpg", "a/closed/2.jpg", "b/3.jpg")
    try link("gone", to: "nowhere")
    let closed = folder.path("a/closed")
    let listing = PhotoListing { path throws(FileError) in
      guard path != closed else { throw FileError.cannotRead(path: path, code: EACCES) }
      return try Directory.entries(of: path)
    }
    let set = try PhotoSet(root: folder.path, splitFile: nil, listing)
    #expect(set.photos.map(\.name) == ["a/1.jpg", "b/3.jpg"])
    let faults: [(String, Int32)] = [("a/closed", EACCES), ("gone", ENOENT)]
    #expect(
      set.skipped
        == faults.map { name, code in
          SkippedFile(
            name: name,
            reason: .unusable(.file(.cannotRead(path: folder.path(name), code: code))))
        })
    #expect(set.skipped[0].message.contains("Permission denied"))
  }

  @Test(
    "A pipe or device named like a photo is reported", .timeLimit(.minutes(10)))
  func pipes() async throws {
    try folder.touch("a/notes")
    let made = unsafe mkfifo(folder.path("a/1.jpg"), 0o600)
    try #require(made == 0)
    try link("a/2.jpg", to: "/dev/zero")
    let photos = try set().photos
    let read = await photos.reading(threads: 2) { photo throws(CupolaError) in
      try photo.opened(by: PhotoDecoder())
    }
    #expect(read.values.isEmpty)
    #expect(
      read.skipped.map(\.reason)
        == ["a/1.jpg", "a/2.jpg"].map {
          .unusable(.file(.notAFile(path: folder.path($0))))
        })
    #expect(read.skipped[0].message.contains("a pipe, socket or device"))
  }
}
