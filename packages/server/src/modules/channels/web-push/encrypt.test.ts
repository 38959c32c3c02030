import assert from 'node:assert/strict'
import { createECDH } from 'node:crypto'
import { test } from 'node:test'
import { decryptPush, subscriptionOf, VAPID } from '../../../../test/builders/push-service.ts'
import { encryptPush } from './encrypt.ts'

const PLAIN = 'When I grow up, I want to be a watermelon'
const BROWSER = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}
const BODY =
  'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN'

test('RFC 8291 section 5: the example of the standard, byte by byte, and as its browser reads it', () => {
  const given = { privateKey: Buffer.from(VAPID.privateKey, 'base64url'), salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url') }
  assert.equal(Buffer.from(encryptPush(PLAIN, BROWSER, given)).toString('base64url'), BODY)
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url')
  assert.equal(decryptPush({ ecdh, auth: Buffer.from(BROWSER.auth, 'base64url') }, Buffer.from(BODY, 'base64url')), PLAIN)
})

test('each message has keys and a salt of its own, the longest is 4,096 bytes, and no other browser reads it', () => {
  const [browser, other] = [subscriptionOf('https://push.example/1'), subscriptionOf('https://push.example/2')]
  const keys = { p256dh: browser.publicKey, auth: browser.auth.toString('base64url') }
  const bodies = ['', 'سلام 👩‍👩‍👧', 'x'.repeat(3_993)].map((plain) => {
    const body = Buffer.from(encryptPush(plain, keys))
    assert.equal(decryptPush(browser, body), plain)
    assert.throws(() => decryptPush(other, body))
    return body
  })
  assert.equal(bodies.at(-1)?.length, 4_096)
  assert.equal(new Set(bodies.map((body) => body.subarray(0, 16).toString('hex'))).size, 3)
  assert.equal(new Set(bodies.map((body) => body.subarray(21, 86).toString('hex'))).size, 3)
  assert.throws(() => encryptPush('x', { ...keys, p256dh: `BA${'A'.repeat(85)}` }), 'no point of the curve')
})
