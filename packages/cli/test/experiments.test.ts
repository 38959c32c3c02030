/** Experiments as the command line shows them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storeExperiment } from '../../server/test/builders/experiments.ts'
import { startApp } from '../../server/test/harness/start-app.ts'
import { expectExit, keysOf, openFolder } from './cli.ts'

const { workspace, ctx, url } = await startApp()

test('experiments are listed and shown with what they say', async () => {
  const ws = await workspace()
  const folder = openFolder({ ...keysOf(url, ws), CONTENTFLOW_TOKEN: ws.token, CONTENTFLOW_WORKSPACE: ws.id })
  assert.equal(expectExit(await folder.run(['experiments', 'list']), 0).out, 'no experiment yet\n')
  const counted = [
    { variantId: 'a', day: '2026-11-20', units: 1_000, did: 200 },
    { variantId: 'b', day: '2026-11-20', units: 1_000, did: 120 },
  ]
  await storeExperiment(ctx, ws.id, { id: 'campaign:eid', name: 'Two titles', counted })
  assert.equal(
    expectExit(await folder.run(['experiments', 'list']), 0).out,
    'campaign:eid  Two titles: running, 2000 devices. a is better than b, whenever one looks.\n',
  )
  const { out } = expectExit(await folder.run(['experiments', 'show', 'campaign:eid']), 0)
  assert.match(
    out,
    /^Two titles: running, run 1\na is better than b, whenever one looks\.\nby click \(people\) within 7 days\na: 1000 devices, 200 did it, mean 0\.2 /,
  )
  assert.equal(JSON.parse(expectExit(await folder.run(['experiments', 'show', 'campaign:eid', '--json']), 0).out).units, 2_000)
  assert.match(expectExit(await folder.run(['experiments', 'show', 'campaign:no-such']), 1).err, /experiment not found/)
})
