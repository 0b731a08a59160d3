#if Serve
  import ArgumentParser
  import Cupola
  import CupolaServe
  import CupolaTraining

  // 1. Open the project folder, and lock it.
  // 2. Print the address of the page, with the secret token of the project unless CUPOLA_TOKEN contains another one.
  // 3. Serve until the process is interrupted, then end running commands.

  struct Studio: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "studio",
      abstract: "Train a model in the browser, from photos to an app.",
      discussion: """
        Opens a page for adding and sorting photos, drawing the map, training, trying the model and exporting it. \
        The page is only reachable from this computer and loads nothing from other servers.

        FOLDER contains what the other commands use: photos, negatives, campus.geojson, campus.safetensors, reports \
        and exports. Dropped files are copied into it. Every change can be undone, also after a restart.

        The printed address contains the secret token of the project. The variable CUPOLA_TOKEN replaces this token, \
        and the address is then printed without it.

        EXAMPLES
          cupola studio
          cupola studio campus
        """)

    @Argument(help: "Project folder, which is created if it is missing.", completion: .directory)
    var folder = "campus"

    @Option(help: "Port to listen on, or 0 for any.")
    var port: UInt16 = 8090

    func validate() throws {
      try PhotoArguments.checkPaths([folder])
      if let problem = SecretToken.environment.flatMap(SecretToken.problem) {
        throw ValidationError("\(SecretToken.variable) \(problem)")
      }
    }

    func run() async throws {
      let interruption = ServerInterruption()
      let given = SecretToken.environment
      var options = StudioServer.Options(token: try given ?? Self.token(of: folder))
      options.port = port
      options.threads = CommonOptions.cores
      options.log = { Console.error($0) }
      let server = try StudioServer(folder: folder, options)
      let query = given == nil ? "?token=\(options.token)" : ""
      try await interruption.run {
        try await server.run { port in
          Console.note("Studio: http://127.0.0.1:\(port)/\(query) until Ctrl-C")
        }
      }
    }

    /// The secret token of a project, which stays the same so that open pages survive a restart.
    private static func token(of folder: String) throws -> String {
      let path = folder + "/.studio/token"
      if let bytes = try? FileAccess.read(path, limit: 64), bytes.count == 32,
        bytes.allSatisfy({ Hex.isDigit($0) })
      {
        return String(decoding: bytes, as: UTF8.self)
      }
      let token = (0..<2).map { _ in Hex.text(UInt64.random(in: 0...UInt64.max)) }.joined()
      try Directory.createAll(folder + "/.studio")
      try FileAccess.write(Array(token.utf8), to: path, isPrivate: true)
      return token
    }
  }
#endif
