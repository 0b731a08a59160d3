import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaTraining

/// Which tables `cupola split` replaces, and what stays of them.
@Suite("Split table")
struct SplitTableTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The table of two photos after an earlier one stood there.
  private func table(after earlier: String, force: Bool = false) async throws -> String {
    let photos = try PhotoSet(root: Repository.sampleCampus).photos.prefix(2).enumerated().map {
      let bytes = try FileAccess.read($1.path)
      return LabeledPhoto(contents: bytes, name: "=a/\($0).jpg", label: "a")
    }
    let split = await AutomaticSplit(
      of: photos, share: 0.5, seed: 0, decoder: PhotoDecoder(), threads: 1)
    let path = try folder.write(earlier, to: "split.csv")
    return try SplitTable(replacing: path, force: force).text(of: split)
  }

  private static let own = "path,label,split,group"

  @Test("columns of others stay with their photos in a table of our own")
  func others() async throws {
    let plain = try await table(after: Self.own + "\n")
    #expect(plain.hasPrefix(Self.own + "\n=a/0.jpg,a,"))
    let again = try await table(
      after: Self.own
        + ",light,\"by, whom\"\n=a/1.jpg,x,test,g7,day,\"me, \"\"too\"\"\"\nlost.jpg,x,train,g1,night,\n"
    )
    let lines = again.split(separator: "\n").map(String.init)
    #expect(lines[0] == Self.own + ",light,\"by, whom\"")
    #expect(lines[1].hasSuffix(",,") && lines[2].hasSuffix(",day,\"me, \"\"too\"\"\""))
    let fields = lines[1...].map { $0.split(separator: ",").prefix(4).joined(separator: ",") }
    #expect(fields == plain.split(separator: "\n").dropFirst().map(String.init))
    #expect(lines.count == 3)
    let unknown = try await table(after: Self.own + "\n=a/1.jpg,x,test_unknown,g7\n")
    #expect(unknown == plain)
    // Paths are never changed, whatever they begin with: they are read again.
    let name = try CSV(Array(again.utf8), path: "").rows[0][0]
    #expect(name == "=a/0.jpg")
  }

  @Test("columns of others stay with names that are equal but for their bytes")
  func equalNames() async throws {
    let names = ["caf\u{E9}.jpg", "cafe\u{301}.jpg"]
    let photo = try #require(try PhotoSet(root: Repository.sampleCampus).photos.first)
    let bytes = try FileAccess.read(photo.path)
    let split = await AutomaticSplit(
      of: names.map { LabeledPhoto(contents: bytes, name: $0, label: "a") }, share: 0.5, seed: 0,
      decoder: PhotoDecoder(), threads: 1)
    let earlier = "\(Self.own),light\n\(names[0]),a,train,g1,day\n\(names[1]),a,train,g1,night\n"
    let path = try folder.write(earlier, to: "split.csv")
    let table = try SplitTable(replacing: path, force: false).text(of: split)
    let lines = table.split(separator: "\n").map(String.init)
    #expect(lines[1].hasSuffix(",day") && lines[2].hasSuffix(",night"))
  }

  @Test(
    "a table of others is refused without force",
    arguments: [
      "path,label,split\n=a/0.jpg,a,train\n", "path,split,label,group\n",
      own + "\n=a/0.jpg,a,val,g1\n", own + "\n=a/0.jpg,a,test,monday\n",
      own + "\n=a/0.jpg,a,test,\n", "my diary\n", "", own + "\n1,2\n", "{\"json\": true}",
    ])
  func foreign(text: String) async throws {
    await #expect(throws: TrainingError.foreignTable(path: folder.path("split.csv"))) {
      try await table(after: text)
    }
    #expect(try await table(after: text, force: true).hasPrefix(Self.own + "\n=a/0.jpg,a,"))
  }

  @Test("a new table, and with force columns of others in any table")
  func forced() async throws {
    let kept = try await table(after: "light,path\nday,=a/1.jpg\n", force: true)
    #expect(kept.hasPrefix(Self.own + ",light\n"))
    #expect(kept.hasSuffix(",day\n"))
    let message = TrainingError.foreignTable(path: "s.csv").message
    #expect(message.hasPrefix("s.csv: ") && message.contains("--force"))
  }
}
