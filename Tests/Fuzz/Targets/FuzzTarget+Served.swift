#if Serve
  import CupolaCampus
  import Foundation
  import FlyingFox

  @testable import Cupola
  @testable import CupolaGuide
  @testable import CupolaServe
#endif

/// What pages and apps send to `cupola serve`.
extension FuzzTarget {
  #if Serve
    static let served: [FuzzTarget] = [
      FuzzTarget("live-message") { bytes in _ = LiveMessage(bytes) },
      FuzzTarget("request") { bytes in
        guard let server, let request = request(bytes) else { return }
        _ = FuzzTask.result {
          let response = await server.answer(request)
          // A page that opens its socket has no body that ends.
          if response.statusCode != .switchingProtocols { _ = try? await response.bodyData }
          _ = PasskeyDesk.origin(of: request)
        }
      },
      FuzzTarget("frame") { bytes in
        let folder = FuzzFolder()
        defer { folder.remove() }
        let socket = LiveSocket(
          recognizer: Recognizer(model: try FuzzModel.model()),
          collector: FrameCollector(folder: folder.path), places: LiveSocket.Places(1))
        let answers = FuzzTask.result {
          let page = AsyncThrowingStream<WSFrame, any Error> { page in
            for frame in frames(bytes) { page.yield(frame) }
            page.finish()
          }
          return try await socket.makeFrames(for: page).reduce(into: []) { $0.append($1) }
        }
        guard let answers else { throw FuzzFailure("the socket is not opened") }
        for answer in answers {
          try FuzzFailure.unless(
            answer.opcode == .text
              ? (try? JSONReader.value(of: Array(answer.payload))) != nil
              : answer.payload.count <= 125, "\(answer.opcode) of \(answer.payload.count) bytes")
        }
      },
    ]

    /// As RFC 6455 has them but for masks, which FlyingFox's decoder takes away: nobody else can call that. A length
    /// of 127 stands for all the rest.
    private static func frames(_ bytes: [UInt8]) -> [WSFrame] {
      var rest = bytes[...]
      var frames: [WSFrame] = []
      while let head = rest.popFirst(), let length = rest.popFirst() {
        var count = Int(length & 0x7F)
        if count == 127 { count = rest.count }
        if count == 126, let high = rest.popFirst(), let low = rest.popFirst() {
          count = Int(high) << 8 | Int(low)
        }
        frames.append(
          WSFrame(
            fin: head & 0x80 != 0, rsv1: head & 0x40 != 0, rsv2: head & 0x20 != 0,
            rsv3: head & 0x10 != 0, opcode: WSFrame.Opcode(head & 0x0F), mask: nil,
            payload: Data(rest.prefix(count))))
        rest = rest.dropFirst(count)
      }
      return frames
    }

    /// Method and target, then a header a line, then a body, as HTTP/1.1 has them.
    private static func request(_ bytes: [UInt8]) -> HTTPRequest? {
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let head = lines.prefix { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
      let start = (head.first ?? "").split(separator: " ").map(String.init)
      guard start.count == 2 else { return nil }
      let target = start[1].split(separator: "?", maxSplits: 1).map(String.init)
      let query = target.dropFirst().first?.split(separator: "&").map { pair in
        let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
        return HTTPRequest.QueryItem(name: parts.first ?? "", value: parts.dropFirst().first ?? "")
      }
      var headers: [HTTPHeader: String] = [:]
      for line in head.dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { continue }
        headers[HTTPHeader(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces)
      }
      let body = lines.dropFirst(head.count + 1).joined(separator: [UInt8(ascii: "\n")])
      return HTTPRequest(
        method: HTTPMethod(start[0]), version: .http11, path: target.first ?? "/",
        query: query ?? [], headers: headers, body: Data(body))
    }

    /// With a guide, a tour that a passkey opens, and the token `t`.
    private static let server: LiveServer? = {
      let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
      let model = root.appending(path: "Models/sample-campus.safetensors").path
      let folder = FuzzFolder("served")
      guard let model = try? Model(contentsOf: model),
        (try? folder.fill(["tour.json": tour, "keys.json": keys])) != nil
      else { return nil }
      _ = try? GuideBundle.write(
        parts: ["a.bin": [1, 2, 3, 4]], name: "Campus", to: folder.path + "/campus.guide")
      var options = LiveServer.Options()
      options.token = "t"
      options.guide = try? ServedGuide(folder: folder.path + "/campus.guide")
      options.tours = try? ServedTours(
        tours: [folder.path + "/tour.json"], keys: [folder.path + "/keys.json"])
      return LiveServer(Recognizer(model: model), options)
    }()

    private static let tour = Array(
      """
      {"format": "cupola.tour/1", "id": "walk", "title": {"en": "Walk"}, "languages": ["en"],
       "passkey": true, "order": "free", "stops": [
         {"id": "a", "title": {"en": "A"}, "latitude": 48.3, "longitude": 10.9, "radius": 20}]}
      """.utf8)

    /// Few iterations: how long a derivation takes is not what is tried here.
    private static let keys: [UInt8] = {
      var generator = Numbers()
      return PasskeySet.make(count: 2, tour: "walk", expiry: nil, 1, using: &generator).set.json
    }()

    private struct Numbers: RandomNumberGenerator {
      var last: UInt64 = 0

      mutating func next() -> UInt64 {
        last = last &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return last
      }
    }
  #else
    static let served: [FuzzTarget] = []
  #endif
}
