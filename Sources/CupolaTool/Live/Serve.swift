#if Serve
  import ArgumentParser
  import Cupola
  import CupolaGuide
  import CupolaServe
  import CupolaTraining
  import Dispatch

  #if canImport(Darwin)
    import Darwin
  #else
    import Glibc
  #endif

  // 1. Check the paths, host and token.
  // 2. Raise the limit for open files, and read the model.
  // 3. Prepare the folder for saved frames, the guide and the tours.
  // 4. Serve until the process is interrupted, then close all pages.

  struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve",
      abstract: "Serve a web page that names the building in view.",
      discussion: """
        The page uses the camera of the computer or phone, or photos and videos that are dropped on it. It loads \
        nothing from other servers. With --collect, frames can be saved as training photos with their correct labels. \
        Phones allow a page to use the camera only over HTTPS; see Documentation/Serving.md.

        Visitors' apps download the guide (--guide) from /guide/ and the tours (--tour) from /tours. Each passkey in \
        --keys opens its tour once. With --guide, /visit/ is a page for visitors: search, map, routes and departures.

        With a token, open the page as /?token=TOKEN. The browser then keeps it in a cookie. The variable CUPOLA_TOKEN \
        or --token-file hides the token from other users of the computer. SIGTERM closes all pages and ends the \
        server with exit code 0. /healthz always responds "ok".

        EXAMPLES
          cupola serve campus.safetensors
          cupola serve campus.safetensors --collect photos
          cupola serve campus.safetensors --guide campus.guide --tour tour.json \\
            --keys tour-keys.json
          head -c 12 /dev/urandom | base64 | tr +/ -_ > token.txt
          cupola serve campus.safetensors --host 0.0.0.0 --token-file token.txt
        """)

    @Argument(help: "Model file.", completion: .file(extensions: ["safetensors"]))
    var model: String

    @Option(help: "Port to listen on, or 0 for any.")
    var port: UInt16 = 8080

    @Option(help: "Address to listen on; requires --token unless it is a loopback address.")
    var host = "127.0.0.1"

    // Unconditional, because random tokens can begin with a hyphen.
    @Option(
      parsing: .unconditional,
      help: "Secret token; open the page as /?token=TOKEN. (default: CUPOLA_TOKEN)")
    var token: String?

    @Option(
      help: ArgumentHelp("File that contains the token.", valueName: "file"), completion: .file())
    var tokenFile: String?

    @Option(
      help: ArgumentHelp(
        "Address or CIDR range of a proxy whose X-Forwarded-For header is used. Repeatable.",
        valueName: "cidr"))
    var trustedProxy: [String] = []

    @Option(
      help: "Save frames here, in one subfolder for each label.", completion: .directory)
    var collect: String?

    @Option(
      help: ArgumentHelp(
        "Maximum number of saved frames in the folder. (default: 5000)", valueName: "count"))
    var collectPhotos: Int?

    @Option(
      help: ArgumentHelp(
        "Maximum size of the saved frames, in MB. (default: 1000)", valueName: "size"))
    var collectMegabytes: Int?

    @Option(help: "Guide to serve to apps and at /visit/.", completion: .directory)
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

    @Option(
      help: ArgumentHelp(
        "File to which one line of JSON is appended for each request, or - for stdout.",
        valueName: "file"), completion: .file())
    var accessLog: String?

    @OptionGroup var error: LiveErrorOption

    func validate() throws {
      try PhotoArguments.checkPaths([model, tokenFile, collect, guide, accessLog] + tour + keys)
      try ensure(token == nil || tokenFile == nil, "use --token or --token-file, not both")
      let given = token ?? (tokenFile == nil ? SecretToken.environment : nil)
      try ensure(
        host == "::1" || host == "localhost" || host.hasPrefix("127.") || given != nil
          || tokenFile != nil,
        "--host \(host) is reachable from other machines; set a --token, or leave out --host")
      if let problem = given.flatMap(SecretToken.problem) {
        throw ValidationError("\(token == nil ? "CUPOLA_TOKEN" : "--token") \(problem)")
      }
      try ensure((1...1000).contains(pages), "--pages must be 1 to 1000, not \(pages)")
      for range in trustedProxy {
        try ensure(
          AddressRange(range) != nil,
          "--trusted-proxy \(range): not an IP address or range; use one such as 10.0.0.0/8")
      }
      for (name, value) in [
        ("--collect-photos", collectPhotos), ("--collect-megabytes", collectMegabytes),
      ] {
        guard let value else { continue }
        try ensure(collect != nil, "\(name) requires --collect")
        try ensure(
          (1...1_000_000).contains(value), "\(name) must be 1 to 1000000, not \(value)")
      }
    }

    /// The token from the option, the file or the environment, in this order.
    private func givenToken() throws -> String? {
      guard let tokenFile else { return token ?? SecretToken.environment }
      let bytes = try FileAccess.read(tokenFile, limit: 4096)
      let token =
        String(decoding: bytes, as: UTF8.self)
        .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).first ?? ""
      if let problem = SecretToken.problem(with: String(token)) {
        throw GuideError.badFile(path: tokenFile, problem: "the token in its first line \(problem)")
      }
      return String(token)
    }

    func run() async throws {
      let interruption = ServerInterruption()
      let mostFiles = Self.allowManyFiles()
      let secret = try givenToken()
      let recognizer = try await ExitStatus.reporting(about: model) {
        Recognizer(model: try Model(contentsOf: model), maximumError: error.maxError)
      }
      error.explain(recognizer.point)
      if let collect {
        try Directory.createAll(collect)
        try FileAccess.checkFolder(of: collect + "/")
      }
      let accessLog = try accessLog.map(AccessLog.init(path:))
      var options = options
      options.token = secret
      // Leave half of the limit for files. An idle connection needs 10 kB, and one with an incomplete request head 40 kB.
      options.mostConnections = min(1024, mostFiles / 2)
      if let guide { options.guide = try ServedGuide(folder: guide) }
      if !tour.isEmpty || !keys.isEmpty {
        options.tours = try ServedTours(tours: tour, keys: keys)
      }
      if let accessLog { options.accessLog = { accessLog.add($0) } }
      defer { accessLog?.finish() }
      let server = LiveServer(recognizer, options)
      try await interruption.run { try await run(server) }
    }

    private func run(_ server: LiveServer) async throws {
      try await server.run { port in
        let address = LiveServer.reachableAddress(listeningAt: host)
        let place = address.contains(":") ? "[\(address)]" : address
        // A token that was not in the arguments must not appear in a log.
        let query = token.map { "/?token=\($0)" } ?? "/"
        Console.note("serving http://\(place):\(port)\(query) until Ctrl-C")
      }
    }

    private var options: LiveServer.Options {
      var options = LiveServer.Options()
      options.host = host == "localhost" ? "127.0.0.1" : host
      options.port = port
      options.collect = collect
      options.collectLimits.photos = collectPhotos ?? options.collectLimits.photos
      options.collectLimits.bytes =
        collectMegabytes.map { $0 * 1_000_000 } ?? options.collectLimits.bytes
      options.trustedProxies = trustedProxy.compactMap(AddressRange.init)
      options.log = { Console.error($0) }
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

  /// The token without which a server answers no requests.
  enum SecretToken {
    static let variable = "CUPOLA_TOKEN"

    /// The token in the environment, which other users of the computer cannot see.
    static var environment: String? {
      Console.environment(variable).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns what is wrong with a token; `nil` if it can be used.
    static func problem(with token: String) -> String? {
      if token.utf8.count < 8 { return "must have at least 8 characters" }
      // Other characters have special meanings in URLs, so the page could not be opened.
      guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"#%&".utf8.contains($0) }) else {
        return "must consist of ASCII letters, digits and punctuation except # % &"
      }
      return nil
    }
  }

  /// Appends lines to a file in the order of their arrival, without delaying responses.
  private final class AccessLog: Sendable {
    private let path: String
    private let queue = DispatchQueue(label: "access log")
    private let hasFailed = Locked(false)

    init(path: String) throws {
      self.path = path
      if path != "-" { try FileAccess.append([], to: path) }
    }

    func add(_ line: String) {
      queue.async { [self] in
        guard path != "-" else { return Console.print(line) }
        // Opened each time, so that log rotation can rename the file.
        do throws(FileError) { try FileAccess.append(Array("\(line)\n".utf8), to: path) } catch {
          let isFirst = hasFailed.withLock { hasFailed in
            defer { hasFailed = true }
            return !hasFailed
          }
          if isFirst { Console.error("\(error)") }
        }
      }
    }

    func finish() { queue.sync {} }
  }
#endif
