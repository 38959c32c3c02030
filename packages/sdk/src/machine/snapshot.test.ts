import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { isRightToLeft } from '@contentflow/core/locale/languages.ts'
import { block, machine, ok, synced } from '../../test/support/states.ts'
import { snapshotOf } from './snapshot.ts'

test('C-STR-33 the direction of every language is what the server takes it for', () => {
  const codes = readdirSync(new URL('../../../../node_modules/cldr-localenames-full/main', import.meta.url))
  assert.ok(codes.length > 300)
  for (const code of [...codes, 'ar-Latn', 'AR-sa', 'az-Arab', 'uz-Arab-AF', 'dv-MV', 'arn', 'en-arab1']) {
    const { state } = machine()
      .run()
      .answer('strings', ok({ locale: code, strings: {} }))
    assert.equal(snapshotOf(state).direction, isRightToLeft(code) ? 'rtl' : 'ltr', code)
  }
})

test('C-BLK-27 with the block types named, others are left out, in-app messages too', () => {
  const of = (blockKeys?: readonly string[]) =>
    machine(blockKeys && { blockKeys })
      .run()
      .answer('sync', synced([block('a'), block('b', { key: 'newer' }), block('msg_1', { key: 'journey_message' })])).state
  assert.deepEqual(
    snapshotOf(of(['promo'])).blocks.map(({ key }) => key),
    ['promo'],
  )
  assert.equal(snapshotOf(of()).blocks.length, 3)
})

test('C-BLK-23 C-BLK-24 a message that was answered is over at once, and stays so until the server has forgotten it', () => {
  const at = machine()
    .run()
    .answer('sync', synced([block('msg_1'), block('msg_2')]))
  at.send({ type: 'note', patch: { over: ['msg_1'] } })
  assert.deepEqual(
    snapshotOf(at.state).blocks.map(({ instanceId }) => instanceId),
    ['msg_2'],
  )
  at.send({ type: 'ask', lane: 'sync' }).answer('sync', synced([block('msg_1'), block('msg_2')]))
  assert.equal(snapshotOf(at.state).blocks.length, 1)
  at.send({ type: 'ask', lane: 'sync' }).answer('sync', synced([block('msg_2')]))
  assert.deepEqual(at.state.over, [])
})

test('entries that are no blocks are left out, members that are not known stay', () => {
  const { state } = machine()
    .run()
    .answer(
      'sync',
      synced([
        null as never,
        { key: 'x' },
        { key: 'x', visible: false, version: '1' },
        block('a', { brandNew: { deep: [1] } }),
        block('b', { values: { '#items': [block('c'), 7, null] } }),
      ]),
    )
  const { blocks } = snapshotOf(state)
  assert.deepEqual(
    blocks.map(({ instanceId }) => instanceId),
    ['a', 'b'],
  )
  assert.deepEqual((blocks[0] as unknown as { brandNew: unknown }).brandNew, { deep: [1] })
  assert.deepEqual(blocks[1]?.values, { '#items': [block('c')] })
})
