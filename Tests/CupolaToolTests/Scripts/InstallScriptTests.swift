import CupolaTestSupport
import Foundation
import Testing

@Suite("Scripts/install") struct InstallScriptTests {
  private static func clone() throws -> ScriptFolder {
    let clone = try ScriptFolder(scripts: [
      "Scripts/install", "Scripts/manual", "Scripts/requirements.sh",
    ])
    try clone.program("#!/bin/sh\necho 0.0.0\n", "a clone/programs/cupola")
    let page = #"for last; do :; done; echo page >"$last/cupola.1""#
    try clone.program("#!/bin/sh\n\(page)\n", "a clone/programs/generate-manual")
    return clone
  }

  @Test("It puts everything into a folder with blanks, from another one, and leaves nothing else")
  func prefix() throws {
    let clone = try Self.clone()
    // Of a command that an older version had.
    try clone.folder.touch("the place/share/man/man1/cupola.gone.1")
    let output = try clone.run("Scripts/install", ["--with-all-formats", "--prefix", "the place"])
    #expect(output.status == 0, "\(output.stderr)")
    let place = clone.folder.path("the place")
    let files = try FileManager.default.subpathsOfDirectory(atPath: place).filter {
      $0.contains("cupola")
    }
    #expect(
      files.sorted() == [
        "bin/cupola", "share/bash-completion/completions/cupola",
        "share/fish/vendor_completions.d/cupola.fish", "share/man/man1/cupola.1",
        "share/zsh/site-functions/_cupola",
      ])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: clone.folder.path("a clone/programs"))
        .count == 2)
    #expect(clone.hashing == ["1"])
  }

  @Test("No folder, as of a variable that is not set, is refused")
  func noPrefix() throws {
    let clone = try Self.clone()
    #expect(try clone.run("Scripts/install", ["--prefix="]).status == 64)
    #expect(clone.hashing.isEmpty)
  }
}
