/** The sweep over routes that write. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDestructive, openRouteSweep } from './sweep-routes.ts'

const { routes, withMembers, sweep } = await openRouteSweep()
const wanted = routes.filter((route) => !['GET', 'HEAD'].includes(route.method) && !isDestructive(route))

test('C-ERR-28 C-ERR-30 M-ERR-19 odd bodies and parameters to every route that writes with every role: never 5xx, always the envelope, no row changed', async () => {
  assert.ok(wanted.length > 100)
  const fixture = await withMembers()
  for (const route of wanted) await sweep(route, fixture)
})
