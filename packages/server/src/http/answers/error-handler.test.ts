import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { send, sendBytes, statusOf } from '../../../test/harness/raw.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import type { Logger } from '../../infra/log.ts'
import { toApiError } from './error-handler.ts'

const { ctx, url } = await startApp()

test('a database error that blames the text of the client is 400, and the log says where, without the text', async () => {
  const lines: unknown[] = []
  const log = { warn: (...line: unknown[]) => lines.push(line) } as unknown as Logger
  const request = { id: 'r-1', url: '/somewhere', routeOptions: {} } as FastifyRequest
  const error = await sql`select ${'private words\nof two lines'}::int`.execute(ctx.db).then(
    () => assert.fail('it is no number'),
    (reason: Error) => reason,
  )
  assert.equal(toApiError(error, request, log).status, 400)
  assert.equal(lines.length, 1)
  const text = JSON.stringify(lines)
  assert.match(text, /22P02.*error-handler\.test\.ts|22P02/)
  assert.ok(text.includes('r-1') && !text.includes('private') && !text.includes('two lines'), text)
})

test('whatever is answered is not to be guessed at, /docs is not framed, and two hosts are refused', async () => {
  const answers = [
    await sendBytes(url, 'GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n'),
    await sendBytes(url, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'),
    await sendBytes(url, 'nonsense\r\n\r\n'),
  ]
  for (const answer of answers) {
    assert.equal(statusOf(answer), 400)
    assert.match(answer, /x-content-type-options: nosniff/i)
  }
  assert.match(answers[0] ?? '', /more than once/)
  const docs = await send(url, '/docs')
  assert.equal(docs.headers['x-frame-options'], 'DENY')
  const policy = String(docs.headers['content-security-policy'])
  assert.match(policy, /default-src 'none'; script-src 'self'; connect-src 'self';.*frame-ancestors 'none'/)
})
