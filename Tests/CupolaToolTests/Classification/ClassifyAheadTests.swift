import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaTool

/// What `cupola classify` reads while its arguments are not understood yet.
@Suite("cupola classify: what is read ahead")
struct ClassifyAheadTests {
  private let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    try folder.write(try TinyCampus.jpeg(.arch, seed: 90), to: "arch.jpg")
    try folder.write(Array(try TinyCampus.jpeg(.cone, seed: 90).dropLast(600)), to: "cut.jpg")
    try folder.write(try TinyCampus.jpeg(.barn, seed: 90), to: "visit/barn.jpg")
  }

  private func shell(_ line: String) throws -> Tool.Output {
    let process = try Tool.process([], in: folder)
    let tool = try #require(process.executableURL).path
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", line, "bash", tool]
    return try Tool.output(of: process)
  }

  @Test(
    "Only the first words of classify are taken for a model and a photo",
    arguments: [
      (["cupola"], false, false), (["cupola", "classify"], false, false),
      (["cupola", "classify", "--json", "m", "p"], false, false),
      (["cupola", "explain", "m", "p"], false, false), (["cupola", "classify", "m"], true, false),
      (["cupola", "classify", "m", "p"], true, true),
      (["cupola", "classify", "m", "p", "--lenient", "q"], true, true),
      (["cupola", "classify", "m", "-"], true, false),
      (["cupola", "classify", "m", "/"], true, false),
      (["cupola", "classify", "m", "--top", "2", "p"], true, false),
      (["cupola", "classify", "m", "p", "--threads=1"], true, false),
      (["cupola", "classify", "m", "p", "--threads", "1"], true, false),
    ])
  func words(_ words: [String], model: Bool, photo: Bool) {
    let ahead = ClassifyAhead(words)
    #expect((ahead != nil) == model)
    #expect((ahead?.photo != nil) == photo)
  }

  @Test(
    "Words of one photo are told from those of many",
    arguments: [
      (["cupola", "classify", "m"], false), (["cupola", "classify", "m", "p"], true),
      (["cupola", "classify", "m", "p", "-q", "--json"], true),
      (["cupola", "classify", "m", "p", "q"], false), (["cupola", "classify", "m", "-"], false),
      (["cupola", "classify", "m", "p", "--list", "q"], false),
      (["cupola", "classify", "m", "p", "--list=q"], false),
      (["cupola", "classify", "m", "/"], false), (["cupola", "explain", "m", "p"], false),
    ])
  func onePhoto(_ words: [String], isOne: Bool) {
    #expect(ClassifyAhead.answersOnce(words) == isOne)
  }

  @Test("Pipes, which cannot be read twice, are refused as ever")
  func pipes() throws {
    expectFailure(try shell("\"$1\" classify <(cat m.safetensors 2>&-) arch.jpg"), 66, "not a file")
    expectFailure(try shell("\"$1\" classify m.safetensors <(cat arch.jpg 2>&-)"), 66, "not a file")
  }

  @Test("Answers are those without it, whatever the photo and the options are")
  func same() throws {
    for photo in ["arch.jpg", "visit", "visit/barn.jpg", "cut.jpg", "none.jpg", "m.safetensors"] {
      for options in [[], ["--lenient"], ["--no-place"], ["--at", "48.0049,10.01"]] {
        let ahead = try Tool.run(
          ["classify", "m.safetensors", photo, "-q"] + options, in: folder)
        let later = try Tool.run(
          ["classify", "-q"] + options + ["m.safetensors", photo], in: folder)
        #expect(ahead.stdout == later.stdout)
        #expect(ahead.stderr == later.stderr)
        #expect(ahead.status == later.status)
      }
    }
  }

  @Test("Behind -- there are photos only, whatever they are called")
  func photosOnly() throws {
    let arguments = ["classify", "m.safetensors", "cut.jpg", "--", "--lenient"]
    let output = try Tool.run(arguments, in: folder)
    #expect(output.status == 65 && output.stdout.isEmpty)
    #expect(output.messages.map { $0.contains("cut.jpg: ") } == [true, false])
  }

  @Test("A bad model is told as ever, with its photo being decoded")
  func badModel() throws {
    try folder.write("nothing", to: "bad.safetensors")
    expectFailure(
      try Tool.run(["classify", "bad.safetensors", "arch.jpg"], in: folder), 65, "bad.safetensors")
    expectFailure(
      try Tool.run(["classify", "none.safetensors", "arch.jpg"], in: folder), 66,
      "none.safetensors")
  }

  #if os(Linux)
    @Test(
      "Where OpenBLAS cannot be loaded, commands that need it say so",
      arguments: [
        ["train", "visit", "-o", "new.safetensors"],
        ["evaluate", "m.safetensors", "visit"], ["features", "visit", "-o", "features"],
      ])
    func withoutLibrary(command: [String]) throws {
      try folder.write("no library", to: "broken/libopenblas.so.0")
      let environment = ["LD_LIBRARY_PATH": folder.path + "/broken"]
      expectFailure(
        try Tool.run(command, in: folder, environment: environment), 74,
        "OpenBLAS cannot be loaded", "apt-get install libopenblas0")
    }

    private static let model =
      Repository.root.appending(path: "Models/sample-campus.safetensors").path

    /// With the features of which most are products, and those that have none.
    @Test(
      "Without OpenBLAS photos are classified and explained",
      arguments: [
        ["classify", model, "arch.jpg"], ["classify", "m.safetensors", "arch.jpg"],
        ["explain", model, "arch.jpg", "-o", "why.jpg"],
        ["explain", "m.safetensors", "arch.jpg", "-o", "why.jpg"], ["watch", model, "visit"],
        ["export", model, "--format", "c", "-o", "export"], ["campus", "--help"],
      ])
    func withoutLibrary(answers: [String]) throws {
      try folder.write("no library", to: "broken/libopenblas.so.0")
      let environment = ["LD_LIBRARY_PATH": folder.path + "/broken"]
      expectSuccess(try Tool.run(answers, in: folder, environment: environment))
    }
  #endif
}
