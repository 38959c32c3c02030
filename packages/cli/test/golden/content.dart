// Written by `contentflow types`. Do not change it: run that again.

/// A text and what it is filled with.
class LocalizedText {
  const LocalizedText(this.key, [this.values = const {}]);
  final String key;
  final Map<String, Object> values;
}

/// A block: what is delivered for it.
class Block {
  const Block(this.delivered);
  final Map<String, Object?> delivered;
}

enum HeroSizeChoice {
  small('small'),
  extraBig('extra-big'),
  default_('default'),
  quotedX('"quoted" \$x');

  const HeroSizeChoice(this.wire);
  final String wire;
}

/// Hero * / of the page
class Hero extends Block {
  const Hero(super.delivered);
  static const blockKey = 'hero';
  /// #title_main
  String? get titleMain => switch (delivered['#title_main']) { String value => value, _ => null };
  /// #title-main
  String? get titleMain2 => switch (delivered['#title-main']) { String value => value, _ => null };
  /// #size
  HeroSizeChoice? get size => HeroSizeChoice.values.where((one) => one.wire == delivered['#size']).firstOrNull;
  /// #level
  Object? get level => delivered['#level'];
  /// #items
  List<Block> get items => [
        if (delivered['#items'] case final List<Object?> items)
          for (final item in items)
            if (item case {'key': final String key, 'values': final Map<String, Object?> values})
              if (key == 'hero') Hero(values)
              else if (key == 'product') Product(values)
      ];
  /// #class
  bool? get class_ => switch (delivered['#class']) { bool value => value, _ => null };
  /// #السعر
  num? get u0627u0644u0633u0639u0631 => switch (delivered['#السعر']) { num value => value, _ => null };
  /// #values
  String? get values => switch (delivered['#values']) { String value => value, _ => null };
  /// #2nd
  String? get n2nd => switch (delivered['#2nd']) { String value => value, _ => null };
  /// #new
  Object? get new_ => delivered['#new'];
  /// #nothing
  List<Block> get nothing => const [];
}

/// Product
class Product extends Block {
  const Product(super.delivered);
  static const blockKey = 'product';
  /// #price
  num? get price => switch (delivered['#price']) { num value => value, _ => null };
}

/// A word of languages
class String_ extends Block {
  const String_(super.delivered);
  static const blockKey = 'string';
}

abstract final class Texts {
  /// Nothing to be called by
  static const name = LocalizedText('---');
  /// First
  static const n1st = LocalizedText('1st');
  /// Prototype
  static const proto = LocalizedText('__proto__');
  /// Items
  static const cartItems = LocalizedText('cart-items');
  /// {count, plural, one {# item} other {# items}} for {name}
  static LocalizedText cartItems2({required num count, required Object name}) => LocalizedText('cart.items', {'count': count, 'name': name});
  /// Class * / and / * comment
  static const class_ = LocalizedText('class');
  /// if (a) { b
  static const code = LocalizedText('code');
  /// Due {when, date, short} for {{who}} as {kind, select, a {A} other {B}}, {class}
  static LocalizedText due({required DateTime when_, required String kind, required Object class_, required Object who}) => LocalizedText('due', {'when': when_, 'kind': kind, 'class': class_, 'who': who});
  /// It’s ${odd}
  static LocalizedText quoteAndDollar({required Object odd}) => LocalizedText('quote"and\$dollar\\', {'odd': odd});
  /// Cart
  static const u0633u0644u0629U0639u0646u0648u0627u0646 = LocalizedText('سلة.عنوان');
}

enum OrderCompletedStateChoice {
  paid('paid'),
  default_('default'),
  inReview('in-review'),
  quotedX('"quoted" \$x');

  const OrderCompletedStateChoice(this.wire);
  final String wire;
}

/// An event as it is reported: its type and its properties.
class TrackedEvent {
  const TrackedEvent(this.type, [this.properties = const {}]);
  final String type;
  final Map<String, Object> properties;
}

abstract final class Events {
  /// 1st
  static TrackedEvent n1st({required bool n2nd, String? aB, String? aB2}) => TrackedEvent('1st', {'2nd': n2nd, if (aB != null) 'a-b': aB, if (aB2 != null) 'a_b': aB2});
  /// class
  static TrackedEvent class_({String? class_, String? it, String? tracked}) => TrackedEvent('class', {if (class_ != null) 'class': class_, if (it != null) 'it': it, if (tracked != null) 'tracked': tracked});
  /// order completed
  static TrackedEvent orderCompleted() => const TrackedEvent('order completed');
  /// An order was paid * /
  static TrackedEvent orderCompleted2({required int items, required num total, Map<String, Object?>? cart, List<Object?>? codes, bool? gift, String? placedAt, OrderCompletedStateChoice? state, int? step}) => TrackedEvent('order_completed', {'items': items, 'total': total, if (cart != null) 'cart': cart, if (codes != null) 'codes': codes, if (gift != null) 'gift': gift, if (placedAt != null) 'placedAt': placedAt, if (state != null) 'state': state.wire, if (step != null) 'step': step});
  /// سلة
  static TrackedEvent u0633u0644u0629({required num u0627u0644u0633u0639u0631}) => TrackedEvent('سلة', {'السعر': u0627u0644u0633u0639u0631});
}
