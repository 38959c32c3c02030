/** Right bodies of which one member is odd. Nothing may answer 5xx, and nothing of the inside may show. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RIGHT } from './bad-input-right.ts'
import { expectStatus } from '../builders/builders.ts'
import { assertNoInside } from '../harness/refusals.ts'
import { fillPath } from '../harness/routes.ts'
import { askAll, openSweep, VALUES, type Request } from './sweep.ts'

const { url, routes, makeFixture } = await openSweep()

/** Every copy of `value` in which one member or element, at any depth, is replaced by an odd value. */
function* spoiled(value: unknown): Iterable<unknown> {
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) for (const odd of [...VALUES, ...spoiled(each)]) yield value.with(index, odd)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) for (const odd of [...VALUES, ...spoiled(each)]) yield { ...value, [name]: odd }
  }
}

test('every member of a right body, replaced by every odd value, is taken or refused, never a server error, and sync stays JSON', async () => {
  for (const [name, right] of Object.entries(RIGHT)) {
    const [method = '', path = ''] = name.split(' ')
    assert.ok(
      routes.some((route) => route.method === method && route.path === path),
      `${name} is no route`,
    )
    const { ws, params, stagedImport, channel, campaign, journey, roles } = await makeFixture()
    const headers = /\/(cards|strings\/(sync|disable))/.test(path)
      ? roles['pipeline']
      : path.startsWith('/sdk/')
        ? { 'x-cf-key': ws.live }
        : /operator|test-hooks/.test(path)
          ? roles['operator']
          : roles['admin']
    if (path.startsWith('/sdk/')) expectStatus(await ws.app.post('/identify', { deviceId: 'd', userId: 'u', consent: true }), 200)
    const own = Object.entries({
      '/operator/': ws.id,
      '/enrichment/': stagedImport,
      '/channels/': channel,
      '/campaigns/': campaign,
      '/journeys/': journey,
    })
    const id = own.find(([part]) => path.includes(part))?.[1]
    const address = url + fillPath(path, { ...params, ...(id !== undefined && { id }) })
    const requests = [...spoiled(right)].map((body): Request => {
      const raw = JSON.stringify(body)
      return { name: `${name} ${raw.slice(0, 200)}`, method, address, headers: headers ?? {}, raw }
    })
    // Sign-ups and members cost a password hash each: a sample says the same.
    await askAll(/signup|login|members|password/.test(path) ? requests.filter((_, index) => index % 4 === 0) : requests)
    for (const read of ['/sync', '/strings', '/locales']) {
      const { text } = await ws.app.get(read)
      assert.doesNotThrow(() => JSON.parse(text), name)
      assertNoInside(text, name)
    }
  }
})
