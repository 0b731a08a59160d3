import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Photo imports")
struct PhotoImportTests {
  private typealias Tag = EXIFBuilder.Tag
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let sidecar = """
    {"photoTakenTime": {"timestamp": "1577880000"},
     "geoData": {"latitude": 48.3, "longitude": 10.9}}
    """
  private static let time = "2026:05:01 10:00:00"

  private func jpeg(exif: [UInt8] = []) throws -> [UInt8] {
    let image = RGBImage(width: 8, height: 8, pixels: [UInt8](repeating: 90, count: 192))
    return try JPEGEncoder.encode(image, exif: exif)
  }

  private func run() async throws -> (photos: PhotoImport, outcomes: [PhotoImport.Outcome]) {
    let photos = try PhotoImport(from: folder.path("in"), to: folder.path("out"))
    return (photos, try await photos.run(decoder: PhotoDecoder(), threads: 1) { _ in })
  }

  @Test("Copies of photos from Google Takeout keep their time and position")
  func sidecars() async throws {
    let bare = try jpeg()
    let complete = try jpeg(
      exif: EXIFBuilder().payload([
        Tag.gps: .directory(EXIFBuilder.place),
        Tag.exif: .directory([Tag.time: .text(Self.time)]),
      ]))
    try folder.write(bare, to: "in/a/1.jpg")
    try folder.write(Self.sidecar, to: "in/a/1.jpg.supplemental-metadata.json")
    try folder.write(complete, to: "in/a/2.jpg")
    try folder.write(Self.sidecar, to: "in/a/2.jpg.json")
    try folder.write("[]", to: "in/a/notes.json")
    let (photos, outcomes) = try await run()
    #expect(outcomes == [.copied, .copied])
    #expect(photos.ignored.text == "1 other file")
    #expect(try folder.bytes("out/a/1.jpg") == bare && folder.bytes("out/a/2.jpg") == complete)
    let set = try PhotoSet(root: folder.path("out"))
    #expect(set.photos.map(\.name) == ["a/1.jpg", "a/2.jpg"] && set.ignored == 0)
    let metadata = try set.photos.map { try $0.opened(by: PhotoDecoder()).metadata }
    #expect(metadata[0].position?.latitude == 48.3)
    #expect(metadata[0].captureTime == "2020:01:01 13:00:00")
    #expect(metadata[1].position?.latitude == -12.5 && metadata[1].captureTime == Self.time)
    #expect(!Directory.exists(folder.path("out/a/2.jpg.json")))
    // Nothing is replaced by a second import.
    try folder.write("mine", to: "out/a/1.jpg.json")
    #expect(try await run().outcomes == [.kept, .kept])
    #expect(try folder.bytes("out/a/1.jpg.json") == Array("mine".utf8))
  }

  @Test("Placeholders of photos in iCloud fail, and those of videos are ignored")
  func placeholders() async throws {
    try folder.touch(
      "in/a/.2.HEIC.icloud", "in/a/.3.MOV.icloud", "in/a/._1.jpg", "in/a/.1.jpg.json")
    let alone = try await run()
    #expect(alone.outcomes.isEmpty && alone.photos.unreadable.count == 1)
    try folder.write(try jpeg(), to: "in/a/1.jpg")
    let (photos, outcomes) = try await run()
    #expect(outcomes == [.copied] && photos.ignored.text == "1 macOS ._ file")
    #expect(photos.unreadable.count == 1)
    #expect(photos.unreadable[0].contains("in/a/.2.HEIC.icloud: iCloud placeholder of a photo"))
  }

  #if os(Linux)
    @Test("An import lists each folder a few times, however many photos it has")
    func listings() async throws {
      let (bytes, count) = (try jpeg(), 60)
      for number in 0..<count { try folder.write(bytes, to: "in/hall/\(number).jpg") }
      try folder.touch("out/hall/0.txt")
      let events = inotify_init1(Int32(O_NONBLOCK))
      defer { close(events) }
      for name in ["in/hall", "out/hall"] {
        // Renames separate the events of listings, which the kernel otherwise merges.
        let isWatched = unsafe inotify_add_watch(
          events, folder.path(name), UInt32(IN_ACCESS | IN_MOVED_TO))
        try #require(isWatched >= 0)
      }
      _ = try Directory.entries(of: folder.path("out/hall"))
      #expect(Self.listings(events) >= 1)
      #expect(try await run().outcomes == Array(repeating: .copied, count: count))
      #expect((1..<10).contains(Self.listings(events)))
    }

    /// Returns the number of times that folders were listed since the last call.
    private static func listings(_ events: Int32) -> Int {
      var count = 0
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let size = unsafe read(events, &buffer, buffer.count)
        guard size > 0 else { return count }
        var at = 0
        while at + 16 <= size {
          func field(_ offset: Int) -> UInt32 {
            buffer[at + offset..<at + offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
          }
          let isListing = field(4) & UInt32(IN_ACCESS) != 0 && field(4) & UInt32(IN_ISDIR) != 0
          if isListing { count += 1 }
          // The header is followed by the name.
          at += 16 + Int(field(12))
        }
      }
    }
  #endif
}
