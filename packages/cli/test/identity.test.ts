/** User tokens for tests, made without a server. */
import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, verify } from 'node:crypto'
import { test } from 'node:test'
import { expectExit, openFolder } from './cli.ts'

const part = (text: string | undefined) => JSON.parse(Buffer.from(text ?? '', 'base64url').toString())
const SECRET = 's'.repeat(43)

test('a token is signed with a key for P-256, and says whom it is for and how long it holds', async () => {
  const folder = openFolder()
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  folder.write('k.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const named = ['--user', 'sara', '--device', 'phone-1', '--workspace', 'w1', '--kid', 'k1', '--minutes', '5']
  const { out } = expectExit(await folder.run(['identity', 'sign', '--key', 'k.pem', ...named]), 0)
  const [head, claims, signature] = out.trim().split('.')
  const { iat, exp, ...said } = part(claims)
  assert.deepEqual(
    [part(head), said, exp - iat],
    [{ alg: 'ES256', typ: 'JWT', kid: 'k1' }, { sub: 'sara', aud: 'w1', device_id: 'phone-1' }, 300],
  )
  const signed = Buffer.from(`${head}.${claims}`)
  assert.ok(
    verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature ?? '', 'base64url')),
    'the public key knows it',
  )
})

test('with a shared secret, which may stand in the environment; for programs with its end', async () => {
  const env = { CONTENTFLOW_IDENTITY_SECRET: SECRET, CONTENTFLOW_WORKSPACE: 'w1' }
  const { out } = expectExit(await openFolder(env).run(['identity', 'sign', '--user', 'sara', '--json']), 0)
  const { token, expiresAt } = JSON.parse(out)
  const [head, claims, signature] = token.split('.')
  assert.deepEqual([part(head), part(claims).aud], [{ alg: 'HS256', typ: 'JWT' }, 'w1'])
  assert.equal(new Date(expiresAt).getTime() / 1000 - part(claims).iat, 3_600)
  assert.equal(createHmac('sha256', SECRET).update(`${head}.${claims}`).digest('base64url'), signature)
})

test('what is missing or wrong is said', async () => {
  const folder = openFolder()
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  folder.write('rsa.pem', rsa.export({ type: 'pkcs8', format: 'pem' }))
  const fails = async (says: RegExp, ...args: string[]) =>
    assert.match(expectExit(await folder.run(['identity', 'sign', '--user', 'u', ...args]), 1).err, says)
  await fails(/For which workspace/, '--secret', SECRET)
  await fails(/Name one of --key and --secret/, '--workspace', 'w')
  await fails(/Name one of --key and --secret/, '--workspace', 'w', '--secret', SECRET, '--key', 'rsa.pem')
  await fails(/rsa\.pem is not a private key for P-256/, '--workspace', 'w', '--key', 'rsa.pem')
  await fails(/cannot be read/, '--workspace', 'w', '--key', 'none.pem')
  for (const minutes of ['0', '1441', 'x']) await fails(/at most 1440/, '--workspace', 'w', '--secret', SECRET, '--minutes', minutes)
  await fails(/at least 32 bytes/, '--workspace', 'w', '--secret', 'short')
})
