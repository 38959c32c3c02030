/** The process is killed at random moments while devices send events: none that was acknowledged is lost, none is stored twice. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { expectStatus, makeBuilders } from '../builders/builders.ts'
import { BLOCK, EventLoad, endureKills, readStored } from '../builders/event-load.ts'
import { countsOf, rollUp } from '../builders/events.ts'
import { openLives } from '../harness/server-process.ts'
import { freshDatabase, OPERATOR_TOKEN } from '../harness/start-app.ts'

const ROUNDS = Number(process.env['CF_KILL_ROUNDS'] ?? 8)

const database = await freshDatabase()
const server = await openLives(database.env)
after(async () => {
  await server.close()
  await database.remove()
})

test(`C-EVT-01 C-EVT-03 every acknowledged event survives ${ROUNDS} kills at random moments, and none is stored twice or counted otherwise`, async () => {
  const url = await server.start()
  const { workspace, operator } = makeBuilders(url, OPERATOR_TOKEN)
  const ws = await workspace()
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
  const load = await EventLoad.open(ws)
  await endureKills(load, ROUNDS, {
    kill: () => server.end('SIGKILL'),
    start: async () => assert.equal(await server.start(), url),
  })
  await load.settle()
  await rollUp(operator)
  const counts = await countsOf(ws, BLOCK)
  await server.end('SIGTERM')
  const { stored, ...faults } = load.judge(await readStored(database.env, ws.id))
  assert.deepEqual(faults, { lost: [], twice: [], unknown: [] })
  assert.ok(stored >= load.acknowledged.size && load.acknowledged.size >= ROUNDS * 50)
  assert.deepEqual(counts, { impressions: stored, clicks: 0, dismissals: 0, conversions: 0, total: stored })
})
