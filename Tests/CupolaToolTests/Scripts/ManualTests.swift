import CupolaTestSupport
import Foundation
import Testing

@Suite("Manual pages") struct ManualTests {
  private static let script = Repository.root.appending(path: "Scripts/manual")

  /// A shell script in a folder.
  private static func program(_ text: String, _ name: String, in folder: TemporaryFolder) throws
    -> String
  {
    let path = try folder.write("#!/bin/sh\n\(text)\n", to: name)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  /// Runs the script with a generator that treats characters as swift-argument-parser's does.
  private static func run(_ help: String, in folder: TemporaryFolder) throws -> Tool.Output {
    let generator = #"""
      "$1" --experimental-dump-help >"$4.json" || exit 1
      LC_ALL=C tr -d '\200-\377' <"$4.json" | sed 's/\\/\\e/g' >"$4/cupola.1"
      """#
    try FileManager.default.createDirectory(
      atPath: folder.path("the pages"), withIntermediateDirectories: true)
    let process = Process()
    process.executableURL = script
    process.arguments = [
      try program(help, "a command", in: folder), try program(generator, "generator", in: folder),
      folder.path("the pages"),
    ]
    return try Tool.output(of: process)
  }

  @Test("Letters that are not ASCII are in them, by groff's names")
  func letters() throws {
    let folder = try TemporaryFolder()
    let output = try Self.run(
      #"[ "$1" = --experimental-dump-help ] && printf '%s\n' '\ to café 🎓'"#, in: folder)
    #expect(output.status == 0, "\(output.stderr)")
    let page = String(decoding: try folder.bytes("the pages/cupola.1"), as: UTF8.self)
    #expect(page == #"\e to caf\[u00E9] \[u1F393]"# + "\n")
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path("the pages"))
    #expect(pages == ["cupola.1"])
  }

  @Test("A command that fails has none")
  func failing() throws {
    let folder = try TemporaryFolder()
    #expect(try Self.run("echo café; exit 3", in: folder).status != 0)
  }
}
