import ArgumentParser

/// `cupola journal`: what a visitor keeps.
struct JournalCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal",
    abstract:
      "Keeps, merges and exports what visitors note: favorites, places seen, notes, questions.",
    discussion: """
      A journal is a folder with a file a device, to which lines are only added, and photos and voice files; see \
      Documentation/Journal.md.

      EXAMPLES
        cupola journal add visit --title "The stairs" --text "worn round" \\
          --rating 4 --photo stairs.jpg
        cupola journal list visit --text stairs
        cupola journal merge visit phone-backup
        cupola journal export visit -o pages --guide campus.guide
        cupola journal photos visit -o photos
      """,
    subcommands: [
      JournalAdd.self, JournalList.self, JournalDelete.self, JournalConfirm.self,
      JournalMergeCommand.self, JournalExport.self, JournalImportCommand.self, JournalPhotos.self,
      JournalCheck.self,
    ])
}
