/** What somebody signed in does from the command line. */
import assert from 'node:assert/strict'
import { chmodSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { PASSWORD, expectStatus, uniqueEmail } from '../../server/test/builders/builders.ts'
import { startApp } from '../../server/test/harness/start-app.ts'
import { addAuthenticator } from '../../server/test/builders/sign-in/second-factors.ts'
import { expectExit, keysOf, openFolder, startAtTerminal } from './cli.ts'

const { workspace, url, ctx } = await startApp({ CF_SIGNUP: 'on' })

async function openPerson() {
  const email = uniqueEmail()
  const ws = await workspace({ email })
  const signIn = { CONTENTFLOW_URL: url, CONTENTFLOW_EMAIL: email, CONTENTFLOW_PASSWORD: PASSWORD }
  return { ws, signIn, folder: openFolder() }
}

test('login keeps the session where only its owner may read it', async () => {
  const { ws, signIn, folder } = await openPerson()
  const ran = expectExit(await folder.run(['login'], { ...signIn, CONTENTFLOW_WRITE_KEY: ws.writeKey }), 0)
  assert.match(ran.out, /^Signed in to Shop \(admin\)/)
  const path = join(folder.path, '.contentflowrc')
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const kept = JSON.parse(folder.read('.contentflowrc'))
  assert.deepEqual([kept.url, kept.workspace, kept.writeKey], [url, ws.id, ws.writeKey])
  assert.doesNotMatch(folder.read('.contentflowrc'), new RegExp(PASSWORD))

  const well = expectExit(await folder.run(['doctor']), 0)
  assert.match(well.out, /ok {3}session: \S+ is admin of Shop/)
  assert.match(well.out, /ok {3}CONTENTFLOW_WRITE_KEY: may declare block types and texts; there are 0 block types/)
  chmodSync(path, 0o644)
  assert.match(expectExit(await folder.run(['doctor']), 1).err, /others may read it. Close it: chmod 600/)
  assert.match(expectExit(await folder.run(['login'], { CONTENTFLOW_RC: join(folder.path, 'other') }), 1).err, /set CONTENTFLOW_URL/)
})

test('login sends the code of a second factor, where the account has one', async () => {
  const { ws, signIn, folder } = await openPerson()
  const { recoveryCodes } = await addAuthenticator(ws.admin, ctx.clock.ms())
  assert.match(expectExit(await folder.run(['login'], signIn), 1).err, /set CONTENTFLOW_OTP/)
  const ran = expectExit(await folder.run(['login'], { ...signIn, CONTENTFLOW_OTP: recoveryCodes[0] ?? '' }), 0)
  assert.match(ran.out, /^Signed in to Shop/)
})

test('login --web waits until somebody confirms the code in a browser, and keeps that session', async () => {
  const { ws, folder } = await openPerson()
  const begin = (args: string[] = []) => {
    const running = folder.start(['login', '--web', ...args], { CONTENTFLOW_URL: url })
    return { ...running, code: running.seen(/shows this code: (\S+)/) }
  }
  const allowed = begin()
  const code = await allowed.code
  const asked = expectStatus(await ws.admin.get(`/auth/device/${code}`), 200).data
  assert.deepEqual([asked.host, asked.code], [hostname(), code])
  expectStatus(await ws.admin.put(`/auth/device/${code}`, { allow: true }), 200)
  const ran = expectExit(await allowed.ended, 0)
  assert.match(ran.out, new RegExp(`^Open ${url}/device\\?code=${code} `))
  assert.match(ran.out, /\nSigned in to Shop \(admin\)/)
  assert.equal(JSON.parse(folder.read('.contentflowrc')).workspace, ws.id)
  assert.match(expectExit(await folder.run(['doctor']), 0).out, /ok {3}session: \S+ is admin of Shop/)

  const refused = begin(['--json'])
  expectStatus(await ws.admin.put(`/auth/device/${await refused.code}`, { allow: false }), 200)
  const ended = expectExit(await refused.ended, 1)
  assert.equal(ended.out, '')
  assert.match(ended.err, /"code":"SIGN_IN_REFUSED"/)
})

test('a token takes the place of a password everywhere, and that of a service account names its workspace', async () => {
  const { ws, folder } = await openPerson()
  const other = await openPerson()
  const { id } = expectStatus(await ws.admin.post('/service-accounts', { name: 'Build', role: 'editor' }), 201).data
  const { token } = expectStatus(await ws.admin.post(`/service-accounts/${id}/tokens`, {}), 201).data
  const service = { CONTENTFLOW_URL: url, CONTENTFLOW_TOKEN: token }
  assert.match(
    expectExit(await folder.run(['doctor'], service), 0).out,
    new RegExp(`ok {3}session: a service account of the workspace ${ws.id}`),
  )
  expectExit(await folder.run(['workspace', 'export', 'all.yaml'], service), 0)
  assert.match(
    expectExit(await folder.run(['login'], service), 0).out,
    new RegExp(`^Signed in to ${ws.id} \\(service account\\) at ${url}\\. `),
  )
  expectExit(await folder.run(['reports', 'list']), 0)
  // Another workspace in the file: the token says its own.
  expectExit(await other.folder.run(['login'], other.signIn), 0)
  expectExit(await other.folder.run(['reports', 'list'], service), 0)
  const person = { CONTENTFLOW_URL: url, CONTENTFLOW_TOKEN: ws.token }
  assert.match(expectExit(await folder.run(['login'], person), 0).out, /^Signed in to Shop \(admin\)/)
  const wrong = { CONTENTFLOW_URL: url, CONTENTFLOW_TOKEN: `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}` }
  for (const args of [['login'], ['reports', 'list']]) expectExit(await openFolder().run(args, wrong), 1)
})

test('login --token reads a token from standard input, and stored keys of another server go', async () => {
  const { ws, folder } = await openPerson()
  const { id } = expectStatus(await ws.admin.post('/service-accounts', { name: 'Build', role: 'editor' }), 201).data
  const { token } = expectStatus(await ws.admin.post(`/service-accounts/${id}/tokens`, {}), 201).data
  folder.write('.contentflowrc', { url: 'http://127.0.0.1:9', writeKey: 'of another server' }, 0o600)
  const run = (typed: string) => folder.run(['login', '--token'], { CONTENTFLOW_URL: url }, { typed })
  assert.match(expectExit(await run(''), 1).err, /There is no token on standard input/)
  assert.match(expectExit(await run(`${token}\n`), 0).out, /\(service account\)/)
  assert.deepEqual(JSON.parse(folder.read('.contentflowrc')), { url, token, workspace: ws.id })
  expectExit(await folder.run(['reports', 'list']), 0)
  rmSync(join(folder.path, '.contentflowrc'))
  const asked = startAtTerminal(folder, ['login'], { CONTENTFLOW_URL: url })
  await asked.seen(/(with an API token)/)
  asked.type('\u001B[B')
  await asked.seen(/●\S* (with an API token)/)
  asked.type('\r')
  await asked.seen(/(Paste the token)/)
  asked.type(`${token}\r`)
  const { out } = expectExit(await asked.ended, 0)
  assert.match(out, /\(service account\)/)
  assert.ok(!out.includes(token), 'nobody sees it')
  assert.match(
    expectExit(await folder.run(['login', '--token', '--web'], { CONTENTFLOW_URL: url }), 1).err,
    /Name one of --web and --token/,
  )
})

test('doctor names every key, what it may do, and what is wrong', async () => {
  const { ws, folder } = await openPerson()
  const fine = expectExit(await folder.run(['doctor'], keysOf(url, ws)), 0)
  assert.match(fine.out, /ok {3}address: .* answers in \d+ ms/)
  assert.match(fine.out, /ok {3}clock: the same as the server/)
  assert.match(fine.out, /ok {3}CONTENTFLOW_KEY: for applications; live content, 1000 requests a minute for everybody together/)
  assert.match(fine.out, /ok {3}CONTENTFLOW_READ_KEY: may read people/)
  const ill = expectExit(await folder.run(['doctor', '--json'], { ...keysOf(url, ws), CONTENTFLOW_KEY: `${ws.id}_cfpk0` }), 1)
  const { checks } = JSON.parse(ill.out)
  assert.deepEqual(
    checks.filter((check: { isFine: boolean }) => !check.isFine).map((check: { name: string }) => check.name),
    ['CONTENTFLOW_KEY'],
  )
})

test('M-ENR a file is tried and shown before it is written, and only with --yes where nobody is asked', async () => {
  const { ws, signIn, folder } = await openPerson()
  for (const userId of ['u-1', 'u-2']) expectStatus(await ws.admin.post('/users/bulk/contacts', { contacts: [{ userId }] }), 200)
  folder.write('tiers.csv', 'customer id,tier\nu-1,gold\nu-2,silver\nu-3,gold\n,gold\n')
  const unasked = expectExit(await folder.run(['import', 'tiers.csv'], signIn), 1)
  assert.match(unasked.out, /customer id → userId\ntier → enrichment\.tier \(string\)/)
  assert.match(unasked.out, /4 rows: 2 match somebody, 1 nobody, 1 rejected\n {2}1 missing_identity/)
  assert.match(unasked.err, /Nothing was written.*--yes/)
  const tried = expectExit(await folder.run(['import', 'tiers.csv', '--dry-run', '--json'], signIn), 0)
  assert.equal(JSON.parse(tried.out).dryRun.matched, 2)
  assert.deepEqual(expectStatus(await ws.admin.get('/enrichment/uploads'), 200).data.uploads, [])

  expectExit(await folder.run(['import', 'tiers.csv', '--yes'], signIn), 0)
  assert.equal(expectStatus(await ws.admin.get('/enrichment/uploads'), 200).data.uploads.length, 1)
  folder.write('mapping.json', {
    identity: { column: 'nobody', type: 'userId' },
    columns: [{ column: 'tier', name: 'tier', type: 'string' }],
  })
  assert.match(expectExit(await folder.run(['import', 'tiers.csv', '--mapping', 'mapping.json', '--yes'], signIn), 1).err, /nobody/)
})

test('explain and events tail say what a device gets and does', async () => {
  const { ws, signIn, folder } = await openPerson()
  await ws.block('promo')
  await ws.instance('promo', { title: 'For all' })
  await ws.instance('promo', { title: 'For gold', seg: 'Gold' })
  expectStatus(await ws.app.post('/identify', { deviceId: 'phone', userId: 'sara', consent: true }), 200)
  expectStatus(
    await ws.app.post('/events', { deviceId: 'phone', events: [{ type: 'impression', blockKey: 'promo' }, { type: 'video_play' }] }),
    202,
  )

  const why = expectExit(await folder.run(['explain', 'promo', '--device', 'phone'], signIn), 0)
  assert.match(why.out, /^device phone: consent granted, user sara, segments none\n/)
  assert.match(why.out, /yes For all: delivered\n/)
  assert.match(why.out, /no {2}For gold: not_in_segment\n/)
  const events = expectExit(await folder.run(['events', 'tail', '--device', 'phone', '--once'], signIn), 0)
  assert.match(events.out, / {2}impression {2}phone {2}promo/)
  assert.match(events.out, / {2}video_play {2}phone/)
  assert.match(expectExit(await folder.run(['explain', 'nothing'], signIn), 1).err, /unknown block/)
  assert.match(expectExit(await folder.run(['events', 'tail'], signIn), 1).err, /Name one of --device and --user/)
})
