import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  addItem,
  BATCH_LIMIT,
  idsOf,
  isLeaving,
  nextItems,
  QUEUE_LIMIT,
  queuedConsent,
  queuedUser,
  type Item,
  type ItemKind,
} from './queue.ts'

const item = (id: number | string, kind: ItemKind = 'event', body: Item['body'] = {}, more: Partial<Item> = {}): Item => ({
  id: String(id),
  kind,
  body,
  sessionId: 's',
  ...more,
})
const filled = (items: Item[]) => items.reduce<readonly Item[]>((all, each) => addItem(all, each).items, [])

test('C-LIMIT-18 a queue of 501 keeps 2 to 501', () => {
  const all = filled(Array.from({ length: QUEUE_LIMIT + 1 }, (_, i) => item(i + 1)))
  assert.equal(all.length, 500)
  assert.deepEqual([all[0]?.id, all.at(-1)?.id], ['2', '501'])
})

test('C-LIMIT-18 the oldest event goes before an older identify; without events the oldest write goes', () => {
  const many = filled([item('who', 'identify'), ...Array.from({ length: QUEUE_LIMIT }, (_, i) => item(i + 1))])
  assert.deepEqual(idsOf(many).slice(0, 2), ['who', '2'])
  const writes = filled(Array.from({ length: QUEUE_LIMIT + 1 }, (_, i) => item(i + 1, 'consent')))
  assert.equal(writes[0]?.id, '2')
})

test('C-LIMIT-18 no history of a queue makes it longer than 500, and what is added last is always in it', () => {
  const kinds = fc.constantFrom<ItemKind>('event', 'identify', 'logout', 'consent')
  fc.assert(
    fc.property(fc.array(kinds, { minLength: 500, maxLength: 600 }), (all) => {
      const items = filled(all.map((kind, i) => item(i, kind)))
      assert.ok(items.length <= QUEUE_LIMIT)
      assert.equal(items.at(-1)?.id, String(all.length - 1))
      assert.deepEqual(
        idsOf(items),
        idsOf(items).toSorted((a, b) => Number(a) - Number(b)),
      )
    }),
    { numRuns: 20 },
  )
})

test('C-EVT-08 events go 100 at a time, of one session, and never past a write that changes who the person is', () => {
  const events = Array.from({ length: 150 }, (_, i) => item(i))
  assert.equal(nextItems(events, 'granted', 0).length, BATCH_LIMIT)
  const sessions = [item(1), item(2, 'event', {}, { sessionId: 't' }), item(3)]
  assert.deepEqual(idsOf(nextItems(sessions, 'granted', 0)), ['1', '3'])
  const barrier = [item(1), item(2, 'consent'), item(3), item(4, 'logout'), item(5)]
  assert.deepEqual(idsOf(nextItems(barrier, 'granted', 0)), ['1', '3'])
  assert.deepEqual(idsOf(nextItems(barrier.slice(3), 'granted', 0)), ['4'])
})

test('without a decision events wait, and the identify behind them goes first', () => {
  const items = [item(1), item(2, 'identify', { consent: true }), item(3)]
  assert.deepEqual(idsOf(nextItems(items, 'unknown', 0)), ['2'])
  assert.deepEqual(nextItems([item(1)], 'unknown', 0), [])
  assert.deepEqual(idsOf(nextItems([item(1)], 'granted', 0)), ['1'])
})

test('a write that is held back does not hold back the others', () => {
  const items = [item(1, 'consent', {}, { notBefore: 50 }), item(2, 'registerPush')]
  assert.deepEqual(idsOf(nextItems(items, 'granted', 10)), ['2'])
  assert.deepEqual(idsOf(nextItems(items, 'granted', 50)), ['1'])
})

test('C-CONS-12 a later decision does not pass an earlier one that is held back', () => {
  const items = [item(1, 'consent', {}, { notBefore: 50 }), item(2, 'fullConsent'), item(3, 'profile')]
  assert.deepEqual(idsOf(nextItems(items, 'granted', 10)), ['3'])
  assert.deepEqual(idsOf(nextItems(items, 'granted', 50)), ['1'])
})

test('what the person wished last counts: consent, user, and whether they leave', () => {
  const grant = item(1, 'identify', { consent: true, userId: 'u' })
  const deny = item(2, 'identify', { consent: false })
  assert.equal(queuedConsent([], 'granted'), 'granted')
  assert.equal(queuedConsent([grant], 'unknown'), 'granted')
  assert.equal(queuedConsent([grant, deny], 'unknown'), 'denied')
  assert.equal(queuedConsent([grant, item(3, 'logout')], 'unknown'), 'granted')
  assert.equal(queuedConsent([item(3, 'erase')], 'granted'), 'unknown')
  assert.equal(queuedUser([grant], undefined), 'u')
  assert.equal(queuedUser([grant, item(3, 'logout')], 'v'), undefined)
  assert.equal(queuedUser([item(1, 'identify', { consent: true })], 'v'), 'v')
  assert.equal(isLeaving([grant], undefined), false)
  assert.equal(isLeaving([grant], 'u'), false)
  assert.equal(isLeaving([grant], 'v'), true)
  for (const last of [deny, item(3, 'logout'), item(4, 'erase')]) assert.equal(isLeaving([last], 'u'), true, last.kind)
})
