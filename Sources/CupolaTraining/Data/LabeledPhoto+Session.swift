extension LabeledPhoto {
  /// The shooting session that somebody named.
  ///
  /// Groups that `cupola split` numbered keep photos together that show nearly the same: of days they
  /// say nothing.
  var namedSession: String? { group.flatMap { SplitTable.isNumbered($0) ? nil : $0 } }
}
