// The part of org.json that the guide uses, for well-formed text only.
package org.json

class JSONObject internal constructor(private val members: Map<String, Any?>) {
  constructor(text: String) : this(objectIn(text))

  fun has(name: String) = name in members
  fun getString(name: String) = members.getValue(name) as String
  fun optString(name: String) = members[name]?.toString() ?: ""
  fun getDouble(name: String) = (members.getValue(name) as Number).toDouble()
  fun getBoolean(name: String) = members.getValue(name) as Boolean
  fun isNull(name: String) = members[name] == null
  fun getInt(name: String) = (members.getValue(name) as Number).toInt()
  fun getJSONObject(name: String) = members.getValue(name) as JSONObject
  fun getJSONArray(name: String) = members.getValue(name) as JSONArray
}

class JSONArray internal constructor(private val elements: List<Any?>) {
  fun length() = elements.size
  fun getDouble(index: Int) = (elements[index] as Number).toDouble()
  fun getString(index: Int) = elements[index] as String
  fun getJSONArray(index: Int) = elements[index] as JSONArray
  fun getJSONObject(index: Int) = elements[index] as JSONObject
}

private fun objectIn(text: String): Map<String, Any?> = Reader(text).members()

private class Reader(private val text: String) {
  private var at = 0

  private fun next(): Char {
    while (text[at].isWhitespace()) at++
    return text[at]
  }

  private fun accepts(character: Char) = (next() == character).also { if (it) at++ }

  private fun <T> list(open: Char, close: Char, element: () -> T): List<T> {
    val elements = mutableListOf<T>()
    require(accepts(open))
    while (!accepts(close)) {
      if (elements.isNotEmpty()) require(accepts(','))
      elements.add(element())
    }
    return elements
  }

  fun members(): Map<String, Any?> =
    list('{', '}') {
      val name = string()
      require(accepts(':'))
      name to value()
    }.toMap()

  private fun value(): Any? =
    when (next()) {
      '{' -> JSONObject(members())
      '[' -> JSONArray(list('[', ']') { value() })
      '"' -> string()
      else -> {
        val word = text.drop(at).takeWhile { it.isLetterOrDigit() || it in "+-." }
        at += word.length
        when (word) {
          "null" -> null
          "true", "false" -> word == "true"
          else -> word.toDouble()
        }
      }
    }

  private fun string(): String {
    require(accepts('"'))
    val found = StringBuilder()
    while (text[at] != '"') {
      var character = text[at++]
      if (character == '\\') {
        character = text[at++]
        if (character == 'u') {
          character = text.substring(at, at + 4).toInt(16).toChar()
          at += 4
        } else character = mapOf('n' to '\n', 't' to '\t', 'r' to '\r', 'b' to '\b')[character] ?: character
      }
      found.append(character)
    }
    at++
    return found.toString()
  }
}
