/** Block types, texts and events with everything that makes names hard. */
export const BLOCKS = [
  {
    key: 'hero',
    name: 'Hero */ of the page',
    fields: [
      { id: 'a', tag: '#title_main', type: 'text', required: true, label: 'Title' },
      { id: 'b', tag: '#title-main', type: 'textarea' },
      {
        id: 'c',
        tag: '#size',
        type: 'select',
        options: ['small', { value: 'extra-big', label: 'Big' }, 'default', '"quoted" $x'],
        required: true,
      },
      { id: 'd', tag: '#level', type: 'select', options: [1, 2, 'three'] },
      { id: 'e', tag: '#items', type: 'collection', allowedBlockKeys: ['product', 'hero', 'gone'] },
      { id: 'f', tag: '#class', type: 'toggle' },
      { id: 'g', tag: '#السعر', type: 'number' },
      { id: 'h', tag: '#values', type: 'image' },
      { id: 'i', tag: '#2nd', type: 'url' },
      { id: 'j', tag: '#new', type: 'kind_of_tomorrow' },
      { id: 'k', tag: '#nothing', type: 'collection', allowedBlockKeys: ['gone'] },
    ],
  },
  { key: 'product', name: 'Product', fields: [{ id: 'a', tag: '#price', type: 'number', required: true }] },
  { key: 'string', name: 'A word of languages', fields: [] },
]

export const TEXTS = [
  { key: 'cart.items', sourceText: '{count, plural, one {# item} other {# items}} for {name}' },
  { key: 'cart-items', sourceText: 'Items' },
  { key: 'class', sourceText: 'Class\n*/ and /* comment' },
  { key: 'سلة.عنوان', sourceText: 'Cart' },
  { key: '1st', sourceText: 'First' },
  { key: '---', sourceText: 'Nothing to be called by' },
  { key: 'due', sourceText: 'Due {when, date, short} for {{who}} as {kind, select, a {A} other {B}}, {class}' },
  { key: 'code', sourceText: 'if (a) { b' },
  { key: '__proto__', sourceText: 'Prototype' },
  { key: 'quote"and$dollar\\', sourceText: 'It’s ${odd}' },
]

export const EVENTS = [
  {
    name: 'order_completed',
    description: 'An order was paid */',
    owner: 'Checkout',
    properties: {
      total: { kind: 'number', required: true, use: 'measure' },
      state: { kind: 'string', enum: ['paid', 'default', 'in-review', '"quoted" $x'] },
      items: { kind: 'integer', required: true },
      gift: { kind: 'boolean' },
      placedAt: { kind: 'date', description: 'When it was placed' },
      cart: { kind: 'object' },
      codes: { kind: 'array' },
      step: { kind: 'integer', enum: [1, 2] },
    },
  },
  { name: 'order completed', description: '', owner: '', properties: {} },
  {
    name: 'class',
    description: '',
    owner: '',
    properties: { class: { kind: 'string' }, it: { kind: 'string' }, tracked: { kind: 'string' } },
  },
  { name: 'سلة', description: '', owner: '', properties: { السعر: { kind: 'number', required: true } } },
  {
    name: '1st',
    description: '',
    owner: '',
    properties: { '2nd': { kind: 'boolean', required: true }, 'a-b': { kind: 'string' }, a_b: { kind: 'string' } },
  },
]
