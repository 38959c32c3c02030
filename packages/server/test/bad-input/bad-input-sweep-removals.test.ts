/** The sweep over routes that take something away: each has things of its own. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDestructive, openRouteSweep } from './sweep-routes.ts'

const { routes, withMembers, sweep } = await openRouteSweep()
const wanted = routes.filter(isDestructive)

test('C-ERR-28 C-ERR-30 odd bodies and parameters to every route that takes something away', async () => {
  assert.ok(wanted.length > 20)
  let fixture = await withMembers()
  for (const route of wanted) if (await sweep(route, fixture)) fixture = await withMembers()
})
