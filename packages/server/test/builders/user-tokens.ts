/** User tokens for tests, as an app's own server would sign them. */
import { generateKeyPair, exportSPKI, SignJWT, type CryptoKey } from 'jose'
import { expectStatus, type Answer, type Workspace } from './builders.ts'

export type Signer = { kid: string; alg: 'HS256' | 'ES256'; key: CryptoKey | Uint8Array }
export type TokenInput = {
  sub?: unknown
  aud?: unknown
  /** Seconds from now. */
  iat?: number
  exp?: number
  /** Further claims; undefined takes one away. */
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
}

/** A secret of the workspace's live environment, or of another. */
export async function addSecret(ws: Workspace, environment = 'live'): Promise<Signer> {
  const { id, secret } = expectStatus(await ws.admin.post('/settings/identity-keys', { environment, kind: 'secret' }), 201).data
  return { kid: id, alg: 'HS256', key: Buffer.from(secret) }
}

export async function addPublicKey(ws: Workspace, environment = 'live'): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const body = { environment, kind: 'public', publicKey: await exportSPKI(publicKey) }
  const { id } = expectStatus(await ws.admin.post('/settings/identity-keys', body), 201).data
  return { kid: id, alg: 'ES256', key: privateKey }
}

/** `now`: of the server, milliseconds. */
export async function signToken({ kid, alg, key }: Signer, now: number, input: TokenInput = {}): Promise<string> {
  const seconds = Math.floor(now / 1000)
  const { iat = 0, exp = 3_600, claims = {}, header = {}, ...rest } = input
  const payload = Object.fromEntries(
    Object.entries({ ...rest, iat: seconds + iat, exp: seconds + exp, ...claims }).filter(([, value]) => value !== undefined),
  )
  return new SignJWT(payload).setProtectedHeader({ alg, kid, ...header }).sign(key)
}

/** Turns proofs of an environment on, whatever they would have refused. */
export async function setProofs(ws: Workspace, modes: { userToken?: string; deviceProof?: string }, environment = 'live'): Promise<Answer> {
  const path = '/settings/identity-verification'
  const first = await ws.admin.put(path, { environment, ...modes })
  const second = first.status === 409 ? await ws.admin.put(path, { environment, ...modes, wouldRefuse: first.body.wouldRefuse }) : first
  return expectStatus(second, 200)
}
