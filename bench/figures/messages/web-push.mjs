/** Push messages for browsers as they are made for each: the body encrypted for it alone, the call signed; against node:crypto alone. */
import assert from 'node:assert/strict'
import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { webPush } from '../../../packages/core/src/channels/web-push/web-push.ts'
import { openTokens } from '../../../packages/server/src/modules/channels/tokens.ts'
import { encryptPush } from '../../../packages/server/src/modules/channels/web-push/encrypt.ts'
import { decryptPush, subscriptionOf, VAPID } from '../../../packages/server/test/builders/push-service.ts'
import { count, median, spread } from '../../lib/stats.mjs'

const BROWSERS = 500
const SERVICES = 4
const TARGET = 0.6
const CONFIGURATION = { subject: 'mailto:push@shop.example', homeUrl: 'https://shop.example/', ...VAPID }

export const webPushFigure = { name: 'web-push', run: measure }

async function measure({ rounds, seconds, quiet }) {
  const browsers = Array.from({ length: BROWSERS }, (_, at) => subscriptionOf(`https://push-${at % SERVICES}.example/send/${at}`))
  const make = maker()
  const { request, body } = await make(browsers[0])
  assert.match(request.headers.authorization, /^vapid t=[^.]+\.[^.]+\.[^,]+, k=/)
  assert.match(decryptPush(browsers[0], Buffer.from(body)), /Order on its way/)
  const [ours, limits, ratios] = [[], [], []]
  for (let round = 0; round < rounds; round++) {
    await quiet()
    const bare = await rateOf((browser) => byHand(browser, request.body), browsers, seconds)
    const own = await rateOf(make, browsers, seconds)
    limits.push(bare)
    ours.push(own)
    ratios.push(own / bare)
  }
  return [
    {
      name: 'web-push',
      what: 'A push message for a browser: its call with a signed token, its body encrypted with keys of its own; one core',
      target: { least: TARGET },
      value: median(ratios),
      spread: spread(ratios),
      ours: `${count(median(ours))} messages/s`,
      limit: `${count(median(limits))} messages/s, node:crypto with the same bytes`,
      made: [`${BROWSERS} browsers at ${SERVICES} push services; a token is signed once for each service and kept for 12 hours.`],
    },
  ]
}

/** As `send.ts` makes a call. */
function maker() {
  const tokens = openTokens({ clock: { ms: () => Date.now() } })
  const call = () => assert.fail('no call is needed for a token')
  return async ({ token }) => {
    const message = { id: 'm1', to: token, title: 'Order on its way', body: 'It arrives tomorrow between 9 and 11.', language: 'en' }
    const audience = webPush.audienceOf(message)
    const signed = await tokens.get({ kind: 'vapid', name: `c1 ${audience}`, configuration: CONFIGURATION, audience, call })
    const request = webPush.toRequest(CONFIGURATION, message, signed)
    return { request, body: encryptPush(request.body, request.encryptFor) }
  }
}

/** What RFC 8291 asks for and nothing else; of a browser its bytes are at hand. */
function byHand({ publicKey, auth }, plain) {
  const ecdh = createECDH('prime256v1')
  const [own, browser, salt] = [ecdh.generateKeys(), Buffer.from(publicKey, 'base64url'), randomBytes(16)]
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser, own])
  const secret = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(browser), auth, info, 32))
  const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16))
  const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12))
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const sealed = [cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat([salt, own, ...sealed])
}

/** Calls a second. */
async function rateOf(work, browsers, seconds) {
  for (const browser of browsers) await work(browser)
  const began = performance.now()
  let calls = 0
  for (let at = 0; performance.now() - began < (seconds * 1_000) / 2; at++) {
    await work(browsers[at % browsers.length])
    calls++
  }
  return (calls / (performance.now() - began)) * 1_000
}
