// What docs/app/android.md takes from Android, as far as it does: signatures to compile with, which do nothing.
@file:Suppress("UNUSED_PARAMETER")

package org.json

class JSONObject(text: String = "{}") {
    fun getJSONObject(name: String): JSONObject = TODO()
    fun optJSONObject(name: String): JSONObject? = TODO()
    fun getJSONArray(name: String): JSONArray = TODO()
    fun getString(name: String): String = TODO()
    fun optString(name: String, fallback: String): String = TODO()
    fun put(name: String, value: Any?): JSONObject = TODO()
    fun put(name: String, value: Boolean): JSONObject = TODO()
}

class JSONArray(text: String = "[]") {
    fun length(): Int = TODO()
    fun getJSONObject(index: Int): JSONObject = TODO()
    fun put(value: Any?): JSONArray = TODO()
}
