/** Servers that start with a file of what is to be there: as real processes, on a database of their own. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import pg from 'pg'
import { clientOf, expectStatus, type Client } from '../../../test/builders/builders.ts'
import {
  ADMIN,
  APP_KEY,
  at,
  during,
  EDITOR,
  fileOf,
  refusedStart,
  SECRETS,
  shop,
  signedIn,
  startWith,
} from '../../../test/builders/bootstrap.ts'
import { started } from '../../../test/harness/server-process.ts'
import { freshDatabase } from '../../../test/harness/start-app.ts'
import { until } from '../../../test/harness/until.ts'
import { bootstrapFault } from './present-bootstrap.ts'

const isPostgres = process.env['TEST_DATABASE_URL'] !== undefined

async function fresh(): Promise<Record<string, string>> {
  const database = await freshDatabase()
  after(database.remove)
  return database.env
}

const list = async (client: Client, path: string, name: string) => expectStatus(await client.get(path), 200).data[name] as any[]
/** What the file has done, without what people do. */
const doings = async (admin: Client) => (await list(admin, '/audit?limit=200', 'entries')).filter(({ action }) => action === 'bootstrap')
const titles = async (url: string, key: string) =>
  expectStatus(await clientOf(`${url}/sdk/v1`, { 'x-cf-key': key }).get('/sync'), 200).data.blocks.map(
    (block: any) => block.values['#title'],
  )

test('a first start makes all that the file names; the same file again changes nothing, also of what people made since', async () => {
  const env = { ...(await fresh()), CF_BOOTSTRAP: fileOf(shop()) }
  rmSync(at('build.key'), { force: true })
  let [before, build] = [0, '']
  const said = await during(env, async (url) => {
    assert.deepEqual(await titles(url, APP_KEY), ['From the file'])
    assert.equal(expectStatus(await clientOf(`${url}/api/v1`).get('/auth/installation'), 200).data.needsSetupToken, false)
    build = readFileSync(at('build.key'), 'utf8').trim()
    assert.equal(statSync(at('build.key')).mode & 0o777, 0o600)
    const write = clientOf(`${url}/sdk/v1`, { 'x-cf-write-key': build })
    expectStatus(await write.post('/cards/register', { key: 'by_build' }), 201)
    expectStatus(await clientOf(`${url}/sdk/v1`, { 'x-cf-key': 'shop2026_app' }).get('/sync'), 401)
    const [admin, editor] = [await signedIn(url, ADMIN), await signedIn(url, EDITOR)]
    assert.equal((await list(editor, '/blocks', 'blocks')).length, 2)
    assert.deepEqual(
      (await list(admin, '/members', 'members')).map(({ role, canApprove }) => [role, canApprove]),
      [
        ['admin', true],
        ['editor', false],
      ],
    )
    const channel = expectStatus(await admin.get('/notifications/channels/mail'), 200).data
    assert.deepEqual([channel.active, channel.configuration.password], [true, '********'])
    assert.equal(expectStatus(await admin.get('/settings/features'), 200).data.features.geofences, false)
    const entries = await doings(admin)
    assert.ok(entries.every(({ actor }) => actor.kind === 'operator' && actor.id === 'bootstrap'))
    assert.deepEqual([...new Set(entries.map(({ object }) => object.kind))].toSorted(), [
      'block',
      'channel',
      'instance',
      'key',
      'member',
      'setting',
      'workspace',
    ])
    before = entries.length
    const { userId } = (await list(admin, '/members', 'members')).find(({ email }) => email === EDITOR.email)
    expectStatus(await admin.delete(`/members/${userId}`), 200)
    expectStatus(await admin.put('/notifications/channels/mail', { name: 'Renamed' }), 200)
    expectStatus(await admin.put('/blocks/promo/instances/hello', { values: { '#title': 'By hand' } }), 200)
    expectStatus(await admin.post('/blocks/promo/instances/hello/publish', { target: 'live' }), 200)
  })
  assert.match(said, /Bootstrap: workspaces\[0\] was made: name, members, keys, plan, document, channels\n/)
  const again = await during(env, async (url) => {
    const admin = await signedIn(url, ADMIN)
    assert.equal((await doings(admin)).length, before)
    assert.equal((await list(admin, '/members', 'members')).length, 1)
    assert.equal(expectStatus(await admin.get('/notifications/channels/mail'), 200).data.name, 'Renamed')
    assert.deepEqual(await titles(url, APP_KEY), ['By hand'])
    assert.equal(expectStatus(await admin.get('/audit/verify'), 200).data.fault, null)
  })
  assert.doesNotMatch(again, /Bootstrap/)
  for (const secret of [...SECRETS, build, ADMIN.email, EDITOR.email])
    assert.ok(!`${said}${again}`.includes(secret), 'nothing that is printed holds a secret or an address')
})

test('a changed file changes what it names, and says what it does not change', async () => {
  const database = await fresh()
  const first = shop({ document: undefined, keys: [shop()['keys'][0]] })
  await during({ ...database, CF_BOOTSTRAP: fileOf(first) })
  const [admin, editor] = first['members']
  const second = {
    ...first,
    name: 'Other shop',
    members: [
      { ...admin, password: 'another password of the admin' },
      { ...editor, role: 'viewer' },
    ],
    keys: [
      { ...first['keys'][0], key: `shop2026_cfpk${randomBytes(20).toString('hex')}` },
      { name: 'test', kind: 'publishable', environment: 'test', writeTo: 'test.key' },
    ],
    channels: [{ ...first['channels'][0], priority: 7 }],
  }
  // As a start leaves it that ended between writing the file and storing the key.
  const left = `shop2026_cfpk${randomBytes(20).toString('hex')}`
  writeFileSync(at('test.key'), `${left}\n`)
  const said = await during({ ...database, CF_BOOTSTRAP: fileOf(second) }, async (url) => {
    await titles(url, APP_KEY)
    await titles(url, left)
    const client = await signedIn(url, ADMIN)
    const me = expectStatus(await client.get('/auth/me'), 200).data
    assert.equal(me.workspaces[0].name, 'Other shop')
    assert.deepEqual(
      (await list(client, '/members', 'members')).map(({ role }) => role),
      ['admin', 'viewer'],
    )
    const channel = expectStatus(await client.get('/notifications/channels/mail'), 200).data
    assert.deepEqual([channel.priority, channel.name], [7, 'Our own'])
    const changed = (await doings(client)).filter(({ before }) => before !== undefined)
    assert.deepEqual(changed.map(({ object }) => object.kind).toSorted(), ['channel', 'member', 'setting', 'workspace', 'workspace'])
    expectStatus(await client.delete(`/settings/sdk-keys/${(await list(client, '/settings/sdk-keys', 'keys'))[1].id}`), 200)
  })
  assert.match(said, /workspaces\[0\] was changed: name, members, keys, channels\n/)
  assert.match(said, /workspaces\[0\] members\[0\] keeps the password that it has: one is set only when the account is made\n/)
  assert.match(said, /workspaces\[0\] keys\[0\] has another text and keeps it: a further key takes another name\n/)
  const third = {
    ...second,
    members: [{ ...admin, password: 'a third password of the admin' }, second.members[1]],
    keys: second.keys.slice(1),
  }
  const last = await during({ ...database, CF_BOOTSTRAP: fileOf(third) }, async (url) => {
    // What a file names no longer stays.
    await titles(url, APP_KEY)
  })
  assert.match(last, /was changed: keys\n.* workspaces\[0\] members\[0\] keeps the password that it has/)
  assert.match(last, /workspaces\[0\] keys\[0\] was revoked and stays so: a further key takes another name\n/)
})

test('a file that is wrong stops the start with where it is and what is expected; nothing of it is applied', async () => {
  const database = await fresh()
  const one = shop()
  const key = (more: object) => [{ ...one['keys'][0], ...more }]
  const member = (more: object) => [{ ...one['members'][0], ...more }]
  const wrong: [file: object | string, said: RegExp][] = [
    ['{ "workspaces": [', /the file is not JSON/],
    [{ workspaces: [one], rockets: 1 }, /has "rockets", which is no member; it may have \$schema, workspaces\./],
    [{ workspaces: [] }, /workspaces must NOT have fewer than 1 items/],
    [{ workspaces: [{ ...one, id: 'Shop' }] }, /workspaces\[0\]\.id must match pattern/],
    [{ workspaces: [{ ...one, colour: 1 }] }, /workspaces\[0\] has "colour", which is no member; it may have id, name, /],
    [{ workspaces: [one, one] }, /workspaces\[1\]\.id stands there twice/],
    [{ workspaces: [{ ...one, members: member({ role: 'owner' }) }] }, /members\[0\]\.role must be one of admin, editor, viewer/],
    [{ workspaces: [{ ...one, members: member({ role: 'viewer' }) }] }, /members names no admin/],
    [{ workspaces: [{ ...one, members: member({ password: 5 }) }] }, /members\[0\]\.password must be a text, "\$\{NAME\}" for what/],
    [{ workspaces: [{ ...one, members: member({ password: '${NOT_THERE}' }) }] }, /password is of the environment, which has no NOT_THERE/],
    [{ workspaces: [{ ...one, members: member({ password: { file: 'gone' } }) }] }, /password\.file cannot be read: ENOENT/],
    [{ workspaces: [{ ...one, keys: key({ key: 'shop2026_cfpk1234' }) }] }, /keys\[0\]\.key must be shop2026_cfpk and 40 lower-case hex/],
    [{ workspaces: [{ ...one, keys: key({ key: `shop2026_cfpk${'0123456789'.repeat(4)}` }) }] }, /keys\[0\]\.key can be guessed/],
    [{ workspaces: [{ ...one, keys: key({ writeTo: 'x' }) }] }, /keys\[0\] must have either key or writeTo/],
    [{ workspaces: [{ ...one, keys: key({ kind: 'write', environment: 'test' }) }] }, /keys\[0\]\.environment must be live/],
    [{ workspaces: [{ ...one, document: 'gone.json' }] }, /workspaces\[0\]\.document cannot be read: ENOENT/],
    [{ workspaces: [{ ...one, document: { channels: [] } }] }, /document names channels, which stand in workspaces\[0\]\.channels/],
  ]
  for (const [file, said] of wrong) {
    writeFileSync(at('wrong.json'), typeof file === 'string' ? file : JSON.stringify(file))
    const output = await refusedStart({ ...database, CF_BOOTSTRAP: at('wrong.json') })
    assert.match(output, said)
    assert.match(output, /^CF_BOOTSTRAP \S+wrong\.json: .*\. Nothing of it was applied\n$/s)
    for (const secret of SECRETS) assert.ok(!output.includes(secret))
  }
  // What only the commands know is found before anything is applied too, or takes its workspace back with it.
  const other = { ...shop({ keys: undefined, channels: undefined, document: undefined, plan: {} }), id: 'other2026' }
  const late: [workspaces: object[], said: RegExp][] = [
    [
      [other, { ...one, document: { segments: [{ name: 'A' }] } }],
      /workspaces\[1\]: document: segments\[0\]: .*\. Nothing of it was applied\n/,
    ],
    [
      [other, { ...one, channels: [{ ...one['channels'][0], configuration: { port: 1 } }] }],
      /workspaces\[1\]\.channels\[0\]: configuration\..*Nothing/,
    ],
    [[{ ...other, members: member({ password: 'password123' }) }], /workspaces\[0\]\.members\[0\]: .*Nothing of it was applied\n/],
    [[{ ...other, plan: { derivedKeys: false } }], /workspaces\[0\]\.plan: .*Nothing of it was applied\n/],
  ]
  for (const [workspaces, said] of late) assert.match(await refusedStart({ ...database, CF_BOOTSTRAP: fileOf(...workspaces) }), said)
  const second = { ...one, id: 'second2026', keys: [{ name: 'k', kind: 'write', environment: 'live', writeTo: 'no/folder' }], plan: {} }
  const stopped = await refusedStart({ ...database, CF_BOOTSTRAP: fileOf(other, second) })
  assert.match(stopped, /workspaces\[1\]\.keys\[0\]\.writeTo cannot be written: ENOENT .*\. Applied: workspaces\[0\]; nothing else of it\n/)
  await during(database, async (url) => {
    const admin = await signedIn(url, ADMIN, 'other2026')
    assert.deepEqual(
      expectStatus(await admin.get('/auth/me'), 200).data.workspaces.map(({ id }: { id: string }) => id),
      ['other2026'],
    )
  })
})

test('the account of somebody else is no member by its address alone', async () => {
  const database = await fresh()
  const stranger = { email: EDITOR.email, password: 'of a stranger, long enough' }
  await during({ ...database, CF_SIGNUP: 'on' }, async (url) => {
    const entry = { ...stranger, name: 'Stranger', workspaceName: 'Mine' }
    expectStatus(await clientOf(`${url}/api/v1`).post('/auth/signup', entry), 201)
  })
  const said = await refusedStart({ ...database, CF_BOOTSTRAP: fileOf(shop()) })
  assert.match(said, /workspaces\[0\]\.members\[1\]: has an account already whose address is not proved/)
})

test('the smallest case: an address and the file of its password open the first account, once', async () => {
  const database = await fresh()
  const file = at('first-password')
  const env = { ...database, CF_ADMIN_EMAIL: ADMIN.email, CF_ADMIN_PASSWORD_FILE: file, HOST: '0.0.0.0' }
  rmSync(file, { force: true })
  assert.match(await refusedStart(env), /CF_ADMIN_PASSWORD_FILE cannot be read: ENOENT/)
  writeFileSync(file, 'password123')
  assert.match(await refusedStart(env), /CF_ADMIN_PASSWORD_FILE \S+: /)
  writeFileSync(file, `${ADMIN.password}\n`)
  const said = await during(env, async (address) => {
    const url = `http://127.0.0.1:${new URL(address).port}`
    const login = expectStatus(await clientOf(`${url}/api/v1`).post('/auth/login', ADMIN), 200).data
    assert.deepEqual(
      login.workspaces.map(({ role }: { role: string }) => role),
      ['admin'],
    )
  })
  assert.match(said, /The first account was opened/)
  assert.doesNotMatch(said, /set-up token/)
  writeFileSync(file, 'another one, which nobody needs')
  assert.doesNotMatch(await during(env), /first account|set-up/)
  assert.match(await refusedStart({ ...env, CF_BOOTSTRAP: 'x.json' }), /CF_ADMIN_EMAIL is not for CF_BOOTSTRAP/)
  assert.match(await refusedStart({ ...env, CF_ADMIN_PASSWORD_FILE: '' }), /CF_ADMIN_EMAIL and CF_ADMIN_PASSWORD_FILE need each other/)
})

test('the file that the manual shows is one', () => {
  const manual = readFileSync(new URL('../../../../../docs/run/first-start.md', import.meta.url), 'utf8')
  assert.equal(bootstrapFault(JSON.parse(/^```json\n([^]*?)^```$/m.exec(manual)?.[1] ?? '')), undefined)
})

if (isPostgres) {
  test('of several processes that start at once one applies the file', async () => {
    rmSync(at('build.key'), { force: true })
    const env = { ...(await fresh()), CF_BOOTSTRAP: fileOf(shop()) }
    const servers = [1, 2, 3].map(() => startWith(env))
    const [url = ''] = await Promise.all(servers.map(started))
    const admin = await signedIn(url, ADMIN)
    const entries = await doings(admin)
    assert.deepEqual(
      ['key', 'member', 'channel'].map((kind) => entries.filter(({ object }) => object.kind === kind).length),
      [2, 2, 1],
    )
    for (const server of servers) server.kill('SIGTERM')
    await Promise.all(servers.map(({ exit }) => exit))
    assert.equal(servers.filter((server) => server.output().includes('Bootstrap:')).length, 1)
  })

  test('a start that is killed in the middle is gone on with by the next', async () => {
    rmSync(at('build.key'), { force: true })
    const database = await fresh()
    const later = { ...shop({ id: 'later2026', keys: [shop()['keys'][1]], plan: {}, channels: undefined, document: undefined }) }
    later['members'] = [...later['members'], { email: 'third@shop.example', name: 'T', password: EDITOR.password, role: 'viewer' }]
    const env = { ...database, CF_BOOTSTRAP: fileOf(shop({ keys: [shop()['keys'][0]] }), later) }
    // What others do is seen outside of the transaction that holds them up.
    const [holder, watcher] = [1, 2].map(() => new pg.Client({ connectionString: database['DATABASE_URL'] })) as [pg.Client, pg.Client]
    await Promise.all([holder.connect(), watcher.connect()])
    try {
      // The second workspace waits for whoever opens this account, and so is in the middle of its transaction.
      await holder.query('begin')
      await holder.query(
        `insert into accounts (id, email, email_folded, name, password_hash, created_at)
         values ('other', 'third@shop.example', 'third@shop.example', 'T', 'x', now())`,
      )
      const server = startWith(env)
      await until('it waits', async () => {
        const { rows } = await watcher.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return rows.length > 0
      })
      server.kill('SIGKILL')
      await server.exit
      await holder.query('rollback')
      const { rows } = await watcher.query('select id from workspaces')
      assert.deepEqual(rows, [{ id: 'shop2026' }], 'the first is there whole, of the second nothing')
    } finally {
      await Promise.all([holder.end(), watcher.end()])
    }
    assert.ok(!existsSync(at('build.key')))
    const said = await during(env, async (url) => {
      assert.deepEqual(await titles(url, APP_KEY), ['From the file'])
      const admin = await signedIn(url, ADMIN, 'later2026')
      assert.equal((await list(admin, '/members', 'members')).length, 3)
    })
    assert.match(said, /^Bootstrap: workspaces\[1\] was made: name, members, keys, plan\n/)
  })
}
