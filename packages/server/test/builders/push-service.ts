/** A stand-in of a push service and of the browsers behind it: judges each call as the standards say, and reads what browsers would. */
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify, type ECDH } from 'node:crypto'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { TLS } from '../harness/tls.ts'
import type { Judged } from './providers.ts'

/** The pair of the example of RFC 8291: for channels whose keys a test knows. */
export const VAPID = {
  publicKey: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
  privateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
}

/** `token`: as a browser registers it. */
export type BrowserStub = { endpoint: string; token: string; publicKey: string; auth: Buffer; ecdh: ECDH }

/** A browser that subscribed at this address. */
export function subscriptionOf(endpoint: string): BrowserStub {
  const ecdh = createECDH('prime256v1')
  const publicKey = ecdh.generateKeys('base64url')
  const auth = randomBytes(16)
  const keys = { p256dh: publicKey, auth: auth.toString('base64url') }
  return { endpoint, publicKey, auth, ecdh, token: JSON.stringify({ endpoint, expirationTime: null, keys }) }
}

/** What the browser reads (RFC 8291, section 3.4). */
export function decryptPush({ ecdh, auth }: Pick<BrowserStub, 'ecdh' | 'auth'>, body: Buffer): string {
  const [salt, length] = [body.subarray(0, 16), body.readUInt8(20)]
  const [sender, sealed] = [body.subarray(21, 21 + length), body.subarray(21 + length)]
  const derive = (key: Uint8Array, with_: Uint8Array, info: Uint8Array | string, bytes: number) =>
    new Uint8Array(hkdfSync('sha256', key, with_, info, bytes))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender])
  const secret = derive(ecdh.computeSecret(sender), auth, info, 32)
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12)
  const decipher = createDecipheriv('aes-128-gcm', derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16), nonce)
  decipher.setAuthTag(sealed.subarray(-16))
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  if (plain.at(-1) !== 2) throw new Error('no last record')
  return plain.subarray(0, -1).toString()
}

export type Pushed = {
  browser: BrowserStub
  headers: Http2ServerRequest['headers']
  claims: any
  shown: any
  bytes: number
  version: string
}

/** `next`: answers instead, once each; `cut` is none at all. `answers`: of one browser, for good. `now`: by the clock of the server. */
export async function openPushService(now: () => number = Date.now) {
  const taken: Pushed[] = []
  const next: (Judged | 'cut')[] = []
  const answers = new Map<string, Judged>()
  const browsers = new Map<string, BrowserStub>()
  const sockets = new Set<Socket>()
  let calls = 0
  const receive = async (request: Http2ServerRequest): Promise<Judged | 'cut'> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    calls++
    const browser = browsers.get(request.url)
    const told = next.shift() ?? answers.get(browser?.endpoint ?? '')
    if (told !== undefined) return told
    if (!browser) return { status: 404 }
    const claims = claimsOf(String(request.headers['authorization']))
    const isRight =
      claims?.aud === origin &&
      /^mailto:\S+@\S+\.\S+$/.test(claims.sub) &&
      claims.exp > now() / 1_000 &&
      claims.exp <= now() / 1_000 + 86_400
    if (!isRight) return { status: 403, body: { reason: 'BadJwtToken' } }
    if (request.headers['content-encoding'] !== 'aes128gcm' || !/^\d+$/.test(String(request.headers['ttl']))) return { status: 400 }
    const body = Buffer.concat(chunks)
    if (body.length > 4_096) return { status: 413 }
    const shown: unknown = JSON.parse(decryptPush(browser, body))
    taken.push({ browser, headers: request.headers, claims, shown, bytes: body.length, version: request.httpVersion })
    return { status: 201, headers: { location: `${origin}/m/${taken.length}` } }
  }
  const server = createSecureServer({ ...TLS, allowHTTP1: true }, (request, response: Http2ServerResponse) => {
    void receive(request).then((said): void => {
      if (said === 'cut') {
        request.stream.session?.destroy()
        return
      }
      response.writeHead(said.status, said.headers)
      response.end(typeof said.body === 'object' ? JSON.stringify(said.body) : (said.body ?? ''))
    })
  })
  server.on('secureConnection', (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const origin = `https://${host}`
  return {
    host,
    taken,
    next,
    answers,
    calls: () => calls,
    subscribe: () => {
      const path = `/push/${randomBytes(8).toString('hex')}`
      const browser = subscriptionOf(origin + path)
      browsers.set(path, browser)
      return browser
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Of a header of RFC 8292; undefined when its key did not sign it. */
function claimsOf(authorization: string): any {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? []
  const [header = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const [x = '', y = ''] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  if (point.length !== 65) return undefined
  const signer = { key: createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const
  if (!verify('sha256', Buffer.from(`${header}.${claims}`), signer, Buffer.from(signature, 'base64url'))) return undefined
  return JSON.parse(Buffer.from(claims, 'base64url').toString())
}
