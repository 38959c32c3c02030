// As stand-ins.kt.
package android.content

interface SharedPreferences {
    fun getString(name: String, fallback: String?): String?
    fun edit(): Editor

    interface Editor {
        fun putString(name: String, value: String?): Editor
        fun apply()
    }
}
