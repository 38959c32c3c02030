/** Block types and texts from a pipeline: the built command line against the product itself. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { expectStatus } from '../../server/test/builders/builders.ts'
import { startApp } from '../../server/test/harness/start-app.ts'
import { expectExit, keysOf, openFolder } from './cli.ts'

const { workspace, url } = await startApp()

const HERO = { key: 'hero', name: 'Hero', fields: [{ id: 'f1', tag: '#title', type: 'text' }] }

test('M-SYNC blocks diff says what a sync would change, and nothing after it', async () => {
  const ws = await workspace()
  const folder = openFolder(keysOf(url, ws))
  await ws.block('old_one')
  folder.write('manifest.json', { blocks: [HERO] })

  const before = expectExit(await folder.run(['blocks', 'diff', 'manifest.json']), 2)
  assert.equal(before.out, '+ hero created\n- old_one archived\n')
  const synced = expectExit(await folder.run(['blocks', 'sync', 'manifest.json']), 0)
  assert.match(synced.out, /^created hero\narchived old_one\n/)
  assert.equal(expectExit(await folder.run(['blocks', 'diff', 'manifest.json']), 0).out, 'The block types are those of the manifest\n')

  const fields = [
    { id: 'f1', tag: '#headline', type: 'text' },
    { id: 'f2', tag: '#link', type: 'url' },
  ]
  folder.write('next.yaml', `blocks:\n  - ${JSON.stringify({ ...HERO, fields })}\n`)
  const next = expectExit(await folder.run(['blocks', 'diff', 'next.yaml']), 2)
  assert.match(next.out, /field #title renamed to #headline: apps that read #title get nothing\n.*field #link added \(url\)/)
  const json = expectExit(await folder.run(['blocks', 'diff', 'next.yaml', '--json']), 2)
  assert.deepEqual(JSON.parse(json.out).differences[0].change, 'changed')
})

test('M-SYNC what the server answers as a manifest is taken back without a change', async () => {
  const ws = await workspace()
  const fields = [
    { id: 's', tag: '#size', type: 'select', options: ['small', { value: 'big', label: 'Big' }], default: 'small' },
    { id: 'c', tag: '#items', type: 'collection', allowedBlockKeys: ['hero'], minItems: 1 },
  ]
  await ws.block('hero')
  await ws.block('list', { fields, designType: 'list', interruptive: true, inCampaigns: true, screen: 'home' })
  const { data } = expectStatus(await ws.write.get('/cards/sync'), 200)
  const report = expectStatus(await ws.write.post('/cards/sync', data), 200).data
  assert.deepEqual(report.unchanged, ['hero', 'list'])
})

test('a manifest that cannot be taken is refused before anything is sent', async () => {
  const ws = await workspace()
  const folder = openFolder(keysOf(url, ws))
  folder.write('bad.json', { blocks: [HERO, { key: 'Bad Key' }] })
  const ran = expectExit(await folder.run(['blocks', 'sync', 'bad.json']), 1)
  assert.match(ran.err, /bad\.json: Bad Key: key must match/)
  folder.write('empty.json', { blocks: [] })
  assert.match(expectExit(await folder.run(['blocks', 'sync', 'empty.json']), 1).err, /names no block type/)
  assert.deepEqual(expectStatus(await ws.write.get('/cards/sync'), 200).data.blocks, [])
})

test('M-STRS texts go there and back: push, pull and push again change nothing', async () => {
  const ws = await workspace()
  const folder = openFolder(keysOf(url, ws))
  expectStatus(await ws.admin.post('/locales', { code: 'ar' }), 201)
  folder.write('texts.csv', 'key,namespace,sourceText,ar\nhome.title,home,"Hello, {name}","أهلًا {name}"\nhome.more,home,More,\n')
  assert.match(
    expectExit(await folder.run(['strings', 'push', 'texts.csv']), 0).out,
    /^2 created, 0 updated, 0 unchanged; 1 translations written\n/,
  )
  const status = expectExit(await folder.run(['strings', 'status']), 2)
  assert.equal(status.out, '2 texts in en\nar: 1 approved, 0 in review, 1 missing\n')

  for (const name of ['all.json', 'all.yaml', 'all.csv', 'all.tsv']) {
    expectExit(await folder.run(['strings', 'pull', name]), 0)
    const again = expectExit(await folder.run(['strings', 'push', name]), 0)
    assert.match(again.out, /^0 created, 0 updated, 2 unchanged; 0 translations written\n/, name)
  }
  expectStatus(await ws.admin.put('/strings/home.more/translations/ar', { text: 'المزيد' }), 200)
  assert.match(expectExit(await folder.run(['strings', 'status', '--json']), 2).out, /"review":1,"missing":0/)
  // What nobody approved is not pulled, or pushing it would approve it.
  expectExit(await folder.run(['strings', 'pull', 'later.json']), 0)
  assert.doesNotMatch(folder.read('later.json'), /المزيد/)
  expectStatus(await ws.admin.post('/strings/home.more/translations/ar/approve', {}), 200)
  assert.match(expectExit(await folder.run(['strings', 'status', '--locale', 'ar']), 0).out, /ar: 2 approved, 0 in review, 0 missing/)
})

test('a file is what its ending says: tabs in a .tsv, standard output for -, and an ending that is not known is refused before anything is written', async () => {
  const ws = await workspace()
  const folder = openFolder(keysOf(url, ws))
  const sourceText = 'One\ttab, a comma and a "quote"'
  folder.write('texts.json', { strings: [{ key: 'a', namespace: 'home', sourceText }] })
  expectExit(await folder.run(['strings', 'push', 'texts.json']), 0)
  expectExit(await folder.run(['strings', 'pull', 'all.tsv']), 0)
  const quoted = `"${sourceText.replaceAll('"', '""')}"`
  assert.equal(folder.read('all.tsv'), `key\tnamespace\tdescription\tsourceText\r\na\thome\t\t${quoted}\r\n`)
  assert.match(expectExit(await folder.run(['strings', 'push', 'all.tsv']), 0).out, /1 unchanged/)

  const { out, err } = expectExit(await folder.run(['strings', 'pull', '-']), 0)
  assert.equal(JSON.parse(out).strings[0].sourceText, sourceText)
  assert.equal(err, '1 texts in -\n')
  assert.match(expectExit(await folder.run(['types', '--lang', 'ts', '--out', '-']), 0).out, /export interface Texts/)

  for (const [args, wanted] of [
    [['strings', 'pull', 'x.xliff'], '.json, .yaml, .yml, .csv, .tsv'],
    [['strings', 'pull', 'x'], '.json, .yaml, .yml, .csv, .tsv'],
    [['strings', 'push', 'x.xliff'], '.json, .yaml, .yml, .csv, .tsv'],
    [['blocks', 'sync', 'x.toml'], '.json, .yaml, .yml'],
    [['workspace', 'export', 'x.txt'], '.json, .yaml, .yml'],
    [['workspace', 'plan', 'x.csv'], '.json, .yaml, .yml'],
  ] as const) {
    const name = args[2]
    const refused = expectExit(await folder.run([...args]), 1)
    assert.equal(refused.err, `${name}: what is in it is told by its ending, which must be one of ${wanted}\n`)
  }
  assert.match(expectExit(await folder.run(['import', 'people.xlsx']), 1).err, /must be a CSV file/)
  assert.deepEqual(readdirSync(folder.path).toSorted(), ['all.tsv', 'texts.json'])
})

test('a catalog of several pages is read whole', async () => {
  const ws = await workspace()
  const folder = openFolder(keysOf(url, ws))
  const strings = Array.from({ length: 2_500 }, (_, n) => ({ key: `k.${n}`, sourceText: `Text ${n}` }))
  folder.write('many.json', { strings })
  assert.match(expectExit(await folder.run(['strings', 'push', 'many.json']), 0).out, /^2500 created/)
  assert.match(expectExit(await folder.run(['strings', 'pull', 'back.json']), 0).out, /^2500 texts/)
  assert.equal(JSON.parse(folder.read('back.json')).strings.length, 2_500)
})

test('what is missing or wrong says what to do', async () => {
  const ws = await workspace()
  const folder = openFolder()
  const run = (args: string[], env: Record<string, string>) => folder.run(args, env).then((ran) => expectExit(ran, 1).err)
  folder.write('manifest.json', { blocks: [HERO] })
  const sync = ['blocks', 'sync', 'manifest.json']
  assert.match(await run(sync, {}), /Set CONTENTFLOW_URL, for example/)
  assert.match(await run(sync, { CONTENTFLOW_URL: url }), /set CONTENTFLOW_WRITE_KEY/)
  assert.match(
    await run(sync, { CONTENTFLOW_URL: url, CONTENTFLOW_WRITE_KEY: 'wk_live_wrong' }),
    /invalid write key \(the key is CONTENTFLOW_WRITE_KEY\)/,
  )
  assert.match(await run(['blocks', 'sync', 'nowhere.json'], keysOf(url, ws)), /nowhere\.json cannot be read/)
  assert.match(await run(['explain', 'hero'], { CONTENTFLOW_URL: url }), /contentflow login/)
  assert.match(await run(['types', '--lang', 'cobol'], keysOf(url, ws)), /--lang must be one of ts, swift, kotlin, dart/)
  assert.match(await run(['nonsense'], {}), /unknown command/)
  assert.match(await run(sync, { CONTENTFLOW_URL: 'http://127.0.0.1:9', CONTENTFLOW_WRITE_KEY: 'wk' }), /cannot be reached/)
  const refused = JSON.parse(await run([...sync, '--json'], { CONTENTFLOW_URL: url, CONTENTFLOW_WRITE_KEY: 'wk_live_wrong' }))
  assert.match(refused.error, /invalid write key/)
})
