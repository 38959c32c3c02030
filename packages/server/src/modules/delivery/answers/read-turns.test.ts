import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { ReadTurns, type Read } from './read-turns.ts'

const AT_ONCE = 100

test('whoever else reads while a crowd does waits for one of the crowd, wherever the keys stand; without one that is known by address', async () => {
  const turns = new ReadTurns((key) => (key.startsWith('invented') ? undefined : `workspace of ${key}`))
  const answered: string[] = []
  const take = (name: string, { url = '/sdk/v1/sync', headers = {}, address = '10.0.0.1' }) => {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: address })
    const request = new IncomingMessage(socket)
    Object.assign(request, { url, headers })
    const answer = (): void => void answered.push(name)
    const read: Read = { request, response: new ServerResponse(request), body: undefined, began: 0, fallback: answer, answer }
    turns.take(read)
  }
  const kinds: [string, Parameters<typeof take>[1]][] = [
    ['header', { headers: { 'x-cf-key': 'a' } }],
    ['other header', { headers: { 'x-api-key': 'b' } }],
    ['query', { url: '/sdk/v1/stream?key=c' }],
    ['later in the query', { url: '/sdk/v1/stream?locale=ar&key=d' }],
    ['none', { address: '10.0.0.1' }],
    ['none, elsewhere', { address: '10.0.0.2' }],
    ['invented', { headers: { 'x-cf-key': 'invented 1' }, address: '10.0.0.3' }],
  ]
  for (let i = 0; i < AT_ONCE; i++) take('at once', {})
  for (const [name, sent] of kinds) for (let i = 0; i < 5; i++) take(name, sent)
  assert.equal(answered.length, AT_ONCE)
  while (turns.areFull) await new Promise(setImmediate)
  const names = kinds.map(([name]) => name)
  assert.deepEqual(answered.slice(AT_ONCE), Array.from({ length: 5 }, () => names).flat())
  // However many keys somebody invents, they wait in one line.
  for (let i = 0; i < AT_ONCE; i++) take('at once', {})
  answered.length = 0
  for (let i = 0; i < 5; i++) take('invented', { headers: { 'x-cf-key': `invented ${i}` }, address: '10.0.0.3' })
  for (let i = 0; i < 2; i++) take('header', { headers: { 'x-cf-key': 'a' } })
  while (turns.areFull) await new Promise(setImmediate)
  assert.deepEqual(answered, ['invented', 'header', 'invented', 'header', 'invented', 'invented', 'invented'])
})

test('of answers that take long each has a turn of its own', async () => {
  const turns = new ReadTurns(() => undefined)
  const order: string[] = []
  const answer = (): void => {
    order.push('answer')
    const until = performance.now() + 20
    while (performance.now() < until);
  }
  for (let i = 0; i < 4; i++) {
    const request = new IncomingMessage(new Socket())
    Object.assign(request, { url: '/sdk/v1/sync' })
    turns.take({ request, response: new ServerResponse(request), body: undefined, began: performance.now(), fallback: answer, answer })
  }
  while (turns.areFull) {
    order.push('others')
    await new Promise(setImmediate)
  }
  assert.deepEqual(order, ['answer', 'others', 'answer', 'others', 'answer', 'others', 'answer'])
})
