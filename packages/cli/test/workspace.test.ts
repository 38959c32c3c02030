/** The workspace as a file, from the command line. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD, expectStatus, uniqueEmail, type Workspace } from '../../server/test/builders/builders.ts'
import { startApp } from '../../server/test/harness/start-app.ts'
import { expectExit, openFolder } from './cli.ts'

const { workspace, url } = await startApp()

async function open() {
  const email = uniqueEmail()
  const ws = await workspace({ email })
  const folder = openFolder({ CONTENTFLOW_URL: url, CONTENTFLOW_EMAIL: email, CONTENTFLOW_PASSWORD: PASSWORD })
  return { ws, folder }
}

async function fill(ws: Workspace): Promise<void> {
  await ws.block('hero')
  const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }]
  expectStatus(await ws.admin.post('/segments', { name: 'ذهبي: "yes"', logicalOperator: 'AND', rules }), 201)
  expectStatus(await ws.admin.post('/geofences', { name: 'no', latitude: 24.7, longitude: 46.7, radiusMeters: 150 }), 201)
}

test('staging to production: export, plan, apply, and the same file once more', async () => {
  const [staging, production] = [await open(), await open()]
  await fill(staging.ws)
  const exported = expectExit(await staging.folder.run(['workspace', 'export', 'all.yaml']), 0)
  assert.equal(
    exported.out,
    '13 settings, 1 locales, 0 strings, 1 blocks, 0 events, 1 segments, 0 reports, 1 geofences, 0 instances, 0 mails, 0 topics, 0 journeys, 0 campaigns, 0 experiments, 0 webhooks, 0 channels in all.yaml\n',
  )
  const file = staging.folder.read('all.yaml')
  production.folder.write('all.yaml', file)

  const planned = expectExit(await production.folder.run(['workspace', 'plan', 'all.yaml']), 2)
  assert.match(
    planned.out,
    /^\+ blocks hero\n\+ segments ذهبي: "yes"\n {4}0 people come in, 0 go out\n\+ geofences \S+\n3 changes\. Plan [0-9a-f]{64}\n$/,
  )
  assert.match(
    expectExit(await production.folder.run(['workspace', 'apply', 'all.yaml']), 1).err,
    /Nothing was changed: nobody can be asked/,
  )
  assert.deepEqual(expectStatus(await production.ws.admin.get('/segments'), 200).data.segments, [])

  const only = ['--only', 'segments, geofences']
  expectExit(await production.folder.run(['workspace', 'apply', 'all.yaml', '--yes', ...only]), 0)
  assert.deepEqual(expectStatus(await production.ws.admin.get('/blocks'), 200).data.blocks, [])
  assert.match(expectExit(await production.folder.run(['workspace', 'apply', 'all.yaml', '--yes']), 0).out, /1 changes applied/)
  assert.equal(expectExit(await production.folder.run(['workspace', 'export']), 0).out, file)
  assert.equal(expectExit(await production.folder.run(['workspace', 'plan', 'all.yaml']), 0).out, 'The workspace is what the file says\n')
  const some = expectExit(await staging.folder.run(['workspace', 'export', '--json', '--only', 'locales,segments']), 0).out
  assert.deepEqual(Object.keys(JSON.parse(some)), ['locales', 'segments'])
  expectExit(await staging.folder.run(['workspace', 'export', 'all.json']), 0)
  assert.match(expectExit(await staging.folder.run(['workspace', 'plan', 'all.json']), 0).out, /is what the file says/)
})

test('a plan that was looked at is applied only while it is still that one', async () => {
  const { ws, folder } = await open()
  folder.write('code.json', { blocks: [{ key: 'hero', fields: [] }] })
  const { version } = JSON.parse(expectExit(await folder.run(['workspace', 'plan', 'code.json', '--json']), 2).out)
  await ws.block('meanwhile')
  const late = expectExit(await folder.run(['workspace', 'apply', 'code.json', '--planned', version]), 1)
  assert.match(late.err, /was changed since this plan was made.*\[WORKSPACE_CHANGED\]/)
  const again = JSON.parse(expectExit(await folder.run(['workspace', 'plan', 'code.json', '--json']), 2).out)
  assert.deepEqual(
    again.changes.map(({ change, key }: Record<string, string>) => `${change} ${key}`),
    ['create hero', 'delete meanwhile'],
  )
  expectExit(await folder.run(['workspace', 'apply', 'code.json', '--planned', again.version]), 0)
  folder.write('wrong.yaml', 'segments:\n  - name: A\npeople: []\n')
  assert.match(
    expectExit(await folder.run(['workspace', 'plan', 'wrong.yaml']), 1).err,
    /may have settings, locales, .*, channels, not people/,
  )
  assert.match(
    expectExit(await folder.run(['workspace', 'plan', 'code.json', '--only', 'people']), 1).err,
    /--only takes settings, locales/,
  )
})

test('channels travel without their secrets: the plan says that a new one is off, and what goes with one that goes', async () => {
  const [staging, production] = [await open(), await open()]
  const smtp = { host: '93.184.216.34', username: 'news', password: 'hunter2', from: 'news@shop.example' }
  const body = { type: 'email', provider: 'smtp', name: 'Mail', priority: 3, configuration: smtp }
  const { id } = expectStatus(await staging.ws.admin.post('/notifications/channels', body), 201).data
  const only = ['--only', 'channels']
  expectExit(await staging.folder.run(['workspace', 'export', 'channels.yaml', ...only]), 0)
  const file = staging.folder.read('channels.yaml')
  assert.ok(!file.includes('hunter2') && !file.includes('password'))
  production.folder.write('channels.yaml', file)
  assert.match(
    expectExit(await production.folder.run(['workspace', 'plan', 'channels.yaml']), 2).out,
    new RegExp(`^\\+ channels ${id}\n {4}made switched off: enter its secrets, send a test, switch it on\n1 changes`),
  )
  expectExit(await production.folder.run(['workspace', 'apply', 'channels.yaml', '--yes']), 0)
  assert.equal(expectExit(await production.folder.run(['workspace', 'export', ...only]), 0).out, file)
  production.folder.write('none.yaml', 'channels: []\n')
  const stays = `= channels ${id}\n    not in the file, and stays: it is of this installation; --prune channels deletes it\n`
  for (const word of ['plan', 'apply'])
    assert.equal(
      expectExit(await production.folder.run(['workspace', word, 'none.yaml']), 0).out,
      `${stays}The workspace is what the file says, but for what stays\n`,
    )
  const prune = ['none.yaml', '--prune', 'webhooks, channels']
  assert.match(
    expectExit(await production.folder.run(['workspace', 'plan', ...prune]), 2).out,
    new RegExp(`^- channels ${id}\n {4}its secrets go with it, and no file brings them back\n`),
  )
  expectExit(await production.folder.run(['workspace', 'apply', ...prune, '--yes']), 0)
  assert.equal(expectExit(await production.folder.run(['workspace', 'export', ...only]), 0).out, 'channels: []\n')
  assert.match(
    expectExit(await production.folder.run(['workspace', 'plan', 'none.yaml', '--prune', 'segments']), 1).err,
    /--prune takes webhooks, channels, not segments/,
  )
})
