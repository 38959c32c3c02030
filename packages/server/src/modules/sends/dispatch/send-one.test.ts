/** What is noted of channels while messages are sent, and when it is believed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GONE_IN_A_ROW } from '@contentflow/core/channels/out-of-service.ts'
import type { ChannelRow } from '../../channels/index.ts'
import { newTally, takeNoted, type ChannelTally } from './send-one.ts'

const tallyOf = (more: Partial<ChannelTally>) => {
  const channel = { id: 'c' } as ChannelRow
  const sums = { channel, sent: 0, failed: 0, heard: [], failure: undefined, pauses: false, inARow: 0, hasReached: false, ...more }
  return { ...newTally(), byChannel: new Map([['c', sums]]), leaving: ['u'] }
}
const gone = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ kind: 'gone' as const, profileId: `p${n}`, text: 'unknown', install: undefined }))

test('what is taken is written down once; the row of those that are gone, and whether anybody was reached, go on', () => {
  const tally = tallyOf({ sent: 2, failed: 1, failure: 'busy', pauses: true, heard: [{ kind: 'reached' }], hasReached: true })
  const [first] = takeNoted(tally, false).channels
  assert.deepEqual([first?.sent, first?.failed, first?.failure, first?.pauses, first?.heard.length], [2, 1, 'busy', true, 1])
  const second = takeNoted(tally, false)
  assert.deepEqual(second.leaving, [])
  const [sums] = second.channels
  assert.deepEqual([sums?.sent, sums?.failed, sums?.failure, sums?.pauses, sums?.heard.length], [0, 0, undefined, false, 0])
  assert.equal(sums?.hasReached, true)
})

test('nobody of a row that may go on is believed to be gone, until it ends, is too long, or nobody is left', () => {
  const heardOf = (inARow: number, isLast: boolean) => {
    const tally = tallyOf({ inARow, heard: gone(5) })
    const [taken] = takeNoted(tally, isLast).channels
    return [taken?.heard.length, tally.byChannel.get('c')?.heard.length]
  }
  assert.deepEqual(heardOf(5, false), [0, 5])
  assert.deepEqual(heardOf(5, true), [5, 0])
  assert.deepEqual(heardOf(0, false), [5, 0])
  assert.deepEqual(heardOf(GONE_IN_A_ROW, false), [5, 0])
})
