/** Tokens that say who a person is, as the app's own server signs them; here for tests and first tries. */
import { createHmac, createPrivateKey, sign, type KeyObject } from 'node:crypto'
import { readText } from '../files.ts'
import { Problem, SAME, type Exit, type Io } from '../io.ts'
import { findProject } from '../project.ts'

type Options = {
  json?: boolean
  user: string
  device?: string
  key?: string
  secret?: string
  workspace?: string
  kid?: string
  minutes: string
}

/** The server takes none that lives longer. */
const MAX_MINUTES = 24 * 60
const SECRET_BYTES = 32

/** Prints a user token. It asks no server. */
export async function identitySign(io: Io, options: Options): Promise<Exit> {
  const { json, user, device, kid } = options
  const aud = options.workspace ?? io.env['CONTENTFLOW_WORKSPACE'] ?? findProject(io)?.workspace
  if (!aud) throw new Problem('For which workspace? Name it with --workspace or CONTENTFLOW_WORKSPACE', 'CREDENTIALS')
  const minutes = Number(options.minutes)
  if (!(minutes > 0 && minutes <= MAX_MINUTES)) throw new Problem(`--minutes is a number above 0, at most ${MAX_MINUTES}`, 'USAGE')
  const { alg, signed } = signerOf(io, options)
  const iat = Math.floor(Date.now() / 1000)
  const exp = iat + Math.round(minutes * 60)
  const body = [
    { alg, typ: 'JWT', kid },
    { sub: user, aud, iat, exp, device_id: device },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const token = `${body}.${signed(body).toString('base64url')}`
  io.out(json ? `${JSON.stringify({ token, expiresAt: new Date(exp * 1000).toISOString() })}\n` : `${token}\n`)
  return SAME
}

type Signer = { alg: 'ES256' | 'HS256'; signed(text: string): Buffer }

function signerOf(io: Io, { key, secret = key === undefined ? io.env['CONTENTFLOW_IDENTITY_SECRET'] : undefined }: Options): Signer {
  if ((key === undefined) === (secret === undefined)) throw new Problem('With which key? Name one of --key and --secret', 'USAGE')
  if (secret !== undefined && Buffer.byteLength(secret) < SECRET_BYTES)
    throw new Problem(`A secret has at least ${SECRET_BYTES} bytes`, 'USAGE')
  if (secret !== undefined) return { alg: 'HS256', signed: (text) => createHmac('sha256', secret).update(text).digest() }
  const held = privateKey(io, key ?? '')
  return { alg: 'ES256', signed: (text) => sign('sha256', Buffer.from(text), { key: held, dsaEncoding: 'ieee-p1363' }) }
}

function privateKey(io: Io, file: string): KeyObject {
  const pem = readText(io, file)
  let key: KeyObject | undefined
  try {
    key = createPrivateKey(pem)
  } catch {
    // Reported below with what is expected; the reason itself would not help.
  }
  if (key?.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
  throw new Problem(
    `${file} is not a private key for P-256. Make one with: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out ${file}`,
    'FILE',
  )
}
