import Cupola
import CupolaTestSupport
import Foundation
import Testing

/// Commands with few files, little memory or small stacks answer or fail without a trap.
@Suite("cupola with system limits")
struct SystemLimitsTests {
  private let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    for (name, bytes) in try await Self.inputs.value { try folder.write(Array(bytes), to: name) }
  }

  private static let inputs = Task {
    let folder = try TemporaryFolder()
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    for kind in [TinyCampus.Kind.arch, .barn] {
      for number in 1...4 {
        try folder.write(
          try TinyCampus.jpeg(kind, seed: UInt64(number)), to: "photos/\(kind.label)/\(number).jpg")
      }
    }
    let made = try Tool.run(
      ["guide", "build", sample("campus.geojson"), sample("paths.geojson"), "-o", "campus.guide"],
      in: folder)
    expectSuccess(made)
    return try folder.contents()
  }

  private static func sample(_ name: String) -> String {
    Repository.root.appending(path: "TrainingData/\(name)").path
  }

  static let commands: [[String]] = [
    ["classify", "m.safetensors", "photos/arch/1.jpg"], ["evaluate", "m.safetensors", "photos"],
    ["train", "photos", "-o", "new.safetensors", "--features", "hog"], ["check", "photos"],
    ["watch", "m.safetensors", "photos/arch"],
    ["explain", "m.safetensors", "photos/arch/1.jpg", "-o", "why.jpg"],
    ["guide", "poi", "campus.guide", "café"], ["guide", "check", Self.sample("campus.geojson")],
    ["journal", "add", "visit", "--text", "hello"], ["journal", "list", "visit"],
    ["campus", "check", Self.sample("campus.geojson")], ["model", "m.safetensors"],
  ]

  /// Runs a command after setting a limit in a shell.
  private func run(_ limit: String, _ command: [String]) throws -> Tool.Output {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    let tool = try Tool.executable().path
    process.arguments = ["-c", "ulimit \(limit) && exec \"$@\"", "sh", tool] + command
    process.currentDirectoryURL = URL(filePath: folder.path)
    var environment = ProcessInfo.processInfo.environment
    environment["HOME"] = nil
    environment["XDG_CACHE_HOME"] = nil
    environment["SWIFT_BACKTRACE"] = "enable=no"
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    return try Tool.output(of: process)
  }

  @Test(
    "Commands work or fail cleanly with few open files",
    arguments: Verification.isFull ? [8, 9, 10, 12, 16, 20] : [8, 12], commands)
  func files(count: Int, command: [String]) throws {
    let output = try run("-n \(count)", command)
    #expect(!output.wasKilled, "signal \(output.status): \(output.stderr)")
    #expect(output.status < 128)
    if output.status != 0 { #expect(!(output.stderr + output.stdout).isEmpty) }
  }

  @Test("Too few open files are reported")
  func fewestFiles() throws {
    let output = try run("-n 5", ["classify", "m.safetensors", "photos/arch/1.jpg"])
    expectFailure(output, 74, "the limit for open files is too low")
  }

  #if os(Linux)
    @Test("Too little memory is reported", arguments: commands)
    func memory(command: [String]) throws {
      let output = try run("-v 160000", command)
      expectFailure(output, 74, "MB of address space is available", "ulimit -v")
    }

    @Test("Memory that is too small for training suffices for answers")
    func someMemory() throws {
      for command in Self.commands where ["evaluate", "train", "check"].contains(command[0]) {
        let options = ["--threads", "2"] + (command[0] == "train" ? ["--quiet"] : [])
        let output = try run("-v 550000", command + options)
        expectFailure(output, 74, "MB of address space is available")
      }
      for command in Self.commands where ["classify", "watch", "explain"].contains(command[0]) {
        let output = try run(
          "-v 700000", command + (command[0] == "classify" ? ["--threads", "1"] : []))
        #expect(output.status == 0, "\(command): \(output.stderr)")
      }
      for command in Self.commands.dropFirst(6) {
        let output = try run("-v 1000000", command)
        #expect(!output.wasKilled && output.status <= 74, "\(command): \(output.stderr)")
      }
    }
  #endif

  @Test("Stacks that are too small are reported", arguments: [128, 256, 511])
  func smallestStacks(kilobytes: Int) throws {
    let output = try run("-s \(kilobytes)", ["campus", "check", Self.sample("campus.geojson")])
    expectFailure(output, 74, "the stack limit is below 512 kB", "ulimit -s")
  }

  @Test(
    "Commands work with small stacks", arguments: Verification.isFull ? [512, 1024] : [512],
    commands)
  func stacks(kilobytes: Int, command: [String]) throws {
    let output = try run("-s \(kilobytes)", command)
    #expect(!output.wasKilled, "signal \(output.status): \(output.stderr)")
    #expect(output.status <= 66, "\(output.stderr)")
  }

  @Test("Deeply nested text is rejected with small stacks")
  func nested() throws {
    let deep = String(repeating: "[", count: 120) + String(repeating: "]", count: 120)
    let map = #"{"type":"FeatureCollection","features":[],"x":\#(deep)}"#
    try folder.write(map, to: "deep.geojson")
    let output = try run("-s 512", ["campus", "check", "deep.geojson"])
    #expect(!output.wasKilled && output.status == 65, "\(output.stderr)")
    var file = try SafeTensors(bytes: try folder.bytes("m.safetensors"))
    file.metadata["recipe"] = String(repeating: #"{"a":"#, count: 100_000)
    try folder.write(try ModelSeal.bytes(of: file), to: "deep.safetensors")
    expectFailure(
      try run("-s 512", ["model", "deep.safetensors"]), 65, "invalid metadata entry recipe")
    for depth in [100, 500, 100_000] {
      let header = Array(String(repeating: #"{"a":"#, count: depth).utf8)
      let size = (0..<8).map { UInt8(truncatingIfNeeded: header.count >> (8 * $0)) }
      try folder.write(size + header, to: "deep.safetensors")
      expectFailure(try run("-s 512", ["model", "deep.safetensors"]), 65, "damaged header")
    }
  }
}
