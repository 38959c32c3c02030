import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nodesOf, type MailDocument } from '@contentflow/core/mail/document.ts'
import { EXAMPLE } from '@contentflow/core/mail/example-mail.ts'
import { readMail } from '@contentflow/core/mail/read-document.ts'
import {
  changeNode,
  changeSection,
  duplicatePart,
  insertNode,
  insertSection,
  moveNode,
  moveSection,
  removePart,
  setColumns,
  stepPart,
} from './change-mail.ts'
import { copyMissing, isUnfinished, missingIn, setText, setTexts, sourceOf, textOf } from './change-texts.ts'
import { ended, NO_HISTORY, recorded, redone, undone } from './history.ts'
import { blankMail, newNode, newSection, newText } from './new-parts.ts'
import { hasColumns, idOf, indexBehind, neighbour, partOf, partsOf, placeBehind } from './places.ts'

const counter = () => {
  let number = 0
  return () => `made-${number++}`
}
const order = (document: MailDocument) => partsOf(document).map(idOf)
const columnsOf = (document: MailDocument, id: string) => {
  const section = document.sections.find((each) => each.id === id)
  return section && hasColumns(section) ? section.columns.map(({ width, nodes }) => [width, ...nodes.map((node) => node.id)]) : []
}

test('a node goes where it is put, also within its column', () => {
  const down = moveNode(EXAMPLE, 'hero', { section: 'main', column: 0, index: 2 })
  assert.deepEqual(columnsOf(down, 'main'), [[100, 'intro', 'hero', 'shop']])
  const away = moveNode(EXAMPLE, 'shop', { section: 'two', column: 1, index: 0 })
  assert.deepEqual(columnsOf(away, 'main'), [[100, 'hero', 'intro']])
  assert.deepEqual(columnsOf(away, 'two'), [
    [50, 'left-image', 'left'],
    [50, 'shop', 'right-image', 'right'],
  ])
  assert.deepEqual(away.texts, EXAMPLE.texts)
  for (const place of [
    { section: 'none', column: 0, index: 0 },
    { section: 'footer', column: 0, index: 0 },
    { section: 'two', column: 2, index: 0 },
    { section: 'main', column: 0, index: 1 },
  ])
    assert.equal(moveNode(EXAMPLE, 'hero', place), EXAMPLE)
})

test('sections move among each other, and the footer stays the last', () => {
  const ids = (document: MailDocument) => document.sections.map(({ id }) => id)
  assert.deepEqual(ids(moveSection(EXAMPLE, 'top', 3)), ['main', 'two', 'top', 'end', 'footer'])
  assert.deepEqual(ids(moveSection(EXAMPLE, 'top', 9)), ['main', 'two', 'end', 'top', 'footer'])
  assert.equal(moveSection(EXAMPLE, 'footer', 0), EXAMPLE)
  assert.deepEqual(ids(insertSection(EXAMPLE, newSection(2, counter()), 99)), ['top', 'main', 'two', 'end', 'made-0', 'footer'])
  assert.equal(stepPart(EXAMPLE, 'end', 1), EXAMPLE)
  assert.equal(stepPart(EXAMPLE, 'top', -1), EXAMPLE)
  assert.deepEqual(ids(stepPart(EXAMPLE, 'main', -1)), ['main', 'top', 'two', 'end', 'footer'])
  assert.equal(removePart(EXAMPLE, 'footer'), EXAMPLE)
})

test('a step beyond the end of a column leads into the next one', () => {
  assert.deepEqual(columnsOf(stepPart(EXAMPLE, 'shop', 1), 'two'), [
    [50, 'shop', 'left-image', 'left'],
    [50, 'right-image', 'right'],
  ])
  assert.deepEqual(columnsOf(stepPart(EXAMPLE, 'right-image', -1), 'two'), [
    [50, 'left-image', 'left', 'right-image'],
    [50, 'right'],
  ])
  assert.deepEqual(columnsOf(stepPart(EXAMPLE, 'intro', -1), 'main'), [[100, 'intro', 'hero', 'shop']])
  assert.equal(stepPart(EXAMPLE, 'hello', -1), EXAMPLE)
  assert.equal(stepPart(EXAMPLE, 'all', 1), EXAMPLE)
})

test('what is removed takes its texts along, and a copy has texts and ids of its own', () => {
  const without = removePart(EXAMPLE, 'two')
  for (const locale of ['en', 'ar']) assert.equal(textOf(without, locale, 'left'), undefined)
  assert.ok(textOf(without, 'ar', 'intro'))
  const { document, id } = duplicatePart(EXAMPLE, 'two', counter())
  assert.equal(id, 'made-0')
  assert.deepEqual(columnsOf(document, 'made-0'), [
    [50, 'made-1', 'made-2'],
    [50, 'made-3', 'made-4'],
  ])
  assert.deepEqual(textOf(document, 'ar', 'made-2'), textOf(EXAMPLE, 'ar', 'left'))
  assert.deepEqual(duplicatePart(EXAMPLE, 'footer', counter()), { document: EXAMPLE, id: undefined })
  const one = duplicatePart(EXAMPLE, 'shop', counter())
  assert.deepEqual(columnsOf(one.document, 'main'), [[100, 'hero', 'intro', 'shop', 'made-0']])
})

test('other columns keep every node, and members that are taken away are gone', () => {
  assert.deepEqual(columnsOf(setColumns(EXAMPLE, 'two', [100]), 'two'), [[100, 'left-image', 'left', 'right-image', 'right']])
  assert.deepEqual(columnsOf(setColumns(EXAMPLE, 'main', [30, 70]), 'main'), [[30, 'hero', 'intro', 'shop'], [70]])
  const plain = changeSection(EXAMPLE, 'top', { background: undefined, padding: 8 })
  assert.deepEqual(Object.keys(plain.sections[0] ?? {}).toSorted(), ['columns', 'id', 'padding', 'type'])
  const left = partOf(changeNode(EXAMPLE, 'hello', { align: undefined, level: 2 }), 'hello')
  assert.deepEqual(left?.kind === 'node' && left.node, { id: 'hello', type: 'heading', level: 2 })
})

test('the next part, and where a new one goes', () => {
  assert.equal(neighbour(EXAMPLE, 'top', 1), 'hello')
  assert.equal(neighbour(EXAMPLE, 'top', -1), 'top')
  assert.deepEqual(placeBehind(EXAMPLE, 'intro'), { section: 'main', column: 0, index: 2 })
  assert.deepEqual(placeBehind(EXAMPLE, 'two'), { section: 'two', column: 0, index: 2 })
  assert.deepEqual(placeBehind(EXAMPLE, undefined), { section: 'end', column: 0, index: 2 })
  assert.equal(placeBehind({ sections: [{ id: 'footer', type: 'footer' }] }, undefined), undefined)
  assert.equal(indexBehind(EXAMPLE, 'intro'), 2)
  assert.equal(indexBehind(EXAMPLE, undefined), 4)
  assert.equal(indexBehind(EXAMPLE, 'footer'), 4)
})

test('languages: what is missing is named and copied, and nothing that is written is lost', () => {
  assert.deepEqual(missingIn(EXAMPLE, 'ar'), ['left-image', 'right-image'])
  assert.deepEqual(missingIn(EXAMPLE, 'en'), [])
  const filled = copyMissing(EXAMPLE, 'en', 'ar')
  assert.deepEqual(missingIn(filled, 'ar'), [])
  assert.deepEqual(textOf(filled, 'ar', 'intro'), textOf(EXAMPLE, 'ar', 'intro'))
  const french = copyMissing(EXAMPLE, 'en', 'fr')
  assert.equal(french.texts['fr']?.subject, EXAMPLE.texts['en']?.subject)
  assert.ok(!isUnfinished(french, 'fr') && isUnfinished(EXAMPLE, 'ar') && isUnfinished(EXAMPLE, 'fr'))
  assert.equal(textOf(setText(EXAMPLE, 'en', 'shop', undefined), 'en', 'shop'), undefined)
  assert.equal(setTexts(EXAMPLE, 'en', { preheader: '' }).texts['en']?.preheader, undefined)
  assert.equal(sourceOf(EXAMPLE, 'ar'), 'ar')
  assert.equal(sourceOf(EXAMPLE, 'fr'), 'en')
})

test('words of a node may be named like members of every object', () => {
  const document = insertNode(EXAMPLE, { id: '__proto__', type: 'text' }, { section: 'main', column: 0, index: 0 })
  assert.equal(textOf(document, 'en', '__proto__'), undefined)
  const said = setText(document, 'en', '__proto__', { blocks: [{ p: [{ v: 'Hello' }] }] })
  assert.ok(textOf(said, 'en', '__proto__'))
  assert.equal(textOf(removePart(said, '__proto__'), 'en', '__proto__'), undefined)
})

test('a hundred steps are undone and done again; changes of one group are one step', () => {
  const at = (number: number): MailDocument => setTexts(EXAMPLE, 'en', { subject: String(number) })
  let history = NO_HISTORY
  for (let number = 1; number <= 130; number++) history = recorded(history, at(number - 1), undefined)
  assert.equal(history.past.length, 100)
  const back = undone(history, at(130))
  assert.deepEqual(back?.document, at(129))
  assert.ok(back)
  assert.deepEqual(redone(back.history, back.document)?.document, at(130))
  const typed = recorded(recorded(NO_HISTORY, at(0), 'subject'), at(1), 'subject')
  assert.deepEqual(undone(typed, at(2))?.document, at(0))
  assert.equal(recorded(ended(typed), at(2), 'subject').past.length, 2)
  assert.equal(undone(NO_HISTORY, at(0)), undefined)
  assert.equal(redone(NO_HISTORY, at(0)), undefined)
})

test('decision 71: any changes one after another leave a mail that the server takes, with every node once', () => {
  const ids = fc.nat(30)
  const change = fc.record({ what: fc.nat(6), which: ids, where: ids, column: fc.nat(3), index: fc.nat(4) })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 25 }), (changes) => {
      const makeId = counter()
      let document = blankMail('en', makeId)
      for (const { what, which, where, column, index } of changes) {
        const parts = order(document)
        const id = parts[which % parts.length] ?? ''
        const section = document.sections[where % document.sections.length]?.id ?? ''
        const place = { section, column, index }
        if (what === 0) document = insertSection(document, newSection(((column % 4) + 1) as 1 | 2 | 3 | 4, makeId), index)
        if (what === 1) {
          const node = newNode((['text', 'image', 'button', 'spacer'] as const)[column % 4] ?? 'text', makeId)
          const text = newText(node.type)
          document = insertNode(document, node, place)
          if (text && partOf(document, node.id)) document = setText(document, 'en', node.id, text)
        }
        if (what === 2) document = moveNode(document, id, place)
        if (what === 3) document = moveSection(document, id, index)
        if (what === 4) document = removePart(document, id)
        if (what === 5) ({ document } = duplicatePart(document, id, makeId))
        if (what === 6) document = stepPart(document, id, index % 2 === 0 ? 1 : -1)
        const after = order(document)
        assert.equal(new Set(after).size, after.length)
        // A move or a step loses nothing.
        if (what === 2 || what === 3 || what === 6) assert.deepEqual(after.toSorted(), parts.toSorted())
      }
      assert.deepEqual(readMail('mail', document), { ok: true, value: document })
      assert.ok(nodesOf(document).every(({ id }) => id.startsWith('made-')))
    }),
    { numRuns: 300 },
  )
})
