// Written by `contentflow types`. Do not change it: run that again.
@file:Suppress("UNCHECKED_CAST", "UNUSED_VARIABLE", "unused")

package com.example.content

/** A text and what it is filled with. */
data class LocalizedText(val key: String, val values: Map<String, Any> = emptyMap())

/** Block types. Each is made of the `values` that are delivered. */
object Blocks {
    /** Hero * / of the page */
    class Hero(val values: Map<String, Any?>) {
        companion object { const val KEY = "hero" }
        /** #title_main */
        val titleMain: String? get() = values["#title_main"] as? String
        /** #title-main */
        val titleMain2: String? get() = values["#title-main"] as? String
        /** #size */
        val size: SizeChoice? get() = SizeChoice.values().firstOrNull { it.wire == values["#size"] }
        enum class SizeChoice(val wire: String) {
            Small("small"),
            ExtraBig("extra-big"),
            Default("default"),
            QuotedX("\"quoted\" \$x"),
        }
        /** #level */
        val level: Any? get() = values["#level"]
        /** #items */
        val items: List<ItemsItem> get() = (values["#items"] as? List<*>).orEmpty().mapNotNull { ItemsItem.of(it) }
        sealed class ItemsItem {
            class Hero(val block: Blocks.Hero) : ItemsItem()
            class Product(val block: Blocks.Product) : ItemsItem()
            companion object {
                fun of(block: Any?): ItemsItem? {
                    val found = block as? Map<String, Any?> ?: return null
                    val values = found["values"] as? Map<String, Any?> ?: return null
                    return when (found["key"]) {
                        "hero" -> Hero(Blocks.Hero(values))
                        "product" -> Product(Blocks.Product(values))
                        else -> null
                    }
                }
            }
        }
        /** #class */
        val class_: Boolean? get() = values["#class"] as? Boolean
        /** #السعر */
        val السعر: Double? get() = (values["#السعر"] as? Number)?.toDouble()
        /** #values */
        val values_: String? get() = values["#values"] as? String
        /** #2nd */
        val n2nd: String? get() = values["#2nd"] as? String
        /** #new */
        val new: Any? get() = values["#new"]
        /** #nothing */
        val nothing: List<NothingItem> get() = (values["#nothing"] as? List<*>).orEmpty().mapNotNull { NothingItem.of(it) }
        sealed class NothingItem {
            companion object {
                fun of(block: Any?): NothingItem? {
                    val found = block as? Map<String, Any?> ?: return null
                    val values = found["values"] as? Map<String, Any?> ?: return null
                    return when (found["key"]) {
                        else -> null
                    }
                }
            }
        }
    }
    /** Product */
    class Product(val values: Map<String, Any?>) {
        companion object { const val KEY = "product" }
        /** #price */
        val price: Double? get() = (values["#price"] as? Number)?.toDouble()
    }
    /** A word of languages */
    class String_(val values: Map<String, Any?>) {
        companion object { const val KEY = "string" }
    }
}

object Texts {
    /** Nothing to be called by */
    val name = LocalizedText("---")
    /** First */
    val n1st = LocalizedText("1st")
    /** Prototype */
    val proto = LocalizedText("__proto__")
    /** Items */
    val cartItems = LocalizedText("cart-items")
    /** {count, plural, one {# item} other {# items}} for {name} */
    fun cartItems2(count: Number, name: Any) = LocalizedText("cart.items", mapOf("count" to count, "name" to name))
    /** Class * / and / * comment */
    val class_ = LocalizedText("class")
    /** if (a) { b */
    val code = LocalizedText("code")
    /** Due {when, date, short} for {{who}} as {kind, select, a {A} other {B}}, {class} */
    fun due(when_: java.util.Date, kind: String, class_: Any, who: Any) = LocalizedText("due", mapOf("when" to when_, "kind" to kind, "class" to class_, "who" to who))
    /** It’s ${odd} */
    fun quoteAndDollar(odd: Any) = LocalizedText("quote\"and\$dollar\\", mapOf("odd" to odd))
    /** Cart */
    val سلةعنوان = LocalizedText("سلة.عنوان")
}

/** An event as it is reported: its type and its properties. */
data class TrackedEvent(val type: String, val properties: Map<String, Any> = emptyMap())

object Events {
    /** 1st */
    fun n1st(n2nd: Boolean, aB: String? = null, aB2: String? = null) = TrackedEvent("1st", listOfNotNull<Pair<String, Any>>("2nd" to n2nd, aB?.let { "a-b" to it }, aB2?.let { "a_b" to it }).toMap())
    /** class */
    fun class_(class_: String? = null, it_: String? = null, tracked: String? = null) = TrackedEvent("class", listOfNotNull<Pair<String, Any>>(class_?.let { "class" to it }, it_?.let { "it" to it }, tracked?.let { "tracked" to it }).toMap())
    /** order completed */
    fun orderCompleted() = TrackedEvent("order completed")
    enum class OrderCompletedStateChoice(val wire: String) {
        Paid("paid"),
        Default("default"),
        InReview("in-review"),
        QuotedX("\"quoted\" \$x"),
    }
    /** An order was paid * / */
    fun orderCompleted2(items: Long, total: Number, cart: Map<String, Any?>? = null, codes: List<Any?>? = null, gift: Boolean? = null, placedAt: String? = null, state: OrderCompletedStateChoice? = null, step: Long? = null) = TrackedEvent("order_completed", listOfNotNull<Pair<String, Any>>("items" to items, "total" to total, cart?.let { "cart" to it }, codes?.let { "codes" to it }, gift?.let { "gift" to it }, placedAt?.let { "placedAt" to it }, state?.let { "state" to it.wire }, step?.let { "step" to it }).toMap())
    /** سلة */
    fun سلة(السعر: Number) = TrackedEvent("سلة", listOfNotNull<Pair<String, Any>>("السعر" to السعر).toMap())
}
