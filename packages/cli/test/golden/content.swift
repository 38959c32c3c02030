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

/// An event as it is reported: its type and its properties.
public struct TrackedEvent {
  public let type: String
  public let properties: [String: Any]
}

public enum Events {
  /// 1st
  public static func n1st(n2nd: Bool, aB: String? = nil, aB2: String? = nil) -> TrackedEvent {
    var tracked: [String: Any] = [:]
    tracked["2nd"] = n2nd
    if let aB = aB { tracked["a-b"] = aB }
    if let aB2 = aB2 { tracked["a_b"] = aB2 }
    return TrackedEvent(type: "1st", properties: tracked)
  }
  /// class
  public static func class_(class_: String? = nil, it: String? = nil, tracked_: String? = nil) -> TrackedEvent {
    var tracked: [String: Any] = [:]
    if let class_ = class_ { tracked["class"] = class_ }
    if let it = it { tracked["it"] = it }
    if let tracked_ = tracked_ { tracked["tracked"] = tracked_ }
    return TrackedEvent(type: "class", properties: tracked)
  }
  /// order completed
  public static func orderCompleted() -> TrackedEvent {
    let tracked: [String: Any] = [:]
    return TrackedEvent(type: "order completed", properties: tracked)
  }
  public enum OrderCompletedStateChoice: String {
    case paid = "paid"
    case default_ = "default"
    case inReview = "in-review"
    case quotedX = "\"quoted\" $x"
  }
  /// An order was paid * /
  public static func orderCompleted2(items: Int, total: Double, cart: [String: Any]? = nil, codes: [Any]? = nil, gift: Bool? = nil, placedAt: String? = nil, state: OrderCompletedStateChoice? = nil, step: Int? = nil) -> TrackedEvent {
    var tracked: [String: Any] = [:]
    tracked["items"] = items
    tracked["total"] = total
    if let cart = cart { tracked["cart"] = cart }
    if let codes = codes { tracked["codes"] = codes }
    if let gift = gift { tracked["gift"] = gift }
    if let placedAt = placedAt { tracked["placedAt"] = placedAt }
    if let state = state { tracked["state"] = state.rawValue }
    if let step = step { tracked["step"] = step }
    return TrackedEvent(type: "order_completed", properties: tracked)
  }
  /// سلة
  public static func سلة(السعر: Double) -> TrackedEvent {
    var tracked: [String: Any] = [:]
    tracked["السعر"] = السعر
    return TrackedEvent(type: "سلة", properties: tracked)
  }
}
