/** The operator changes CF_SECRET_KEY: links in mails that were sent before go on leading there. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { expectStatus } from '../../../test/builders/builders.ts'
import { freshDatabase, startOn } from '../../../test/harness/start-app.ts'

const database = await freshDatabase()
after(() => database.remove())
const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')
const startWith = (keys: string) => startOn(database.env, { CF_SECRET_KEY: keys })

test('a link outlives the key it was made under, processes share its secret, and one of another kind is none', async () => {
  const first = await startWith(key(1))
  const tokens = await Promise.all([1, 2, 3].map(async () => (await first.ctx.links.sealer('unsubscribe'))(['w', 'p'])))
  assert.equal(new Set(tokens).size, 1, 'the same is the same')
  const [token = ''] = tokens
  await first.stop()

  const both = await startWith(`${key(2)},${key(1)}`)
  assert.deepEqual(await both.ctx.links.open('unsubscribe', token), ['w', 'p'])
  expectStatus(await both.operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
  await both.stop()

  const last = await startWith(key(2))
  assert.deepEqual(await last.ctx.links.open('unsubscribe', token), ['w', 'p'])
  assert.equal(await last.ctx.links.open('email', token), undefined)
  assert.equal((await last.ctx.links.sealer('unsubscribe'))(['w', 'p']), token)
  await last.stop()

  // Its key was lost: mails go on with a new secret, and what comes back finds the old links again.
  const lost = await startWith(key(3))
  const other = (await lost.ctx.links.sealer('unsubscribe'))(['w', 'p'])
  assert.notEqual(other, token)
  assert.equal(await lost.ctx.links.open('unsubscribe', token), undefined)
  await lost.stop()
  const found = await startWith(`${key(2)},${key(3)}`)
  for (const each of [token, other]) assert.deepEqual(await found.ctx.links.open('unsubscribe', each), ['w', 'p'])
  await found.stop()
})
