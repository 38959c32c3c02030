// Written by `contentflow types`. Do not change it: run that again.
import Foundation

/// A text and what it is filled with.
public struct LocalizedText {
  public let key: String
  public let values: [String: Any]
}

/// Block types. Each is made of the `values` that are delivered.
public enum Blocks {
  /// Hero * / of the page
  public struct Hero {
    public static let key = "hero"
    public let values: [String: Any]
    public init(_ values: [String: Any]) { self.values = values }
    /// #title_main
    public var titleMain: String? { values["#title_main"] as? String }
    /// #title-main
    public var titleMain2: String? { values["#title-main"] as? String }
    /// #size
    public enum SizeChoice: String {
      case small = "small"
      case extraBig = "extra-big"
      case default_ = "default"
      case quotedX = "\"quoted\" $x"
    }
    public var size: SizeChoice? { (values["#size"] as? String).flatMap(SizeChoice.init(rawValue:)) }
    /// #level
    public var level: Any? { values["#level"] }
    /// #items
    public enum ItemsItem {
      case hero(Blocks.Hero)
      case product(Blocks.Product)
      init?(_ block: [String: Any]) {
        guard let key = block["key"] as? String, let values = block["values"] as? [String: Any] else { return nil }
        switch key {
        case "hero": self = .hero(Blocks.Hero(values))
        case "product": self = .product(Blocks.Product(values))
        default: return nil
        }
      }
    }
    public var items: [ItemsItem] { (values["#items"] as? [[String: Any]] ?? []).compactMap(ItemsItem.init) }
    /// #class
    public var class_: Bool? { values["#class"] as? Bool }
    /// #السعر
    public var السعر: Double? { (values["#السعر"] as? NSNumber)?.doubleValue }
    /// #values
    public var values_: String? { values["#values"] as? String }
    /// #2nd
    public var n2nd: String? { values["#2nd"] as? String }
    /// #new
    public var new: Any? { values["#new"] }
    /// #nothing
    public enum NothingItem {
      init?(_ block: [String: Any]) {
        guard let key = block["key"] as? String, let values = block["values"] as? [String: Any] else { return nil }
        switch key {
        default: return nil
        }
      }
    }
    public var nothing: [NothingItem] { (values["#nothing"] as? [[String: Any]] ?? []).compactMap(NothingItem.init) }
  }
  /// Product
  public struct Product {
    public static let key = "product"
    public let values: [String: Any]
    public init(_ values: [String: Any]) { self.values = values }
    /// #price
    public var price: Double? { (values["#price"] as? NSNumber)?.doubleValue }
  }
  /// A word of languages
  public struct String_ {
    public static let key = "string"
    public let values: [String: Any]
    public init(_ values: [String: Any]) { self.values = values }
  }
}

public enum Texts {
  /// Nothing to be called by
  public static var name: LocalizedText { LocalizedText(key: "---", values: [:]) }
  /// First
  public static var n1st: LocalizedText { LocalizedText(key: "1st", values: [:]) }
  /// Prototype
  public static var proto: LocalizedText { LocalizedText(key: "__proto__", values: [:]) }
  /// Items
  public static var cartItems: LocalizedText { LocalizedText(key: "cart-items", values: [:]) }
  /// {count, plural, one {# item} other {# items}} for {name}
  public static func cartItems2(count: Double, name: CustomStringConvertible) -> LocalizedText { LocalizedText(key: "cart.items", values: ["count": count, "name": name]) }
  /// Class * / and / * comment
  public static var class_: LocalizedText { LocalizedText(key: "class", values: [:]) }
  /// if (a) { b
  public static var code: LocalizedText { LocalizedText(key: "code", values: [:]) }
  /// Due {when, date, short} for {{who}} as {kind, select, a {A} other {B}}, {class}
  public static func due(when: Date, kind: String, class_: CustomStringConvertible, who: CustomStringConvertible) -> LocalizedText { LocalizedText(key: "due", values: ["when": when, "kind": kind, "class": class_, "who": who]) }
  /// It’s ${odd}
  public static func quoteAndDollar(odd: CustomStringConvertible) -> LocalizedText { LocalizedText(key: "quote\"and$dollar\\", values: ["odd": odd]) }
  /// Cart
  public static var سلةعنوان: LocalizedText { LocalizedText(key: "سلة.عنوان", values: [:]) }
}
