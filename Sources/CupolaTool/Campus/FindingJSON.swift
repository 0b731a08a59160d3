/// Something that a check of a map or a tour found, as JSON has it.
struct FindingJSON: Encodable {
  let kind: String
  /// `fault` or `advice`.
  let severity: String
  /// What it is about, where that is not only in the message.
  let subject: String?
  let message: String

  init(kind: String, isAdvice: Bool, subject: String? = nil, message: String) {
    (self.kind, self.subject, self.message) = (kind, subject, message)
    severity = isAdvice ? "advice" : "fault"
  }
}
