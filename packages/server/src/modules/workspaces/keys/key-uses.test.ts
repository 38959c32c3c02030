import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import type { Context } from '../../../context.ts'
import { KeyUses, newUse } from './key-uses.ts'

const { workspace, advance, ctx } = await startApp()

/** When each key was used last, by name; passes of the jobs store it. */
async function uses({ admin }: Workspace): Promise<Record<string, number | null>> {
  await advance(0)
  const families = ['sdk-keys', 'write-keys', 'read-keys']
  const lists = await Promise.all(families.map(async (family) => expectStatus(await admin.get(`/settings/${family}`), 200).data.keys))
  return Object.fromEntries(lists.flat().map(({ id, lastUsedAt }: any) => [id, lastUsedAt && Date.parse(lastUsedAt)]))
}
const usedFrom = async ({ admin }: Workspace, id: string) =>
  expectStatus(await admin.get('/settings/sdk-keys'), 200).data.keys.find((key: any) => key.id === id).lastUsedFrom
const idOf = async ({ admin }: Workspace, family: string, mask: string) =>
  expectStatus(await admin.get(`/settings/${family}`), 200).data.keys.find(({ masked }: any) => masked.endsWith(mask.slice(-4))).id

test('every kind of key tells when it was used last, and only those that were used', async () => {
  const ws = await workspace()
  const unused = (await ws.key('secret', 'live')).id
  const [live, tests] = [await idOf(ws, 'sdk-keys', ws.live), await idOf(ws, 'sdk-keys', ws.test)]
  const [write, read] = [await idOf(ws, 'write-keys', ws.writeKey), await idOf(ws, 'read-keys', ws.readKey)]
  assert.deepEqual([...new Set(Object.values(await uses(ws)))], [null])
  const started = ctx.clock.ms()
  for (let i = 0; i < 3; i++) expectStatus(await ws.app.get('/sync'), 200)
  expectStatus(await ws.sdk({ 'x-cf-key': `${ws.id}_app` }).get('/sync'), 200)
  expectStatus(await ws.write.post('/cards/sync', { blocks: [{ key: 'promo', fields: [] }] }), 200)
  assert.equal((await ws.read.get('/read/users/nobody/segments')).status, 404)
  const first = await uses(ws)
  assert.deepEqual([first[unused], first[tests]], [null, null])
  for (const id of [live, write, read]) assert.ok((first[id] ?? 0) >= started, id)
  await advance(600)
  expectStatus(await ws.app.get('/sync'), 200)
  const second = await uses(ws)
  assert.ok((second[live] ?? 0) >= (first[live] ?? 0) + 600_000, 'a key that is known already is noted again')
  assert.deepEqual([second[write], second[read]], [first[write], first[read]])
  const rotated = expectStatus(await ws.admin.post(`/settings/sdk-keys/${live}/rotate`), 200).data
  assert.equal(Date.parse(rotated.lastUsedAt), second[live])
  await advance(600)
  expectStatus(await ws.sdk({ 'x-cf-key': rotated.key }).get('/sync'), 200)
  assert.ok(((await uses(ws))[live] ?? 0) >= (second[live] ?? 0) + 600_000)
})

test('what could not be stored is stored with the next round, and a key that is gone disturbs nobody', async () => {
  const ws = await workspace()
  const { id } = await ws.key('secret', 'live')
  const [held, again, gone] = [newUse(ws.id, id), newUse(ws.id, id), newUse(ws.id, 'gone')]
  const noted = new KeyUses(() => '203.0.113.7')
  const sent = {} as IncomingMessage
  for (const use of [held, held, again, gone]) noted.note(use, sent)
  const away = { ...ctx, db: undefined } as unknown as Context
  await assert.rejects(noted.save(away))
  noted.note(held, sent)
  await noted.save(ctx)
  const first = (await uses(ws))[id] ?? 0
  assert.ok(first > 0)
  await advance(60)
  await noted.save(ctx)
  assert.equal((await uses(ws))[id], first, 'nothing was used since')
  noted.note(held, sent)
  await noted.save(ctx)
  assert.ok(((await uses(ws))[id] ?? 0) >= first + 60_000)
  assert.equal(await usedFrom(ws, id), '203.0.113.7')
})
