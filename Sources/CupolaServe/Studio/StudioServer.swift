#if Serve
  internal import Cupola
  internal import CupolaTraining
  internal import Foundation
  internal import NIOCore
  internal import NIOHTTP1

  // 1. Check the host, origin and token of each request.
  // 2. Send a file of the page, or pass the request to StudioProject.
  // 3. Answer with JSON. An error is one line for the page.

  /// Serves the page of Studio and the project that it changes.
  package struct StudioServer: HTTPService {
    package struct Options: Sendable {
      package var port: UInt16 = 8090
      /// The secret token that requests must contain.
      package var token: String
      /// The path of the program whose commands do the work.
      package var program = Bundle.main.executablePath ?? CommandLine.arguments.first ?? "cupola"
      package var threads = 2
      package var log: LiveServer.Log = { _ in }

      package init(token: String) { self.token = token }
    }

    let access: AccessControl
    let project: StudioProject
    var timeouts = HTTPConnection.Timeouts()
    private let options: Options
    /// Limits the bytes of bodies in memory.
    private let uploads = ConnectionLimit(mostBytes)

    /// - Throws: ``StudioProblem`` or `FileError` if the project cannot be opened.
    package init(folder: String, _ options: Options) throws {
      self.options = options
      access = AccessControl(token: options.token, isLocal: true, log: options.log)
      project = try StudioProject(folder, program: options.program, threads: options.threads)
      timeouts.upload = .minutes(10)
    }

    /// Serves until the task is canceled. Running commands are ended then.
    package func run(isReady: @escaping @Sendable (UInt16) -> Void) async throws {
      do {
        try await withTaskCancellationHandler {
          try await serve(isReady: isReady)
        } onCancel: {
          Task { await project.stopWaiting() }
        }
      } catch {
        await project.end()
        throw error
      }
      await project.end()
    }

    var listening: Listening { Listening(port: options.port) }

    func openSocket(_ channel: any Channel) throws { channel.close(promise: nil) }

    // MARK: - Requests

    private static let uploading = [
      "/api/upload", "/api/try", "/api/nearest", "/api/keep", "/api/map",
    ]
    private static let mostJSONBytes = 1 << 20
    private static let mostBytes = 2 * StudioProject.mostUploadBytes

    func upload(_ request: ServedRequest) -> Upload {
      guard request.path.hasPrefix("/api/") else { return .none }
      if let refusal = access.originRefusal(of: request) ?? access.tokenRefusal(of: request) {
        return .refused(refusal)
      }
      let isUpload = Self.uploading.contains(request.path)
      let most = isUpload ? StudioProject.mostUploadBytes : Self.mostJSONBytes
      // Larger bodies are refused after this. The size of a body in chunks is not known in advance.
      let length = request.headers["Content-Length"].flatMap { Int($0) } ?? most
      return UploadPlace(uploads, min(max(length, 0), most)).map { .admitted($0, mostBytes: most) }
        ?? .refused(.serviceUnavailable)
    }

    func refused(_ status: HTTPResponseStatus) -> ServedResponse {
      let message =
        switch status {
        case .unauthorized: "open the page with its secret token, which cupola studio prints"
        case .forbidden: "only Studio's own page may send requests"
        case .payloadTooLarge: "too large; a file can have at most 64 MB, and a change 1 MB"
        case .tooManyRequests: "too many wrong tokens; try again in a minute"
        case .serviceUnavailable: "too many uploads at the same time; try again"
        default: status.reasonPhrase.lowercased()
        }
      return Self.json(["message": message], status)
    }

    func answer(_ request: ServedRequest) async -> ServedResponse {
      if let status = access.originRefusal(of: request) { return refused(status) }
      if let file = StudioPage.response(request.path) {
        guard ["GET", "HEAD"].contains(request.method) else {
          return refused(.methodNotAllowed).with("Allow", "GET, HEAD")
        }
        guard request.path == "/" else { return file }
        if let status = access.tokenRefusal(of: request) { return refused(status) }
        return access.cookie(for: request).map { file.with("Set-Cookie", $0) } ?? file
      }
      guard request.path.hasPrefix("/api/") || request.path == "/campus.json" else {
        return refused(.notFound)
      }
      if let status = access.tokenRefusal(of: request) { return refused(status) }
      do {
        switch request.method {
        case "GET", "HEAD": return try await read(request) ?? refused(.notFound)
        case "POST": return try await change(request) ?? refused(.notFound)
        default: return refused(.methodNotAllowed).with("Allow", "GET, HEAD, POST")
        }
      } catch { return failed(error) }
    }

    static func json(_ object: JSONObject, _ status: HTTPResponseStatus = .ok) -> ServedResponse {
      LivePage.response(.bytes(object.line), type: MediaType.json, status: status)
    }

    private func failed(_ error: any Error) -> ServedResponse {
      let problem = project.folder.problem(error)
      if problem.kind == .failed { options.log("\(error)") }
      return Self.json(["message": problem.message], .init(statusCode: problem.kind.rawValue))
    }

    // MARK: - Reading

    private func read(_ request: ServedRequest) async throws -> ServedResponse? {
      switch request.path {
      case "/api/state":
        if let known = request.value("after").flatMap({ Int($0) }) {
          await project.wait(after: known)
        } else {
          await project.scan()
        }
        return Self.json(await project.state)
      case "/api/photos": return Self.json(await project.photos)
      case "/api/thumb", "/api/photo": return try await photo(request)
      case "/campus.json":
        return LivePage.response(.bytes(try await project.sheet()), type: MediaType.json)
      case "/api/card": return try await project.card()
      case "/api/export": return try project.exported(request.value("format") ?? "", request)
      case "/api/report": return try project.report("report.html", request)
      default:
        let prefix = "/api/report/"
        guard request.path.hasPrefix(prefix) else { return nil }
        return try project.report(String(request.path.dropFirst(prefix.count)), request)
      }
    }

    /// Only listed photos are sent, so requests cannot read files outside the project.
    private func photo(_ request: ServedRequest) async throws -> ServedResponse? {
      guard let item = await project.index[request.value("path") ?? ""],
        project.folder.contains(item.path)
      else { return nil }
      let folder = project.folder
      var path: String? = folder[item.path]
      if request.path == "/api/thumb" {
        path = await FramePool.shared.run(for: FramePool.Share()) {
          Thumbnail.path(of: item, in: folder)
        }
      }
      guard let path else {
        throw StudioProblem("\(item.path): cannot be shown", .failed)
      }
      return ServedFile.changing(path)?.response(to: request)
        .with("Cache-Control", "private, max-age=3600")
    }

    // MARK: - Changes

    private func change(_ request: ServedRequest) async throws -> ServedResponse? {
      switch request.path {
      case "/api/upload":
        try project.upload(
          request.body, batch: request.value("batch"), name: request.value("name"))
        return Self.json([:])
      case "/api/try": return try await project.answer(photo: request)
      case "/api/nearest": return Self.json(try await project.nearest(to: request.body))
      case "/api/keep":
        return Self.json(
          try await project.keep(
            request.body, label: request.value("label"), kind: request.value("kind")))
      case "/api/map":
        let name = request.value("name") ?? StudioFolder.map
        return Self.json(try await project.replaceMap(request.body, named: name))
      case "/api/undo", "/api/redo":
        let title = try await project.revert(request.path == "/api/undo" ? .undo : .redo)
        return Self.json(["revision": await project.revision, "title": title])
      default: return try await change(request, try Self.parameters(request))
      }
    }

    private static func parameters(_ request: ServedRequest) throws -> JSONValue {
      do { return try JSONReader.value(of: request.body) } catch {
        throw StudioProblem("not valid JSON: \(error.message)")
      }
    }

    private func change(
      _ request: ServedRequest, _ parameters: JSONValue
    ) async throws -> ServedResponse? {
      switch request.path {
      case "/api/batch":
        return Self.json(["names": try project.received(parameters["batch"]?.text)])
      case "/api/add": return Self.json(try await project.add(parameters))
      case "/api/change": try await project.change(parameters)
      case "/api/map/remove": try await project.removeMap()
      case "/api/fence": try await project.drawFence(parameters)
      case "/api/match": try await project.match(parameters)
      case "/api/job": return Self.json(["job": try await project.start(parameters)])
      case "/api/job/cancel": await project.cancel()
      case "/api/phone/stop": await project.stopPhone()
      default: return nil
      }
      return Self.json(["revision": await project.revision])
    }
  }
#endif
