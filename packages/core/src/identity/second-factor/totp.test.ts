import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { readEnteredCode, showRecoveryCode } from './entered-code.ts'
import { lacksSecondFactor, strictestPolicy } from './policy.ts'
import { base32, hotp, otpauthUri, totpStep } from './totp.ts'

const secret = Buffer.from('12345678901234567890')
const hmac = (message: Uint8Array) => createHmac('sha1', secret).update(message).digest()

test('codes are those of RFC 4226 and RFC 6238', () => {
  const first = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489']
  assert.deepEqual(
    first.map((_, counter) => hotp(hmac, counter)),
    first,
  )
  for (const [seconds, code] of [
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ] as const)
    assert.equal(hotp(hmac, Math.floor(seconds / 30), 8), code)
})

test('a code is right in its own thirty seconds, and in those before and after', () => {
  const at = 1_700_000_010_000
  const step = Math.floor(at / 30_000)
  for (const off of [-2, -1, 0, 1, 2])
    assert.equal(totpStep(hmac, hotp(hmac, step + off), at), Math.abs(off) < 2 ? step + off : undefined, String(off))
  assert.equal(totpStep(hmac, '12345', at), undefined)
})

test('a secret is written as authenticator apps read it', () => {
  assert.equal(base32(secret), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  assert.equal(base32(Buffer.from('f')), 'MY')
  assert.equal(
    otpauthUri('GEZDGNBV', 'a+b@example.com', 'ContentFlow'),
    'otpauth://totp/ContentFlow:a%2Bb%40example.com?secret=GEZDGNBV&issuer=ContentFlow',
  )
})

test('a code is read however somebody writes it', () => {
  for (const text of ['123456', ' 123 456', '١٢٣٤٥٦', '۱۲۳-۴۵۶', '\u2066123456\u2069'])
    assert.deepEqual(readEnteredCode(text), { kind: 'totp', code: '123456' }, text)
  assert.equal(showRecoveryCode('ABCDEFGH234567AB'), 'ABCD-EFGH-2345-67AB')
  for (const text of ['ABCD-EFGH-2345-67AB', 'abcd efgh 2345 67ab', 'abcdefgh234567ab'])
    assert.deepEqual(readEnteredCode(text), { kind: 'recovery', code: 'ABCDEFGH234567AB' }, text)
  for (const text of ['', '12345', '1234567', 'ABCD-EFGH-2345-67A', 'ABCD-EFGH-2345-6701', 'ß'.repeat(16)])
    assert.equal(readEnteredCode(text), undefined, text)
})

test('a workspace asks those for a second factor whom it names, and a session that had one is enough', () => {
  const cases = [
    ['off', 'admin', ['pwd'], false],
    ['admins', 'admin', ['pwd'], true],
    ['admins', 'editor', ['pwd'], false],
    ['all', 'viewer', ['pwd'], true],
    ['all', 'viewer', ['sso'], true],
    ['all', 'viewer', ['sso', 'mfa'], false],
    ['all', 'admin', ['pwd', 'otp'], false],
    ['all', 'admin', ['webauthn'], false],
    ['all', 'admin', [], true],
  ] as const
  for (const [policy, role, methods, lacks] of cases)
    assert.equal(lacksSecondFactor(policy, role === 'admin', methods), lacks, `${policy} ${role} ${methods.join()}`)
  assert.equal(strictestPolicy(['admins', 'off', 'all']), 'all')
  assert.equal(strictestPolicy(['off', 'admins']), 'admins')
  assert.equal(strictestPolicy([]), 'off')
})
