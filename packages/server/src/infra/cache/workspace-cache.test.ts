import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLog } from '../log.ts'
import { openSignals } from '../signals/signals.ts'
import { openClock } from '../clock.ts'
import { openTimeSlicer } from '../concurrency/time-slicer.ts'
import { openWorkspaceCache, type WorkspaceCacheOptions } from './workspace-cache.ts'

/** Rows that change beside what is told of them. Nothing here reads a database. */
async function make() {
  const [clock, log, none] = [openClock(), openLog('silent'), undefined as never]
  const signals = await openSignals(none, 'embedded', '', log)
  const recall = openWorkspaceCache({ db: none, signals, timeSlicer: openTimeSlicer(), clock, log })
  const rows = { version: 1, read: 0, reading: Promise.resolve() }
  const what: WorkspaceCacheOptions<string> = {
    signal: 'segments',
    fingerprint: async () => `${rows.version}`,
    read: async (_parts, workspaceId) => {
      const found = `${workspaceId} ${rows.version}`
      rows.read++
      await rows.reading
      return found
    },
    weigh: () => 1,
    most: 100,
  }
  return {
    clock,
    rows,
    get: (workspaceId: string) => recall(what, workspaceId),
    tell: (workspaceId: string) => signals.apply([{ kind: 'segments', workspaceId }]),
  }
}

test('what was read is remembered, one reading for all who ask meanwhile, until a change of its workspace is told', async () => {
  const { rows, get, tell } = await make()
  assert.deepEqual(await Promise.all([get('a'), get('a'), get('b')]), ['a 1', 'a 1', 'b 1'])
  rows.version = 2
  assert.equal(await get('a'), 'a 1')
  await tell('b')
  assert.deepEqual([await get('a'), await get('b'), rows.read], ['a 1', 'b 2', 3])
  await tell('a')
  assert.equal(await get('a'), 'a 2')
})

test('what was being read when a change was told is not kept', async () => {
  const { rows, get, tell } = await make()
  const { promise, resolve } = Promise.withResolvers<void>()
  rows.reading = promise
  const before = get('a')
  while (rows.read === 0) await new Promise((resume) => setImmediate(resume))
  rows.version = 2
  await tell('a')
  const after = get('a')
  resolve()
  assert.deepEqual([await before, await after, await get('a')], ['a 1', 'a 2', 'a 2'])
})

test('a change that nobody told is found when what is remembered is used after half a minute', async () => {
  const { clock, rows, get } = await make()
  assert.equal(await get('a'), 'a 1')
  rows.version = 2
  clock.advance(29)
  assert.equal(await get('a'), 'a 1')
  clock.advance(2)
  assert.equal(await get('a'), 'a 1', 'whoever finds out does not wait')
  await new Promise((resume) => setImmediate(resume))
  assert.equal(await get('a'), 'a 2')
})
