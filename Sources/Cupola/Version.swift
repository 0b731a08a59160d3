/// The version of the toolkit, as in the change log.
package let cupolaVersion = "0.1.0"
