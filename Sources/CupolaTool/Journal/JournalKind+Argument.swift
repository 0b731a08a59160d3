public import ArgumentParser
public import CupolaGuide

/// Kinds of entries are named on the command line as in a journal's file.
extension JournalKind: ExpressibleByArgument {}
