/** Stored secrets: read only where they were put, with any of the keys, sealed with the first. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { loadConfig } from '../../config.ts'
import { openSecrets } from './secrets.ts'

const folder = mkdtempSync(join(tmpdir(), 'cf-secrets-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const place = { workspaceId: 'w1', row: 'webhooks/1' }
const [old, young] = [randomBytes(32), randomBytes(32)]
const warned: unknown[] = []
const log = { warn: (about: unknown) => void warned.push(about) }
const withKeys = (...secretKeys: Buffer[]) => openSecrets({ secretKeys, dataDir: join(folder, 'none') }, log)

test('a secret is read back, never looks the same twice, and is in no stored text', () => {
  const secrets = withKeys(old)
  for (const secret of ['whsec_abc', '', 'سرّ 🔑', 'x'.repeat(10_000)]) {
    const [one, other] = [secrets.seal(secret, place), secrets.seal(secret, place)]
    assert.notEqual(one, other)
    assert.equal(secrets.open(one, place), secret)
    if (secret !== '') assert.ok(!Buffer.from(one.split('.')[2] ?? '', 'base64url').includes(secret))
  }
})

test('a secret that was copied to another row or workspace, or changed by a bit, is not read', () => {
  const secrets = withKeys(old)
  const sealed = secrets.seal('whsec_abc', place)
  assert.throws(() => secrets.open(sealed, { ...place, row: 'webhooks/2' }))
  assert.throws(() => secrets.open(sealed, { ...place, workspaceId: 'w2' }))
  const [version, name, text = ''] = sealed.split('.')
  const bytes = Buffer.from(text, 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at]! ^= 1
    assert.throws(() => secrets.open(`${version}.${name}.${changed.toString('base64url')}`, place), String(at))
  }
})

test('a new key in front seals, the old one still reads, and without it the answer says what is missing', () => {
  const before = withKeys(old)
  const sealed = before.seal('whsec_abc', place)
  const both = withKeys(young, old)
  assert.equal(both.open(sealed, place), 'whsec_abc')
  const again = both.seal('whsec_abc', place)
  assert.ok(again.startsWith(both.present()) && !sealed.startsWith(both.present()))
  const later = withKeys(young)
  assert.equal(later.open(again, place), 'whsec_abc')
  assert.throws(() => later.open(sealed, place), /CF_SECRET_KEY/)
  for (const text of ['', 'v1', 'v2.a.b', 'whsec_abc']) assert.throws(() => later.open(text, place))
})

test('without a setting a key file is made that only this user reads, said once, and used again', () => {
  const dataDir = join(folder, 'data')
  const secrets = openSecrets({ secretKeys: [], dataDir }, log)
  assert.throws(() => statSync(dataDir), 'no file before there is a secret')
  const sealed = secrets.seal('whsec_abc', place)
  const file = join(dataDir, 'secret.key')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(dataDir), ['secret.key'])
  assert.deepEqual(warned, [{ file }])
  assert.equal(openSecrets({ secretKeys: [], dataDir }, log).open(sealed, place), 'whsec_abc')
  assert.equal(warned.length, 1)
  // The file becomes the setting when a second process comes.
  const asSetting = loadConfig({ CF_SECRET_KEY: readFileSync(file, 'utf8').trim() })
  assert.equal(openSecrets(asSetting, log).open(sealed, place), 'whsec_abc')
  writeFileSync(file, 'short')
  assert.throws(() => openSecrets({ secretKeys: [], dataDir }, log).open(sealed, place), /32 bytes/)
})

test('a setting that is no key is refused at the start', () => {
  const good = young.toString('base64')
  assert.equal(loadConfig({ CF_SECRET_KEY: `${good}, ${old.toString('base64')}` }).secretKeys.length, 2)
  for (const wrong of ['short', `${good},short`, good.slice(0, 20)])
    assert.throws(() => loadConfig({ CF_SECRET_KEY: wrong }), /CF_SECRET_KEY must be 32 bytes/)
})
