/// The version of the toolkit, as in the change log.
public let cupolaVersion = "0.1.0"
