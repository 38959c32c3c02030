/** Signed identity that is off changes no byte of what apps are answered, whatever they send of it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { request, type Answer } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, url } = await startApp()

/** In this order, on one installation. */
const CALLS: [string, string, object?][] = [
  ['POST', '/identify', { userId: 'sara', consent: true, traits: { plan: 'gold' } }],
  ['POST', '/identify', { consent: true }],
  ['POST', '/identify', { userId: '', consent: true }],
  ['POST', '/identify', { userId: 7, consent: true }],
  ['POST', '/consent', { userId: 'sara', channels: { push: true } }],
  ['POST', '/consent', { userId: 'omar', channels: { push: true } }],
  ['POST', '/consent/full', { channels: { email: false }, personalOptOut: false }],
  ['POST', '/profile', { userId: 'sara', category: 'banking', data: { tier: 'gold' } }],
  ['POST', '/profile', { userId: 'omar', category: 'banking', data: { tier: 'gold' } }],
  ['POST', '/track-event', { type: 'sign_in', userId: 'omar' }],
  ['POST', '/register-push', { token: 't', platform: 'ios', userId: 'sara' }],
  ['POST', '/register-push', { token: 't', platform: 'ios', userId: 'omar' }],
  ['PATCH', '/push/preferences', { digest: 'daily' }],
  ['POST', '/push/topics', { topic: 'news' }],
  ['GET', '/push/topics'],
  ['DELETE', '/push/topics/news'],
  ['POST', '/location', { points: [{ latitude: 1, longitude: 2 }] }],
  ['POST', '/events', { events: [{ type: 'impression' }], userId: 'omar' }],
  ['POST', '/campaigns', { userId: 'omar' }],
  ['GET', '/sync'],
  ['GET', '/blocks/promo'],
  ['GET', '/strings'],
  ['GET', '/locales'],
  ['DELETE', '/register-push'],
  ['POST', '/logout', {}],
  ['POST', '/identify', { userId: 'sara', consent: true }],
  ['DELETE', '/identify'],
  ['DELETE', '/identify'],
]
/** What an answer is, without what is another in each run. */
function shapeOf({ status, headers, text }: Answer, workspaceId: string): string {
  const body = text
    .replaceAll(workspaceId, '<workspace>')
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
  return `${status} ${headers.get('content-type')}\n${body}`
}

async function record(root: string, extra: Record<string, string>): Promise<string[]> {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'everybody' } })
  const shapes: string[] = []
  for (const [method, path, body] of CALLS) {
    const answer = await request(method, `${url}${root}${path}`, {
      headers: { 'x-cf-key': ws.live, 'x-cf-device': 'phone', ...extra },
      ...(body && { body }),
    })
    shapes.push(`${method} ${path} ${shapeOf(answer, ws.id)}`)
  }
  return shapes
}

test('answers with everything off are those of before there were proofs', async () => {
  const expected = readFileSync(new URL('golden.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n\n')
  for (const root of ['/sdk/v1', '/api/v1/sdk'])
    for (const extra of [{}, { 'x-cf-user-token': 'x', 'x-cf-device-token': 'x' }])
      assert.deepEqual(await record(root, extra), expected, `${root} ${JSON.stringify(extra)}`)
})
