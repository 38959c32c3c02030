/** Mails for tests: one of every kind of section and node in two languages, and random ones within the bounds. */
import fc from 'fast-check'
import {
  TEXT_OF,
  type MailDocument,
  type MailNode,
  type MailSection,
  type MailTexts,
  type NodeText,
  type TextBlock,
  type TextRun,
} from './document.ts'

export const EXAMPLE: MailDocument = {
  version: 1,
  kind: 'sections',
  sections: [
    {
      id: 'top',
      type: 'section',
      background: '#0f766e',
      columns: [{ width: 100, nodes: [{ id: 'hello', type: 'heading', level: 1, align: 'center' }] }],
    },
    {
      id: 'main',
      type: 'section',
      columns: [
        {
          width: 100,
          nodes: [
            { id: 'hero', type: 'image' },
            { id: 'intro', type: 'text' },
            { id: 'shop', type: 'button' },
          ],
        },
      ],
    },
    {
      id: 'two',
      type: 'section',
      columns: [
        {
          width: 50,
          nodes: [
            { id: 'left-image', type: 'image' },
            { id: 'left', type: 'text' },
          ],
        },
        {
          width: 50,
          nodes: [
            { id: 'right-image', type: 'image' },
            { id: 'right', type: 'text' },
          ],
        },
      ],
    },
    {
      id: 'end',
      type: 'section',
      keepColumns: true,
      columns: [
        {
          width: 30,
          nodes: [
            { id: 'line', type: 'divider' },
            { id: 'room', type: 'spacer', height: 24 },
          ],
        },
        { width: 70, nodes: [{ id: 'all', type: 'button', isWide: true, align: 'end' }] },
      ],
    },
    { id: 'footer', type: 'footer' },
  ],
  texts: {
    en: {
      subject: 'Your order, {{name | friend}}',
      preheader: 'It leaves today',
      nodes: {
        hello: { blocks: [{ p: [{ v: 'Good news, {{name | friend}}' }] }] },
        hero: { src: 'https://img.example.com/hero.png', alt: 'A parcel at a door', url: 'https://shop.example.com/orders' },
        intro: {
          blocks: [
            {
              p: [
                { v: 'Your parcel is ' },
                { v: 'on its way', b: true },
                { v: '. See ' },
                { v: 'where it is', url: 'https://shop.example.com/track?n={{name | friend}}' },
                { v: ' or read the answers below.' },
              ],
            },
            { ul: [[{ v: 'Nothing to sign' }], [{ v: 'Free to send back for ' }, { v: '30 days', i: true, color: '#b91c1c' }]] },
            { ol: [[{ v: 'Open' }], [{ v: 'Try' }]] },
          ],
        },
        shop: { label: 'See the order', url: 'https://shop.example.com/orders' },
        'left-image': { src: 'https://img.example.com/a.png', alt: '' },
        left: { blocks: [{ p: [{ v: 'Socks & <shoes>' }] }] },
        'right-image': { src: 'https://img.example.com/b.png', alt: 'A red scarf' },
        right: { blocks: [{ p: [{ v: 'Scarves' }] }] },
        all: { label: 'Everything new', url: '/new' },
      },
    },
    ar: {
      subject: 'طلبك يا {{name | صديقنا}}',
      nodes: {
        hello: { blocks: [{ p: [{ v: 'خبر سار يا {{name | صديقنا}}' }] }] },
        hero: { src: 'https://img.example.com/hero.png', alt: 'طرد عند الباب' },
        intro: { blocks: [{ p: [{ v: 'طلبك ' }, { v: 'في الطريق', b: true }, { v: ' إليك، ويصلك خلال يومين.' }] }] },
        shop: { label: 'عرض الطلب', url: 'https://shop.example.com/orders' },
        left: { blocks: [{ p: [{ v: 'جوارب' }] }] },
        right: { blocks: [{ p: [{ v: 'أوشحة' }] }] },
        all: { label: 'كل الجديد', url: '/new' },
      },
    },
  },
}

const words = fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.replaceAll('{{', '{ {'))
const path = fc.stringMatching(/^[a-z0-9&"'<>]{0,12}$/)
const address = fc.oneof(
  path.map((tail) => `https://shop.example.com/${encodeURIComponent(tail)}?a=1&b="${encodeURIComponent(tail)}"`),
  fc.constantFrom('mailto:a@example.com', '/offers', 'myapp://x'),
)
const picture = path.map((tail) => `https://img.example.com/${encodeURIComponent(tail)}.png`)
const run: fc.Arbitrary<TextRun> = fc.record(
  { v: words, b: fc.constant(true as const), i: fc.constant(true as const), url: address, color: fc.constant('#b91c1c') },
  { requiredKeys: ['v'] },
)
const runs = fc.array(run, { maxLength: 4 })
const block: fc.Arbitrary<TextBlock> = fc.oneof(
  runs.map((p) => ({ p })),
  fc.array(runs, { maxLength: 3 }).map((ul) => ({ ul })),
  fc.array(runs, { maxLength: 3 }).map((ol) => ({ ol })),
)
type Bare = MailNode extends infer Node ? (Node extends MailNode ? Omit<Node, 'id'> : never) : never
const align = fc.constantFrom('start' as const, 'center' as const, 'end' as const)
const node: fc.Arbitrary<Bare> = fc.oneof(
  fc.record({ type: fc.constant('heading' as const), level: fc.constantFrom(1 as const, 2 as const, 3 as const), align }),
  fc.record({ type: fc.constant('text' as const), align }),
  fc.record({ type: fc.constant('image' as const), width: fc.integer({ min: 5, max: 100 }), align }),
  fc.record({ type: fc.constant('button' as const), isWide: fc.boolean(), align }),
  fc.record({ type: fc.constant('divider' as const) }),
  fc.record({ type: fc.constant('spacer' as const), height: fc.integer({ min: 4, max: 96 }) }),
)
const widths = fc.constantFrom([100], [50, 50], [30, 70], [33, 33, 34], [25, 25, 25, 25])
const section = widths.chain((each) =>
  fc.record({
    columns: fc.tuple(...each.map((width) => fc.array(node, { maxLength: 4 }).map((nodes) => ({ width, nodes })))),
    look: fc.record(
      { background: fc.constantFrom('#0f766e', '#fde68a'), padding: fc.nat(64), keepColumns: fc.boolean() },
      { requiredKeys: [] },
    ),
  }),
)
const textOf: { [kind in 'rich' | 'button' | 'image']: fc.Arbitrary<NodeText> } = {
  rich: fc.array(block, { maxLength: 3 }).map((blocks) => ({ blocks })),
  button: fc.record({ label: words, url: address }),
  image: fc.record({ src: picture, alt: words, url: address }, { requiredKeys: ['src', 'alt'] }),
}

/** Sections with random looks, and texts in English and Arabic in which some are missing. */
export const anyMail: fc.Arbitrary<MailDocument> = fc.array(section, { maxLength: 8 }).chain((sections) => {
  let number = 0
  const built: MailSection[] = sections.map(({ columns, look }, index) => ({
    id: `s${index}`,
    type: 'section',
    ...look,
    columns: columns.map(({ width, nodes }) => ({ width, nodes: nodes.map((each): MailNode => ({ ...each, id: `n${number++}` })) })),
  }))
  const nodes = built.flatMap((each) => (each.type === 'section' ? each.columns.flatMap((column) => column.nodes) : []))
  const texts = Object.fromEntries(
    nodes.flatMap(({ id, type }) => {
      const kind = TEXT_OF[type]
      return kind === null ? [] : [[id, textOf[kind]]]
    }),
  )
  const said = fc.record({
    subject: words,
    preheader: words,
    nodes: fc.record(texts, { requiredKeys: [] }) as fc.Arbitrary<MailTexts['nodes']>,
  })
  return fc
    .record({ en: said, ar: said })
    .map((all) => ({ version: 1, kind: 'sections', sections: [...built, { id: 'footer', type: 'footer' }], texts: all }))
})
