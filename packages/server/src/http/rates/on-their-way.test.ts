import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { OnTheirWay } from './on-their-way.ts'

const MEGABYTE = 1_000_000
const response = () => new ServerResponse(new IncomingMessage(new Socket()))
const body = (megabytes: number) => Buffer.alloc(megabytes * MEGABYTE)

test('whoever does not take a large answer is left, so that others get theirs', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const answers = new OnTheirWay()
  const slow = response()
  assert.equal(answers.take('w', body(32), slow), true)
  assert.equal(answers.take('w', body(5), response()), false)
  assert.equal(answers.take('other', body(5), response()), true)
  t.mock.timers.tick(349_000)
  assert.equal(slow.destroyed, false)
  t.mock.timers.tick(2_000)
  assert.equal(slow.destroyed, true)
  // As its socket would say.
  slow.emit('close')
  assert.equal(answers.take('w', body(5), response()), true)
})
