import ArgumentParser
import Cupola
import CupolaTraining

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// The files that `cupola classify` writes:
// 1. Check the outputs before the work starts (`GalleryOptions`).
// 2. Collect the answers for a gallery and its table, and copy the photos (`AnswerFiles`).
// 3. Choose file names that all file systems accept, without replacing a file (`PhotoSorter`).

struct GalleryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Page to write, with every photo and its answer; also writes a CSV table.", valueName: "file"
    ), completion: .file(extensions: ["html"]))
  var gallery: String?

  @Option(
    help: ArgumentHelp("Folder for copies of the photos, sorted by answer.", valueName: "folder"),
    completion: .directory)
  var copyInto: String?

  private static let ending = ".html"

  func validate() throws {
    try PhotoArguments.checkPaths([gallery, copyInto])
    if let gallery {
      try ensure(
        gallery.lowercased().hasSuffix(Self.ending), "--gallery must end in .html, not \(gallery)")
    }
  }

  /// The table next to the page.
  var table: String? { gallery.map { String($0.dropLast(Self.ending.count)) + ".csv" } }

  /// Rejects outputs that would change or replace inputs, and creates the folder for copies.
  func prepare(for inputs: [String], in arguments: [String]) throws {
    if let gallery, let table {
      try FileAccess.checkFolder(of: gallery)
      for path in [gallery, table] {
        try OutputFile.check(path, as: "--gallery", isNotAmong: inputs)
      }
      let start = try? FileAccess.read(table, bytes: 0..<GalleryPage.markLength)
      try ensure(
        !Directory.exists(table) || start.map(GalleryPage.isTable) ?? false,
        "--gallery \(gallery) would replace \(table), which is not the table of a gallery; choose another name"
      )
    }
    guard let copyInto else { return }
    let folders = arguments.filter(Directory.isDirectory)
    try OutputFile.check(folder: copyInto, as: "--copy-into", isOutside: folders)
    for folder in folders {
      try reject(
        if: OutputFile.contains(copyInto, folder),
        "--copy-into \(copyInto) contains the photo folder \(folder); choose another folder")
    }
    try Directory.create(copyInto)
    try FileAccess.checkFolder(of: copyInto + "/")
  }
}

struct AnswerFiles {
  private let options: GalleryOptions
  private let campus: Campus?
  private let limit: Int
  private var page: GalleryPage?
  private var sorter: PhotoSorter?
  private var hasAnswers = false

  /// - Parameter count: The number of photos; `nil` for a video.
  init(_ options: GalleryOptions, _ recognizer: Recognizer, model path: String, count: Int?) {
    self.options = options
    campus = recognizer.model.campus
    limit = recognizer.decoder.maximumBytes
    page = options.gallery.map { _ in
      GalleryPage(
        model: Model.name(ofFile: path), campus: recognizer.model.campus,
        note: recognizer.model.calibrationNote, count: count)
    }
    sorter = options.copyInto.map { PhotoSorter(folder: $0) }
  }

  /// Makes the small image of a photo; `nil` without a gallery.
  var makePicture: (@Sendable (Photo) -> ReportPictures.Embedded?)? { page?.makePicture }

  mutating func add(_ input: PhotoInput, _ classified: Classify.Classified) throws {
    var copy: String?
    if case .success(let answer) = classified.answer {
      hasAnswers = true
      if sorter != nil {
        let bytes = try input.bytes(limit: limit)
        copy = try sorter?.copy(bytes, named: input.name, to: PhotoSorter.folder(for: answer))
      }
    }
    guard page != nil else { return }
    var photo = GalleryPhoto(
      input.name, classified.answer, picture: classified.picture, campus: campus)
    photo.copy = copy
    page?.add(photo)
  }

  /// Writes the page and its table, unless no photo could be read.
  func finish() throws {
    if let sorter, hasAnswers {
      let kept = sorter.kept > 0 ? ", \(sorter.kept) already present" : ""
      let copied = FigureText.count(sorter.copied, "photo")
      Console.note("copies: \(sorter.folder): \(copied) copied" + kept)
    }
    guard let page, let gallery = options.gallery, let table = options.table, hasAnswers else {
      return
    }
    let folder = gallery.contains("/") ? String(FileAccess.folder(of: gallery).dropLast()) : "."
    let html = Array(try page.html().utf8)
    let files = [(gallery, html), (table, Array(page.csv.utf8))].map { path, bytes in
      FileAccess.NewFile(String(path.split(separator: "/").last ?? ""), bytes)
    }
    try FileAccess.write(files, in: folder)
    Console.note("gallery: \(gallery) and \(table)")
  }
}

/// Copies photos into a folder for each answer; never replaces a file.
struct PhotoSorter {
  let folder: String
  private(set) var copied = 0
  /// The number of photos that were already there, from an earlier run.
  private(set) var kept = 0
  /// The names used in this run, in lower case because some file systems ignore case.
  private var taken: Set<String> = []

  init(folder: String) { self.folder = PhotoSet.withoutSlash(folder) }

  static func folder(for answer: Recognition) -> String {
    let label = answer.label ?? ""
    return portable(
      answer.verdict == .unsure ? "Unsure" : AnswerText.title(answer.verdict, [label]))
  }

  /// Copies a photo and returns the path of the copy in the folder.
  mutating func copy(_ bytes: [UInt8], named path: String, to group: String) throws -> String {
    try Directory.create(folder + "/" + group)
    var name = Self.portable(String(path.split(separator: "/").last ?? ""))
    if !PhotoSet.looksLikePhoto(name) { name += ".jpg" }
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    var number = 1
    while true {
      let suffix = number == 1 ? "" : "-\(number)"
      let own = "\(group)/\(name[..<dot])\(suffix)\(name[dot...])"
      number += 1
      guard taken.insert(own.lowercased()).inserted else { continue }
      if try put(bytes, at: folder + "/" + own) { return own }
    }
  }

  /// Writes a file, or returns `false` if the path contains another file.
  private mutating func put(_ bytes: [UInt8], at path: String) throws(FileError) -> Bool {
    do throws(FileError) {
      try FileAccess.create(bytes, at: path, synced: false)
      copied += 1
      return true
    } catch .cannotWrite(_, EEXIST) {
      guard (try? FileAccess.size(of: path)) == bytes.count,
        (try? FileAccess.read(path, limit: bytes.count)) == bytes
      else { return false }
      kept += 1
      return true
    }
  }

  /// Returns a name that Windows, macOS and Linux accept: without their special characters, device names, hidden
  /// files, and final dots or spaces.
  static func portable(_ name: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      let isUnsafe =
        PortableName.forbidden.contains(scalar)
        || VisibleText.line(String(scalar)) != String(scalar)
      result.append(isUnsafe ? "-" : scalar)
    }
    var safe = String(result)
    while let last = safe.unicodeScalars.last, last == "." || last == " " {
      safe.unicodeScalars.removeLast()
    }
    if safe.isEmpty || safe.hasPrefix(".") || PortableName.isDevice(safe) { safe = "_" + safe }
    guard safe.utf8.count > longestName else { return safe }
    // Keep the extension of a long name.
    let ending = safe.lastIndex(of: ".").map { safe[$0...] } ?? ""
    let kept = ending.utf8.count < 10 ? String(ending) : ""
    while safe.utf8.count + kept.utf8.count > longestName { safe.removeLast() }
    return safe + kept
  }

  /// File systems allow 255 bytes; the rest is for numbers.
  private static let longestName = 200
}
