/// The version of the toolkit, as in the changelog.
package let cupolaVersion = "0.1.0"
