/** In a process of its own: what cannot compress there cannot for anybody else. */
import assert from 'node:assert/strict'
import { syncBuiltinESMExports } from 'node:module'
import { mock, test } from 'node:test'
import zlib from 'node:zlib'
import { send } from '../harness/raw.ts'

const refusing = mock.method(zlib, 'brotliCompress', (...args: unknown[]) => {
  const answered = args.at(-1) as (error: Error) => void
  setImmediate(() => answered(new Error('no memory for a compressor')))
})
syncBuiltinESMExports()
const { startApp } = await import('../harness/start-app.ts')
const { workspace, url, ctx } = await startApp()

test('an answer that cannot be compressed is sent as it is, the failure is logged once, and nothing ends', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'lorem ipsum '.repeat(300) } })
  const logged = mock.method(ctx.log, 'warn', () => {})
  const get = (accept: string) => send(url, '/sdk/v1/sync', { headers: { 'x-cf-key': ws.live, 'accept-encoding': accept } })
  for (let i = 0; i < 5; i++) {
    const answer = await get('br')
    assert.deepEqual([answer.status, answer.headers['content-encoding']], [200, undefined])
    assert.match(answer.body.toString(), /lorem ipsum/)
  }
  assert.equal(refusing.mock.callCount(), 1)
  assert.deepEqual(
    logged.mock.calls.map(({ arguments: [, message] }) => message),
    ['an answer could not be compressed; it is sent as it is'],
  )
  let coding: string | undefined
  for (let i = 0; i < 200 && coding === undefined; i++) coding = (await get('gzip')).headers['content-encoding']
  assert.equal(coding, 'gzip', 'the form that could be made is sent')
})
