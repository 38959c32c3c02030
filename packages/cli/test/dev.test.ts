/** Files of a project go to its sandbox as they change, and nowhere else. */
import assert from 'node:assert/strict'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { expectStatus } from '../../server/test/builders/builders.ts'
import { startApp } from '../../server/test/harness/start-app.ts'
import { expectExit, openFolder } from './cli.ts'

const { workspace, url } = await startApp()

const block = (key: string) => ({ key, fields: [{ id: 'f', tag: '#title', type: 'text' }] })
const PROJECT = {
  manifest: 'content/blocks.json',
  texts: 'content/texts.yaml',
  events: 'content/events.json',
  document: 'content/workspace.json',
}

async function openProject() {
  const ws = await workspace()
  const folder = openFolder({ CONTENTFLOW_URL: url, CONTENTFLOW_TOKEN: ws.token, CONTENTFLOW_WORKSPACE: ws.id })
  mkdirSync(join(folder.path, 'content'))
  folder.write('contentflow.json', PROJECT)
  folder.write('content/blocks.json', { blocks: [block('hero')] })
  folder.write('content/texts.yaml', 'strings:\n  - key: home\n    sourceText: Home\n')
  folder.write('content/events.json', { types: [{ name: 'order' }] })
  folder.write('content/workspace.json', {
    geofences: [{ id: 'g', name: 'Home', latitude: 24, longitude: 46, radiusMeters: 100 }],
    blocks: [],
  })
  const makeSandbox = async () => {
    const { workspaceId } = expectStatus(await ws.admin.post('/settings/sandbox', {}), 201).data
    const headers = { 'x-tenant-id': workspaceId as string }
    return (path: string) => ws.admin.get(path, { headers }).then((answer) => expectStatus(answer, 200).data)
  }
  return { ws, folder, makeSandbox }
}

test('every file is sent at the start and when it changes, an error ends nothing, and live apps get none of it', async () => {
  const { ws, folder, makeSandbox } = await openProject()
  const inSandbox = await makeSandbox()
  const running = folder.start(['dev'])
  await running.seen(/(Changes of content\/workspace\.json, .*texts\.yaml go to Shop \(sandbox\))/)
  assert.equal(await running.seen(/content\/workspace\.json: (.*)\n/), '+ geofences g')
  assert.equal(await running.seen(/content\/blocks\.json: (.*)\n/), '+ hero')
  assert.equal(await running.seen(/content\/events\.json: (.*)\n/), '+ order')
  assert.equal(await running.seen(/content\/texts\.yaml: (.*)\n/), '1 created, 0 updated, 0 translations written')

  folder.write('content/blocks.json', '{ "blocks": [')
  await running.seen(/(content\/blocks\.json is not JSON)/)
  folder.write('content/blocks.json', { blocks: [block('hero'), { key: 'Bad Key' }] })
  await running.seen(/(content\/blocks\.json: Bad Key: key must match)/)
  folder.write('content/blocks.json', { blocks: [block('card')] })
  assert.equal(await running.seen(/content\/blocks\.json: (.*card.*)\n/), '+ card, - hero')
  // As some editors save: another file in its place.
  rmSync(join(folder.path, 'content/texts.yaml'))
  folder.write('content/texts.yaml', 'strings:\n  - key: home\n    sourceText: Welcome\n')
  await running.seen(/content\/texts\.yaml: (0 created, 1 updated)/)

  assert.deepEqual(
    (await inSandbox('/blocks')).blocks.map(({ key }: { key: string }) => key),
    ['card'],
  )
  assert.equal((await inSandbox('/geofences')).geofences.length, 1)
  assert.deepEqual(expectStatus(await ws.admin.get('/blocks'), 200).data.blocks, [])
  assert.deepEqual(expectStatus(await ws.admin.get('/geofences'), 200).data.geofences, [])
  assert.match((await inSandbox('/settings/write-keys')).keys[0].name, /^contentflow dev on /)
  running.press('SIGINT')
  expectExit(await running.ended, 0)
  assert.deepEqual((await inSandbox('/settings/write-keys')).keys, [], 'its key ends with it')
})

test('for programs it is a line of JSON for each file, and it waits for a file that is not there yet', async () => {
  const { folder, makeSandbox } = await openProject()
  await makeSandbox()
  rmSync(join(folder.path, 'content/blocks.json'))
  folder.write('contentflow.json', { manifest: PROJECT.manifest })
  const running = folder.start(['dev', '--json'])
  await running.seen(/("missing":true)/)
  folder.write('content/blocks.json', { blocks: [{ key: 'Bad Key' }] })
  assert.equal(await running.seen(/"code":"(\w+)"/), 'FILE')
  folder.write('content/blocks.json', { blocks: [block('hero')] })
  await running.seen(/("created":\["hero"\])/)
  running.press('SIGTERM')
  const { out, err } = expectExit(await running.ended, 0)
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    lines.map((line) => Object.keys(line)),
    [
      ['watching', 'sandbox'],
      ['file', 'missing'],
      ['file', 'kind', 'report'],
    ],
  )
  assert.equal(JSON.parse(err).file, 'content/blocks.json')
})

test('without a sandbox nothing is sent, and nothing with a token of a service account', async () => {
  const { ws, folder } = await openProject()
  assert.match(expectExit(await folder.run(['dev']), 1).err, /Shop has no sandbox, and without one live apps would get what is pushed/)
  assert.deepEqual(expectStatus(await ws.admin.get('/blocks'), 200).data.blocks, [])
  const { id } = expectStatus(await ws.admin.post('/service-accounts', { name: 'Build', role: 'admin' }), 201).data
  const { token } = expectStatus(await ws.admin.post(`/service-accounts/${id}/tokens`, {}), 201).data
  assert.match(expectExit(await folder.run(['dev'], { CONTENTFLOW_TOKEN: token }), 1).err, /This takes a person who is signed in/)
  folder.write('contentflow.json', {})
  assert.match(expectExit(await folder.run(['dev']), 1).err, /names no file that could be sent/)
  assert.match(expectExit(await openFolder().run(['dev']), 1).err, /contentflow init writes one/)
})
