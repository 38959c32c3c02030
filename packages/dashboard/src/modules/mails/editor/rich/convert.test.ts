import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { linesOf, type RichText, type TextBlock, type TextRun } from '@contentflow/core/mail/document.ts'
import { fromEditor, toEditor } from './convert.ts'
import { headingSchema, isAddress, textSchema } from './schema.ts'

const flag = fc.constant(true as const)
const run: fc.Arbitrary<TextRun> = fc.record(
  {
    v: fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constantFrom('a\nb', '\n', '{{name | friend}}', 'سلام', '  ')),
    b: flag,
    i: flag,
    u: flag,
    s: flag,
    url: fc.constantFrom('https://shop.example.com/a', '/offers', '{{customAttributes.url}}'),
    color: fc.constantFrom('#b91c1c', '#0f766e'),
  },
  { requiredKeys: ['v'] },
)
const runs = fc.array(run, { maxLength: 5 })
const block: fc.Arbitrary<TextBlock> = fc.oneof(
  runs.map((p) => ({ p })),
  fc.array(runs, { maxLength: 3 }).map((ul) => ({ ul })),
  fc.array(runs, { maxLength: 3 }).map((ol) => ({ ol })),
)
const rich: fc.Arbitrary<RichText> = fc.array(block, { maxLength: 5 }).map((blocks) => ({ blocks }))

/** Every sign of a line with its look, which is what people see; how it is cut into runs is not. */
function signs(line: readonly TextRun[]): string[] {
  return line.flatMap(({ v, ...look }) => {
    const shown = JSON.stringify(Object.entries(look).toSorted())
    return Array.from(v.replaceAll(/\r\n|\r/g, '\n'), (sign) => `${sign}${shown}`)
  })
}
const seen = ({ blocks }: RichText) =>
  blocks.flatMap((each) => ('p' in each || linesOf(each).length > 0 ? [[Object.keys(each)[0], linesOf(each).map(signs)]] : []))

test('decision 71: whatever the words of a mail are, editing them loses and adds nothing', () => {
  fc.assert(
    fc.property(rich, (text) => {
      const doc = toEditor(textSchema, text)
      doc.check()
      const back = fromEditor(doc)
      if (back === undefined) assert.ok(text.blocks.flatMap(linesOf).flatMap(signs).length === 0)
      else assert.deepEqual(seen(back), seen(text))
      // What came out once comes out the same for ever, so opening a text makes no change of it.
      assert.deepEqual(fromEditor(toEditor(textSchema, back)), back)
    }),
    { numRuns: 500 },
  )
})

test('a heading keeps every word of a list as lines of their own', () => {
  fc.assert(
    fc.property(rich, (text) => {
      const doc = toEditor(headingSchema, text)
      doc.check()
      const lines = (fromEditor(doc)?.blocks ?? []).flatMap(linesOf).map(signs)
      const before = text.blocks.flatMap(linesOf).map(signs)
      assert.deepEqual(lines.flat(), before.flat())
    }),
  )
})

test('neighbouring pieces of one look become one run, and a line break stays in it', () => {
  const text: RichText = { blocks: [{ p: [{ v: 'It is ' }, { v: 'on\n', b: true }, { v: 'its way', b: true }] }] }
  assert.deepEqual(fromEditor(toEditor(textSchema, text)), { blocks: [{ p: [{ v: 'It is ' }, { v: 'on\nits way', b: true }] }] })
})

test('a link leads where content may lead, or to a token', () => {
  for (const url of ['https://shop.example.com', '/offers', 'mailto:a@example.com', '{{customAttributes.url}}'])
    assert.ok(isAddress(url), url)
  for (const url of ['', 'javascript:alert(1)', 'http://shop.example.com', 'data:text/html,x', '//shop.example.com'])
    assert.ok(!isAddress(url), url)
})
