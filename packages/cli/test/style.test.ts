/** How differences look: at a terminal, in a file, and with texts from right to left. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../../server/test/builders/builders.ts'
import { startApp } from '../../server/test/harness/start-app.ts'
import { expectExit, keysOf, openFolder, startAtTerminal } from './cli.ts'

const { workspace, url } = await startApp()
const [GREEN, YELLOW, END] = ['\u001B[32m', '\u001B[33m', '\u001B[39m']
const isolated = (text: string) => `\u2068${text}\u2069`

async function openTexts() {
  const ws = await workspace()
  const env = keysOf(url, ws)
  const folder = openFolder(env)
  expectStatus(await ws.admin.post('/locales', { code: 'ar' }), 201)
  folder.write('before.json', { strings: [{ key: 'home', sourceText: 'Home', values: { ar: 'الرئيسية' } }] })
  expectExit(await folder.run(['strings', 'push', 'before.json']), 0)
  folder.write('texts.json', {
    strings: [
      { key: 'cart', sourceText: 'Cart' },
      { key: 'home', sourceText: 'Home', values: { ar: 'البداية', fr: 'Accueil' } },
    ],
  })
  return { ws, env, folder }
}

test('strings diff says what a push would change, as the server then does', async () => {
  const { folder } = await openTexts()
  const { out } = expectExit(await folder.run(['strings', 'diff', 'texts.json']), 2)
  assert.equal(
    out,
    '+ cart\n    sourceText: "Cart"\n    namespace: "app"\n~ home\n    ar: "الرئيسية" → "البداية"\nLeft out, because the workspace has no such language: fr\n',
  )
  const json = JSON.parse(expectExit(await folder.run(['strings', 'diff', 'texts.json', '--json']), 2).out)
  assert.deepEqual(json.differences[1], {
    key: 'home',
    change: 'updated',
    details: [{ member: 'ar', before: 'الرئيسية', after: 'البداية' }],
    toReview: false,
  })
  assert.match(expectExit(await folder.run(['strings', 'push', 'texts.json']), 0).out, /^1 created, 1 updated, 0 unchanged; 1 translations/)
  assert.match(expectExit(await folder.run(['strings', 'diff', 'texts.json']), 0).out, /The texts are those of the file\n$/)
  folder.write('next.json', { strings: [{ key: 'home', sourceText: 'Start' }, { key: 'new' }] })
  const next = expectExit(await folder.run(['strings', 'diff', 'next.json']), 2).out
  assert.match(next, /~ home\n {4}sourceText: "Home" → "Start"\n {4}its translations that are not sent go to review\n! new\n/)
})

test('colours are for terminals: forced with FORCE_COLOR, and never with NO_COLOR, in a pipeline or in a file', async () => {
  const { env, folder } = await openTexts()
  const plain = expectExit(await folder.run(['strings', 'diff', 'texts.json']), 2).out
  // eslint-disable-next-line no-control-regex
  assert.doesNotMatch(plain, /[\u001B\u2068\u2069]/)
  const forced = expectExit(await folder.run(['strings', 'diff', 'texts.json'], { FORCE_COLOR: '1' }), 2).out
  assert.ok(forced.startsWith(`${GREEN}+ cart${END}\n`), forced)
  assert.ok(forced.includes(`${YELLOW}~ home${END}\n`))
  assert.ok(forced.includes(isolated('"الرئيسية"')) && forced.includes(isolated('"البداية"')), 'Arabic texts keep to themselves')
  const atTerminal = async (more: Record<string, string>) =>
    (await startAtTerminal(folder, ['strings', 'diff', 'texts.json'], { ...env, ...more }).ended).out
  assert.ok((await atTerminal({})).includes(`${GREEN}+ cart${END}`))
  const PLAIN: Record<string, string>[] = [{ NO_COLOR: '1' }, { CI: 'true' }, { TERM: 'dumb' }, { FORCE_COLOR: '0' }]
  for (const more of PLAIN) {
    const out = await atTerminal(more)
    assert.ok(out.includes('+ cart') && !out.includes('\u001B['), `${JSON.stringify(more)}: ${out}`)
  }
  assert.ok((await atTerminal({ NO_COLOR: '1' })).includes(isolated('"البداية"')), 'the order of letters is no colour')
})

test('manifests, events and the workspace are shown in the same colours', async () => {
  const ws = await workspace()
  const folder = openFolder({ ...keysOf(url, ws), CONTENTFLOW_TOKEN: ws.token, CONTENTFLOW_WORKSPACE: ws.id, FORCE_COLOR: '1' })
  await ws.block('hero', { name: 'بطل' })
  folder.write('blocks.json', { blocks: [{ key: 'card' }, { key: 'hero', name: 'واجهة' }] })
  const blocks = expectExit(await folder.run(['blocks', 'diff', 'blocks.json']), 2).out
  assert.ok(blocks.startsWith(`${GREEN}+ card created${END}\n${YELLOW}~ hero changed${END}\n`), blocks)
  assert.ok(blocks.includes(`name: ${isolated('"بطل"')} → ${isolated('"واجهة"')}`), blocks)
  folder.write('events.json', { types: [{ name: 'order' }] })
  assert.ok(expectExit(await folder.run(['events', 'push', 'events.json', '--dry-run']), 2).out.startsWith(`${GREEN}+ order${END}\n`))
  folder.write('all.json', {
    segments: [{ name: 'ذهبي', logicalOperator: 'AND', rules: [{ field: 'customAttributes.plan', operator: 'exists' }] }],
  })
  const plan = expectExit(await folder.run(['workspace', 'plan', 'all.json']), 2).out
  assert.ok(plan.startsWith(`${GREEN}+ segments ${isolated('ذهبي')}${END}\n`), plan)
})

test('workspace diff shows values before and after, member by member', async () => {
  const ws = await workspace()
  const folder = openFolder({ CONTENTFLOW_URL: url, CONTENTFLOW_TOKEN: ws.token, CONTENTFLOW_WORKSPACE: ws.id })
  expectStatus(await ws.admin.post('/geofences', { name: 'Home', latitude: 24.7, longitude: 46.7, radiusMeters: 150 }), 201)
  const { geofences, settings } = JSON.parse(expectExit(await folder.run(['workspace', 'export', '--json']), 0).out)
  const [fence] = geofences
  folder.write('all.json', {
    settings: { publishApproval: true, features: { ...settings.features, location: !settings.features.location } },
    geofences: [
      { ...fence, name: 'بيت', radiusMeters: 200 },
      { ...fence, id: 'new' },
    ],
  })
  const { out } = expectExit(await folder.run(['workspace', 'diff', 'all.json', '--only', 'geofences,settings']), 2)
  assert.match(out, /^~ settings features\n( {4}.*\n)+~ settings publishApproval\n {4}value: false → true\n/)
  assert.ok(out.includes(`~ geofences ${fence.id}\n    name: "Home" → "بيت"\n    radiusMeters: 150 → 200\n`), out)
  assert.match(out, /\+ geofences new\n$/)
  const json = JSON.parse(expectExit(await folder.run(['workspace', 'diff', 'all.json', '--json', '--only', 'geofences']), 2).out)
  assert.deepEqual(json.differences[0].values[1], { path: 'radiusMeters', before: 150, after: 200 })
  expectExit(await folder.run(['workspace', 'apply', 'all.json', '--yes']), 0)
  assert.equal(expectExit(await folder.run(['workspace', 'diff', 'all.json']), 0).out, 'The workspace is what the file says\n')
})
