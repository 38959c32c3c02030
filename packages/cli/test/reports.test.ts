/** Saved reports as the command line shows them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../../server/test/builders/builders.ts'
import { rollUp, track } from '../../server/test/builders/events.ts'
import { identify } from '../../server/test/builders/people.ts'
import { startApp } from '../../server/test/harness/start-app.ts'
import { expectExit, keysOf, openFolder } from './cli.ts'

const { workspace, operator, url } = await startApp()

test('reports are listed and answered, as a table and as a file', async () => {
  const ws = await workspace()
  const folder = openFolder({ ...keysOf(url, ws), CONTENTFLOW_TOKEN: ws.token, CONTENTFLOW_WORKSPACE: ws.id })
  const run = (...words: string[]) => folder.run(['reports', ...words])
  assert.equal(expectExit(await run('list'), 0).out, 'no report yet\n')
  for (const [device, types] of [
    ['D', ['view', 'buy']],
    ['E', ['view']],
  ] as const) {
    await identify(ws.app, device, `U-${device}`)
    await track(
      ws.app,
      device,
      types.map((type) => ({ type })),
    )
  }
  await rollUp(operator)
  const definition = { steps: [{ type: 'view' }, { type: 'buy' }], days: 30 }
  expectStatus(await ws.admin.post('/reports', { name: 'From view to buy', kind: 'funnel', definition }), 201)
  assert.equal(expectExit(await run('list'), 0).out, 'From view to buy (funnel)\n')
  const { out } = expectExit(await run('run', 'from view to buy'), 0)
  assert.match(
    out,
    /^step  type  people  share  share of previous  median seconds\n1     view  2       1      1\n2     buy   1       0\.5    0\.5 +\d/,
  )
  assert.match(out, /\nwhat arrived before \d{4}-/)
  const file = expectExit(await run('run', 'From view to buy', '--csv'), 0).out
  assert.match(file, /^\uFEFFstep,type,people,share,share of previous,median seconds\r\n1,view,2,1,1,\r\n2,buy,1,0\.5,/)
  assert.deepEqual(JSON.parse(expectExit(await run('run', 'From view to buy', '--json'), 0).out).kind, 'funnel')
  assert.match(expectExit(await run('run', 'no such'), 1).err, /there is no report "no such"; contentflow reports list shows/)
})
