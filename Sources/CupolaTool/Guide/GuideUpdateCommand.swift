import ArgumentParser
import CupolaGuide
import CupolaTraining

/// `cupola guide update`.
struct GuideUpdateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "update",
    abstract: "Brings a guide up to date from another folder, part by part.",
    discussion: """
      Only parts whose digest changed are read; each is verified, and the guide is replaced whole: \
      what is interrupted leaves the old one. Apps do the same over the network with GuideUpdate.

      EXAMPLE
        cupola guide update campus.guide --from new/campus.guide
      """)

  @Argument(help: "The guide to bring up to date, or where to put it.", completion: .directory)
  var guide: String

  @Option(help: "The newer guide: a folder or a file: URL.", completion: .directory)
  var from: String

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    Console.exitOnInterrupt()
    try await ExitStatus.reporting {
      let outcome = try await GuideUpdate(
        of: guide, fetching: GuideUpdate.fetcher(fromFolder: from)
      ).run()
      let summary = GuideUpdateJSON(guide, outcome)
      Console.print(json ? try JSONObject.text(summary, pretty: true) : summary.text)
    }
  }
}

/// How an update ended: schema `cupola.guide_update/1`.
struct GuideUpdateJSON: Encodable {
  let schema = "cupola.guide_update/1"
  let guide: String
  let version: String
  let isUpdated: Bool
  let bytes: Int

  private enum CodingKeys: String, CodingKey {
    case schema, guide, version, bytes
    case isUpdated = "updated"
  }

  init(_ guide: String, _ outcome: GuideUpdate.Outcome) {
    self.guide = guide
    switch outcome {
    case .upToDate(let version): (self.version, isUpdated, bytes) = (version, false, 0)
    case .updated(let version, _, let fetched):
      (self.version, isUpdated, bytes) = (version, true, fetched)
    }
  }

  var text: String {
    isUpdated
      ? "\(guide): version \(version), \((bytes + 500) / 1000) kB read"
      : "\(guide): up to date, version \(version)"
  }
}
