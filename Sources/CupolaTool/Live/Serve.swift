#if Serve
  import ArgumentParser
  import Cupola
  import CupolaGuide
  import CupolaServe
  import CupolaTraining

  #if canImport(Darwin)
    import Darwin
  #else
    import Glibc
  #endif

  // 1. Check the paths, host and token.
  // 2. Raise the limit for open files, and read the model.
  // 3. Prepare the folder for saved frames, the guide and the tours.
  // 4. Serve until the process is interrupted.

  struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve",
      abstract: "Serve a web page that names the building in view.",
      discussion: """
        The page uses the camera of the computer or phone, or photos and videos that are dropped on it. It loads \
        nothing from other servers. With --collect, frames can be saved as training photos with their correct labels. \
        Phones allow a page to use the camera only over HTTPS; see README.md.

        Visitors' apps download the guide (--guide) from /guide/ and the tours (--tour) from /tours. Each passkey in \
        --keys opens its tour once.

        EXAMPLES
          cupola serve campus.safetensors
          cupola serve campus.safetensors --collect photos
          cupola serve campus.safetensors --guide campus.guide --tour tour.json \\
            --keys tour-keys.json
          cupola serve campus.safetensors --host 0.0.0.0 \\
            --token=$(head -c 12 /dev/urandom | base64 | tr +/ -_)
        """)

    @Argument(help: "Model file.", completion: .file(extensions: ["safetensors"]))
    var model: String

    @Option(help: "Port to listen on, or 0 for any.")
    var port: UInt16 = 8080

    @Option(help: "Address to listen on; requires --token unless it is a loopback address.")
    var host = "127.0.0.1"

    // Unconditional, because random tokens can begin with a hyphen.
    @Option(
      parsing: .unconditional, help: "Secret token; open the page as /?token=TOKEN.")
    var token: String?

    @Option(
      help: "Save frames here, in one subfolder for each label.", completion: .directory)
    var collect: String?

    @Option(help: "Guide to serve to apps.", completion: .directory)
    var guide: String?

    @Option(
      help: ArgumentHelp("Tour to serve to apps. Repeatable.", valueName: "file"),
      completion: .file(extensions: ["json"]))
    var tour: [String] = []

    @Option(
      help: ArgumentHelp("Passkey file for a tour. Repeatable.", valueName: "file"),
      completion: .file(extensions: ["json"]))
    var keys: [String] = []

    @Option(help: "Maximum number of open pages.")
    var pages = 32

    @OptionGroup var error: LiveErrorOption

    func validate() throws {
      try PhotoArguments.checkPaths([model, collect, guide] + tour + keys)
      try ensure(
        host == "::1" || host == "localhost" || host.hasPrefix("127.") || token != nil,
        "--host \(host) is reachable from other machines; set a --token, or leave out --host")
      try ensure(
        token.map({ $0.utf8.count >= 8 }) ?? true, "--token must have at least 8 characters")
      // Other characters have special meanings in URLs, so the page could not be opened.
      try ensure(
        token.map({ $0.utf8.allSatisfy(Self.isLiteralInURLs) }) ?? true,
        "--token must consist of ASCII letters, digits and punctuation except # % &")
      try ensure((1...1000).contains(pages), "--pages must be 1 to 1000, not \(pages)")
    }

    func run() async throws {
      let mostFiles = Self.allowManyFiles()
      let recognizer = try await ExitStatus.reporting(about: model) {
        Recognizer(model: try Model(contentsOf: model), maximumError: error.maxError)
      }
      error.explain(recognizer.point)
      if let collect {
        try Directory.createAll(collect)
        try FileAccess.checkFolder(of: collect + "/")
      }
      var options = options
      // Leave half of the limit for files. An idle connection needs several kilobytes.
      options.mostConnections = min(4096, mostFiles / 2)
      if let guide { options.guide = try ServedGuide(folder: guide) }
      if !tour.isEmpty || !keys.isEmpty {
        options.tours = try ServedTours(tours: tour, keys: keys)
      }
      let server = LiveServer(recognizer, options)
      do {
        try await server.run { port in
          let query = token.map { "/?token=\($0)" } ?? "/"
          let place = host.contains(":") ? "[\(host)]" : host
          Console.note("serving http://\(place):\(port)\(query) until Ctrl-C")
        }
      } catch let error as LiveServer.BadAddress {
        Console.error("\(error)")
        throw error.isMalformed ? ExitCode.validationFailure : ExitStatus.inputOutput
      }
    }

    private static func isLiteralInURLs(_ byte: UInt8) -> Bool {
      (0x21...0x7E).contains(byte) && !"#%&".utf8.contains(byte)
    }

    private var options: LiveServer.Options {
      var options = LiveServer.Options()
      options.host = host == "localhost" ? "127.0.0.1" : host
      options.port = port
      options.token = token
      options.collect = collect
      options.mostPages = pages
      options.name = Model.name(ofFile: model)
      return options
    }

    /// Raises the limit for open files, which includes connections, to at most 65,536, and returns it.
    private static func allowManyFiles() -> Int {
      var limit = rlimit()
      #if canImport(Darwin)
        let resource = RLIMIT_NOFILE
      #else
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      #endif
      guard unsafe getrlimit(resource, &limit) == 0 else { return 256 }
      let before = limit.rlim_cur
      limit.rlim_cur = min(limit.rlim_max, 65_536)
      return Int(clamping: unsafe setrlimit(resource, &limit) == 0 ? limit.rlim_cur : before)
    }
  }
#endif
