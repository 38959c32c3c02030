import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFaults } from '../faults.ts'
import { openLog } from '../log.ts'
import { openMetrics } from '../metrics.ts'
import { RevisionedStore } from './revisioned-store.ts'

type Value = { revision: number; bytes: number }

/** Rows at a revision, which reads wait for when `gate` is closed. */
function make({ bytes = 100 } = {}) {
  const rows = { revision: 1, isAway: false, gate: Promise.resolve(), reads: [] as [string, string, number | undefined][] }
  const read = async (workspaceId: string, part: string, before: Value | undefined): Promise<Value | undefined> => {
    rows.reads.push([workspaceId, part, before?.revision])
    const found = { revision: rows.revision, bytes: 10 }
    await rows.gate
    if (rows.isAway) throw new Error('away')
    return workspaceId === 'nobody' ? undefined : found
  }
  const parts = { faults: openFaults(), metrics: openMetrics(), log: openLog('silent') }
  return { rows, store: new RevisionedStore<Value>(parts, { name: 'values', bytes, failure: 'not reloaded', read }) }
}

test('a value is loaded once for all who ask, of each part by itself, and made from the one before', async () => {
  const { rows, store } = make()
  assert.equal(store.peek('w', 'live'), undefined)
  const [one, two] = await Promise.all([store.get('w', 'live'), store.get('w', 'live'), store.get('w', 'test')])
  assert.equal(one, two)
  assert.equal(store.peek('w', 'live'), one)
  rows.revision = 2
  assert.equal(await store.refresh('w', 2, 'live'), true)
  assert.deepEqual([store.peek('w', 'live')?.revision, store.peek('w', 'test')?.revision], [2, 1])
  assert.deepEqual(rows.reads, [
    ['w', 'live', undefined],
    ['w', 'test', undefined],
    ['w', 'live', 1],
  ])
})

test('nothing is loaded of what is not in use, not behind, or of nobody', async () => {
  const { rows, store } = make()
  assert.equal(await store.refresh('w', 5), true)
  await store.get('w')
  assert.equal(await store.refresh('w', 1), true)
  assert.equal(rows.reads.length, 1)
  assert.equal(await store.get('nobody'), undefined)
})

test('a value stays when a reload fails, and a later one is taken', async () => {
  const { rows, store } = make()
  const held = await store.get('w')
  Object.assign(rows, { revision: 2, isAway: true })
  assert.equal(await store.refresh('w', 2), false)
  assert.equal(await store.get('w'), held)
  rows.isAway = false
  assert.equal(await store.refresh('w', 2), true)
  assert.equal(store.peek('w')?.revision, 2)
})

test('what was being read when a change came is read once more', async () => {
  const { rows, store } = make()
  const { promise, resolve } = Promise.withResolvers<void>()
  rows.gate = promise
  const first = store.get('w')
  rows.revision = 2
  const refreshed = store.refresh('w', 2)
  resolve()
  assert.deepEqual([(await first)?.revision, await refreshed, store.peek('w')?.revision], [1, true, 2])
})

test('of more than it may hold the values unused longest go', async () => {
  const { store } = make({ bytes: 40 })
  for (const workspaceId of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await store.get(workspaceId)
  assert.deepEqual([store.peek('a'), store.peek('g')?.revision], [undefined, 1])
})
