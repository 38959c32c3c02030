/** The process is killed at random moments while imports are matched and written: each ends, and holds exactly what its file said. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { expectStatus, makeBuilders, type Client } from '../builders/builders.ts'
import { begin, contacts, segment, settled, stage, upload, valuesOf } from '../builders/imports.ts'
import { openLives } from '../harness/server-process.ts'
import { freshDatabase, OPERATOR_TOKEN } from '../harness/start-app.ts'

/** Half of them while rows are matched, half while they are written. */
const ROUNDS = Number(process.env['CF_KILL_ROUNDS'] ?? 4)
const PEOPLE = 1_200
/** Longer than a lease, seconds. */
const APART = 40

const database = await freshDatabase()
const server = await openLives(database.env)
after(async () => {
  await server.close()
  await database.remove()
})

test(`G-74 M-ENR-68 imports survive ${ROUNDS} kills at random moments: none is stuck, and each writes its values once`, async () => {
  const { workspace, advance } = makeBuilders(await server.start(), OPERATOR_TOKEN)
  const ws = await workspace()
  const ids = Array.from({ length: PEOPLE }, (_, at) => `u-${at}`)
  await contacts(
    ws,
    ids.map((userId) => ({ userId })),
  )
  let seconds = 0
  /** Asked for, killed a little later, and worked to its end by the next process. */
  const survive = async (admin: Client, id: string, act: 'match' | 'commit', isKilled: boolean) => {
    expectStatus(await admin.post(`/enrichment/imports/${id}/${act}`, {}), 202)
    if (isKilled) {
      await pause(Math.random() * 300)
      await server.end('SIGKILL')
      await server.start()
      await advance((seconds += APART))
    }
    return (await settled(admin, id)).status
  }
  for (let round = 0; round < ROUNDS; round++) {
    const id = await begin(ws.admin)
    await stage(
      ws.admin,
      id,
      ids.map((userId) => [userId, `v-${round}`]),
    )
    assert.equal(await survive(ws.admin, id, 'match', round % 2 === 0), 'ready')
    assert.equal(await survive(ws.admin, id, 'commit', round % 2 === 1), 'committed')
    const said = expectStatus(await ws.admin.get(`/enrichment/uploads/${id}`), 200).data
    assert.deepEqual([said.status, said.written, said.valueCount], ['completed', PEOPLE, PEOPLE])
  }
  const members = await segment(ws, 'Last', 'enrichment.a', 'equals', `v-${ROUNDS - 1}`)
  assert.equal(expectStatus(await ws.admin.get(`/segments/${members}/members`), 200).body.metadata.total, PEOPLE)
  const { jobRef } = await upload(ws.admin, [{ userId: 'u-7', attributes: { a: 'newer' } }])
  assert.deepEqual(await valuesOf(ws, 'u-7'), { a: 'newer' })
  expectStatus(await ws.admin.delete(`/enrichment/uploads/${jobRef}`), 200)
  assert.deepEqual(await valuesOf(ws, 'u-7'), { a: `v-${ROUNDS - 1}` })
})
