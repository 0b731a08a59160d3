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

  // 1. Check paths, host and token of the command line.
  // 2. Raise the limit of open files, and read the model.
  // 3. Prepare the folder for frames, the guide and the tours.
  // 4. Serve until the process is interrupted.

  struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve",
      abstract: "Shows in a browser what a camera sees, and names it.",
      discussion: """
        One page, which asks for nothing from anywhere else: it uses the camera of the computer or phone, or \
        photos and videos that are dropped on it. With --collect frames can be kept as training photos, with their \
        right labels. Phones give the camera only to pages by HTTPS: see README.

        Apps of visitors fetch the guide of --guide below /guide/ and the tours of --tour below /tours; a tour with \
        passkeys opens once for each of --keys.

        EXAMPLES
          cupola serve campus.safetensors
          cupola serve campus.safetensors --collect photos
          cupola serve campus.safetensors --guide campus.guide --tour tour.json \\
            --keys tour-keys.json
          cupola serve campus.safetensors --host 0.0.0.0 \\
            --token=$(head -c 12 /dev/urandom | base64 | tr +/ -_)
        """)

    @Argument(help: "The model file.", completion: .file(extensions: ["safetensors"]))
    var model: String

    @Option(help: "The port; 0 takes a free one.")
    var port: UInt16 = 8080

    @Option(help: "The address of this machine to listen at; others than loopback take --token.")
    var host = "127.0.0.1"

    // Unconditional, because a random one may begin with a minus sign.
    @Option(
      parsing: .unconditional, help: "What a page must know: it is opened as /?token=...")
    var token: String?

    @Option(help: "Keep frames in this folder, a folder a label.", completion: .directory)
    var collect: String?

    @Option(help: "The guide that apps fetch.", completion: .directory)
    var guide: String?

    @Option(
      help: ArgumentHelp("A tour that apps fetch, any number.", valueName: "file"),
      completion: .file(extensions: ["json"]))
    var tour: [String] = []

    @Option(
      help: ArgumentHelp("The passkeys of a tour, any number.", valueName: "file"),
      completion: .file(extensions: ["json"]))
    var keys: [String] = []

    @Option(help: "Pages that are served at once.")
    var pages = 32

    @OptionGroup var error: LiveErrorOption

    func validate() throws {
      try PhotoArguments.checkPaths([model, collect, guide] + tour + keys)
      try ensure(
        host == "::1" || host == "localhost" || host.hasPrefix("127.") || token != nil,
        "At \(host) others can reach the page: choose a --token, or leave --host out.")
      try ensure(
        token.map({ $0.utf8.count >= 8 }) ?? true, "--token must have 8 characters or more.")
      // In an address these would mean something else, so that no page could be opened with it.
      try ensure(
        token.map({ $0.utf8.allSatisfy(Self.standsInAddresses) }) ?? true,
        "--token must be of ASCII letters, digits and signs but # % &.")
      try ensure((1...1000).contains(pages), "--pages must be 1 to 1000, not \(pages).")
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
      // Files are opened beside them. A connection that says nothing takes some kilobytes.
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

    private static func standsInAddresses(_ byte: UInt8) -> Bool {
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

    /// Lets this process open as many files as the system permits, and returns how many: each connection is one.
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
