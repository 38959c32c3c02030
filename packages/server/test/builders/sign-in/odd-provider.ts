/** A provider that answers as it is told, right or wrong, and signs with keys that change when it is told. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose'

type Key = { kid: string; alg: string; privateKey: CryptoKey; publicKey: CryptoKey; jwk: JWK }
/** What was asked of its sign-in page. */
export type Asked = { nonce: string; state: string; redirectUri: string }

export type OddProvider = {
  issuer: string
  key: Key
  /** Published keys; those it signs with unless an answer says otherwise. */
  keys: Key[]
  /** Answers of a path that stand instead, until they are taken away. */
  instead: Map<string, { status?: number; body: string; headers?: Record<string, string> } | 'cut'>
  /** The claims of a right ID token, and how one is signed. */
  claims(asked: Asked, more?: Record<string, unknown>): Record<string, unknown>
  sign(claims: Record<string, unknown>, header?: Record<string, unknown>, key?: Key): Promise<string>
  /** What its token endpoint answers with, whatever the code. */
  tokens: Record<string, unknown>
  rotate(): Promise<void>
  hits: string[]
  close(): Promise<void>
}

export const now = () => Math.floor(Date.now() / 1000)

export async function makeKey(alg = 'RS256'): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const kid = Math.random().toString(36).slice(2)
  return { kid, alg, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

export async function openOddProvider({ clientId = 'contentflow' } = {}): Promise<OddProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const first = await makeKey()
  const odd: OddProvider = {
    issuer,
    key: first,
    keys: [first],
    instead: new Map(),
    tokens: {},
    hits: [],
    claims: ({ nonce }, more = {}) => ({
      iss: issuer,
      aud: clientId,
      sub: 'somebody',
      nonce,
      iat: now(),
      exp: now() + 300,
      email: 'somebody@odd.example',
      groups: ['a'],
      ...more,
    }),
    sign: (claims, header = {}, key = odd.key) =>
      new SignJWT(claims).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key.privateKey),
    rotate: async () => {
      odd.key = await makeKey()
      odd.keys = [odd.key]
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => answer(odd, request, response))
  return odd
}

function answer(odd: OddProvider, request: IncomingMessage, response: ServerResponse): void {
  const path = new URL(request.url ?? '', odd.issuer).pathname
  odd.hits.push(path)
  const instead = odd.instead.get(path)
  if (instead === 'cut') return void request.socket.destroy()
  if (instead)
    return void response.writeHead(instead.status ?? 200, { 'content-type': 'application/json', ...instead.headers }).end(instead.body)
  const found = bodyOf(odd, path)
  response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(found ?? {}))
}

function bodyOf({ issuer, keys, tokens }: OddProvider, path: string): object | undefined {
  if (path === '/.well-known/openid-configuration') {
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'EdDSA', 'HS256', 'none', 'RS512'],
      authorization_response_iss_parameter_supported: true,
      end_session_endpoint: `${issuer}/end`,
    }
  }
  if (path === '/keys') return { keys: keys.map(({ jwk }) => jwk) }
  if (path === '/token') return tokens
  return undefined
}
