import ArgumentParser

/// What a table of photos may list.
struct TableOptions: ParsableArguments {
  @Flag(help: "Accept a split.csv that lists photos outside of its folder.")
  var allowOutside = false
}
