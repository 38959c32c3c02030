/** An authenticator app, and a device with passkeys, as programs. */
import { createHash, createHmac, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { hotp } from '@contentflow/core/identity/second-factor/totp.ts'
import { expectStatus, type Client } from '../builders.ts'

/** What an app shows at `ms`, given the secret that it was told. */
export function codeOf(secret: string, ms: number): string {
  const bits = secret
    .split('')
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)))
  return hotp((message) => createHmac('sha1', bytes).update(message).digest(), Math.floor(ms / 30_000))
}

/** Gives whoever signs in as `client` an authenticator app: its secret, and the recovery codes. */
export async function addAuthenticator(client: Client, ms: number): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = expectStatus(await client.post('/auth/totp'), 200).data
  const { recoveryCodes } = expectStatus(await client.put('/auth/totp', { code: codeOf(secret, ms) }), 200).data
  return { secret, recoveryCodes }
}

type Overrides = {
  origin?: string
  rpId?: string
  flags?: number
  type?: string
  fmt?: string
  certificate?: Buffer
  userHandle?: string | null
}

/** Present and verified: somebody touched it, and showed who they are. */
const VERIFIED = 0x05
const HAS_KEY = 0x40

/** One passkey on a device. `count` is what it counts next; 0 for ever where it is synced. */
export class SoftPasskey {
  readonly id = randomBytes(32)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #origin: string
  #user = ''
  #count: number

  constructor(origin: string, count = 0) {
    this.#origin = origin
    this.#count = count
  }

  countsFrom(count: number): void {
    this.#count = count
  }

  /** What a page sends of it when it was made. */
  create({ challenge, rp, user }: any, { fmt = 'none', certificate, ...overrides }: Overrides = {}) {
    this.#user = user.id
    const data = Buffer.concat([
      this.#data(rp.id, HAS_KEY, overrides),
      Buffer.alloc(16),
      lengthOf(this.id),
      this.id,
      coseOf(this.#keys.publicKey),
    ])
    const statement = certificate ? map(['alg', -7], ['sig', Buffer.alloc(70)], ['x5c', [certificate]]) : map()
    const attestationObject = map(['fmt', fmt], ['attStmt', new Cbor(statement)], ['authData', data]).toString('base64url')
    const clientDataJSON = this.#clientData('webauthn.create', challenge, overrides).toString('base64url')
    return this.#credential({ clientDataJSON, attestationObject, transports: ['internal'] })
  }

  /** What a page sends of it when it is used. */
  use({ challenge, rpId }: any, overrides: Overrides = {}) {
    const clientData = this.#clientData('webauthn.get', challenge, overrides)
    const data = this.#data(rpId, 0, overrides)
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()])
    const userHandle = overrides.userHandle === undefined ? this.#user : overrides.userHandle
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
      userHandle,
    })
  }

  #credential<Response extends object>(response: Response) {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {}, authenticatorAttachment: 'platform' }
  }

  #clientData(type: string, challenge: string, overrides: Overrides): Buffer {
    return Buffer.from(
      JSON.stringify({ type: overrides.type ?? type, challenge, origin: overrides.origin ?? this.#origin, crossOrigin: false }),
    )
  }

  #data(rpId: string, more: number, overrides: Overrides): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(this.#count)
    if (this.#count > 0) this.#count++
    const rp = createHash('sha256')
      .update(overrides.rpId ?? rpId)
      .digest()
    return Buffer.concat([rp, Buffer.from([(overrides.flags ?? VERIFIED) | more]), count])
  }
}

function lengthOf(id: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(id.length)
  return length
}

function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return map([1, 2], [3, -7], [-1, 1], [-2, Buffer.from(x, 'base64url')], [-3, Buffer.from(y, 'base64url')])
}

/** Written already. */
class Cbor {
  readonly bytes: Buffer
  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}
type Value = string | number | Buffer | Cbor | Value[]

function map(...entries: [string | number, Value][]): Buffer {
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, value]) => [cborOf(key), cborOf(value)])])
}

function cborOf(value: Value): Buffer {
  if (value instanceof Cbor) return value.bytes
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(4, value.length), ...value.map(cborOf)])
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  return length < 256 ? Buffer.from([(major << 5) | 24, length]) : Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}
