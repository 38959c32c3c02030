/** The project file: written by init, read by every command, and never a way to credentials. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { expectStatus } from '../../server/test/builders/builders.ts'
import { startApp } from '../../server/test/harness/start-app.ts'
import { expectExit, keysOf, openFolder, startAtTerminal, type Folder } from './cli.ts'

const { workspace, url } = await startApp()

const HERO = { key: 'hero', fields: [{ id: 'f', tag: '#title', type: 'text' }] }
const storeRc = (folder: Folder, held: object) => folder.write('.contentflowrc', held, 0o600)

test('init writes the file, keeps the one that is there, and takes everything as options', async () => {
  const folder = openFolder()
  const made = expectExit(await folder.run(['init']), 0)
  assert.equal(made.out, 'Wrote contentflow.json. Next: contentflow login --web\n')
  assert.deepEqual(JSON.parse(folder.read('contentflow.json')), {
    $schema: 'http://127.0.0.1:8080/schemas/project.json',
    server: 'http://127.0.0.1:8080',
    manifest: 'content/blocks.json',
    texts: 'content/texts.json',
  })
  assert.match(expectExit(await folder.run(['init']), 1).err, /is there already\. Edit it, or write another one over it with --force/)
  const options = ['--server', `${url}/api/v1`, '--workspace', 'w1', '--manifest', 'm.json', '--texts', '', '--lang', 'kotlin']
  const again = expectExit(await folder.run(['init', '--force', '--json', ...options]), 0)
  const project = {
    $schema: `${url}/schemas/project.json`,
    server: url,
    workspace: 'w1',
    manifest: 'm.json',
    types: [{ lang: 'kotlin', out: 'Content.kt' }],
  }
  assert.deepEqual(JSON.parse(again.out), { file: 'contentflow.json', project })
  assert.deepEqual(JSON.parse(folder.read('contentflow.json')), project)
  assert.match(expectExit(await folder.run(['init', '--force', '--lang', 'cobol']), 1).err, /--lang must be one of/)
  assert.match(expectExit(await folder.run(['init', '--force', '--out', 'x.ts']), 1).err, /say its language with --lang/)
})

test('at a terminal init asks for what no option says', async () => {
  const folder = openFolder()
  const running = startAtTerminal(folder, ['init', '--workspace', 'w1', '--events', ''])
  for (const [asked, typed] of [
    [/(Server)/, '\r'],
    [/(Manifest of block types)/, '\r'],
    [/(File of texts)/, '\r'],
    [/(Workspace as one document)/, 'all.yaml\r'],
    [/(Typed code)/, '\r'],
    [/(File of typed code)/, '\r'],
  ] as const) {
    await running.seen(asked)
    running.type(typed)
  }
  assert.match(expectExit(await running.ended, 0).out, /Wrote contentflow\.json/)
  assert.deepEqual(JSON.parse(folder.read('contentflow.json')), {
    $schema: 'http://127.0.0.1:8080/schemas/project.json',
    server: 'http://127.0.0.1:8080',
    workspace: 'w1',
    manifest: 'content/blocks.json',
    texts: 'content/texts.json',
    document: 'all.yaml',
    types: [{ lang: 'ts', out: 'src/content.d.ts' }],
  })
  const left = startAtTerminal(folder, ['init', '--force'])
  await left.seen(/(Server)/)
  left.type('\u0003')
  assert.match(expectExit(await left.ended, 1).out, /Nothing was written/)
})

test('commands take server and files from it, from every folder below; what is typed and the environment go before', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  const folder = openFolder({ CONTENTFLOW_WRITE_KEY: ws.writeKey })
  for (const name of ['content', 'src']) mkdirSync(join(folder.path, name))
  folder.write('contentflow.json', {
    server: url,
    manifest: 'content/blocks.json',
    texts: ['content/home.json', 'content/cart.yaml'],
    events: 'content/events.json',
    types: [
      { lang: 'ts', out: 'src/content.d.ts' },
      { lang: 'kotlin', out: 'src/Content.kt', package: 'com.example' },
    ],
  })
  folder.write('content/blocks.json', { blocks: [HERO] })
  folder.write('content/home.json', { strings: [{ key: 'home', sourceText: 'Home' }] })
  folder.write('content/cart.yaml', 'strings:\n  - key: cart\n    sourceText: Cart\n')
  folder.write('content/events.json', { types: [{ name: 'order' }] })
  folder.write('other.json', { blocks: [HERO, { key: 'other' }] })

  const below = { cwd: 'src' }
  expectExit(await folder.run(['blocks', 'sync'], {}, below), 0)
  assert.match(expectExit(await folder.run(['strings', 'push'], {}, below), 0).out, /^2 created/)
  expectExit(await folder.run(['events', 'push'], {}, below), 0)
  assert.equal(expectExit(await folder.run(['types'], {}, below), 0).out, 'Wrote content.d.ts\nWrote Content.kt\n')
  assert.match(readFileSync(join(folder.path, 'src/Content.kt'), 'utf8'), /^package com\.example$/m)
  expectExit(await folder.run(['types', '--check']), 0)
  assert.equal(
    expectExit(await folder.run(['types', '--check', '--json']), 0)
      .out.trim()
      .split('\n').length,
    2,
    'a line for each file',
  )
  assert.equal(expectExit(await folder.run(['blocks', 'diff', '../other.json'], {}, below), 2).out, '+ other created\n')
  assert.match(expectExit(await folder.run(['strings', 'pull']), 1).err, /contentflow\.json names several texts: name one/)
  assert.match(expectExit(await folder.run(['workspace', 'plan']), 1).err, /Name it, or let contentflow\.json name it as document/)
  const env = { CONTENTFLOW_URL: url, CONTENTFLOW_WRITE_KEY: other.writeKey }
  assert.equal(expectExit(await folder.run(['blocks', 'diff'], env), 2).out, '+ hero created\n')
  assert.match(expectExit(await folder.run(['blocks', 'diff'], { CONTENTFLOW_URL: 'http://127.0.0.1:9' }), 1).err, /cannot be reached/)
})

test('stored credentials are sent to no other server, and keys to no other workspace, whatever a project file says', async () => {
  const ws = await workspace()
  const folder = openFolder()
  folder.write('blocks.json', { blocks: [HERO] })
  const asked: string[] = []
  const stranger = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end('{}')
  })
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
  after(() => stranger.close())
  const elsewhere = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`
  const diff = ['blocks', 'diff', 'blocks.json']

  storeRc(folder, { url, writeKey: ws.writeKey, token: ws.token, workspace: ws.id })
  expectExit(await folder.run(diff), 2)
  folder.write('contentflow.json', { server: elsewhere })
  assert.match(expectExit(await folder.run(diff), 1).err, /set CONTENTFLOW_WRITE_KEY/)
  assert.match(expectExit(await folder.run(['reports', 'list']), 1).err, /takes somebody signed in/)
  storeRc(folder, { writeKey: ws.writeKey, token: ws.token, workspace: ws.id })
  assert.match(expectExit(await folder.run(diff), 1).err, /set CONTENTFLOW_WRITE_KEY/)
  assert.deepEqual(asked, [])

  storeRc(folder, { url, writeKey: ws.writeKey, token: ws.token, workspace: ws.id })
  folder.write('contentflow.json', { server: url, workspace: ws.id })
  expectExit(await folder.run(diff), 2)
  folder.write('contentflow.json', { server: `${url}/`, workspace: 'another' })
  assert.match(expectExit(await folder.run(diff), 1).err, /set CONTENTFLOW_WRITE_KEY/)
  const { id } = expectStatus(await ws.admin.post('/service-accounts', { name: 'CI', role: 'viewer' }), 201).data
  const { token } = expectStatus(await ws.admin.post(`/service-accounts/${id}/tokens`, {}), 201).data
  assert.match(
    expectExit(await folder.run(['reports', 'list'], { CONTENTFLOW_TOKEN: token }), 1).err,
    /contentflow\.json is of the workspace another, and the token opens \S+\. Take a token of another/,
  )
})

test('what is wrong with the file is said, and a key in it is refused', async () => {
  const ws = await workspace()
  const folder = openFolder(keysOf(url, ws))
  for (const [content, says] of [
    ['{', /^contentflow\.json cannot be read: /],
    [[], /^contentflow\.json: must be an object/],
    [{ manifst: 'x' }, /manifst is not known; it takes server, workspace, manifest/],
    [{ writeKey: 'wk' }, /keys and tokens never stand in this file/],
    [{ server: 5 }, /server must be a text/],
    [{ texts: [] }, /texts must be a path, or a list of paths/],
    [{ types: { lang: 'cobol', out: 'x' } }, /types must be \{lang, out, package\?\}/],
  ] as const) {
    folder.write('contentflow.json', content)
    const { err } = expectExit(await folder.run(['blocks', 'diff', '--json']), 1)
    const { error, code } = JSON.parse(err)
    assert.match(error, says)
    assert.equal(code, 'FILE')
  }
  folder.write('contentflow.json', { server: 'ftp://x' })
  assert.match(expectExit(await folder.run(['doctor'], { CONTENTFLOW_URL: '' }), 1).err, /must be an address/)
})
