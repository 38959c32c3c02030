/**
 * Links that people get by mail: each names somebody to this installation, and nothing of it can be read or made by others.
 * Their key is a secret of the installation of its own, kept sealed in the database: a change of CF_SECRET_KEY seals it
 * anew and ends no link. All processes share it.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/open.ts'
import type { Logger } from '../log.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { insertLinkSecret, listLinkSecrets, replaceLinkSecret, type LinkSecretRow } from './queries-links.ts'

/** What a link is for: one of another kind is no link. */
type LinkKind = 'unsubscribe' | 'erasure' | 'email' | 'click' | 'open' | 'preferences'

export type Links = {
  /** Makes tokens of a kind; what they hold are ids, and of a click where it leads. The same gives the same token. */
  sealer(kind: LinkKind): Promise<(ids: readonly string[]) => string>
  /** What the token holds, when its key is at hand; undefined is not known: `open` says. */
  peek(kind: LinkKind, token: string): string[] | undefined
  /** Undefined: no token that this installation made for this. */
  open(kind: LinkKind, token: string): Promise<string[] | undefined>
  /** Seals the secret with the present key, where an earlier one of CF_SECRET_KEY did. */
  reseal(): Promise<void>
}

type Key = { id: string; cipher: Buffer; nonce: Buffer }
type Parts = { db: Db; secrets: Secrets; config: Pick<Config, 'secretKeys'>; log: Pick<Logger, 'warn'> }

const [ID_BYTES, NONCE_BYTES, TAG_BYTES] = [4, 12, 16]
/** Longer is nothing that was made here: the longest address that is sealed has 1,500 characters of up to three bytes. */
const TOKEN_LENGTH = 8_000
/** A token of a key that is not known may be of one that another process has just made: looked for at most this often, milliseconds. */
const LOOK_AGAIN_MS = 1_000

export function openLinks(parts: Parts): Links {
  let loading: Promise<ReadonlyMap<string, Key>> | undefined
  let atHand: ReadonlyMap<string, Key> = new Map()
  let loadedAt = -Infinity
  const keys = (isFresh = false): Promise<ReadonlyMap<string, Key>> => {
    if (loading && !(isFresh && performance.now() - loadedAt > LOOK_AGAIN_MS)) return loading
    loadedAt = performance.now()
    const load = loadKeys(parts)
    // After a failure the next caller tries again.
    load.then(
      (loaded) => (atHand = loaded),
      () => loading === load && (loading = undefined),
    )
    loading = load
    return load
  }
  return {
    sealer: async (kind) => {
      const [key] = (await keys()).values()
      return (ids) => sealWith(key!, kind, JSON.stringify(ids))
    },
    peek: (kind, token) => {
      const bytes = bytesOf(token)
      const key = bytes && atHand.get(bytes.toString('hex', 0, ID_BYTES))
      return key && openWith(key, kind, bytes)
    },
    open: async (kind, token) => {
      const bytes = bytesOf(token)
      if (!bytes) return undefined
      const id = bytes.toString('hex', 0, ID_BYTES)
      const key = (await keys()).get(id) ?? (await keys(true)).get(id)
      return key && openWith(key, kind, bytes)
    },
    reseal: () => resealSecrets(parts),
  }
}

/** Undefined: no token looks so. Each has one spelling. */
function bytesOf(token: string): Buffer | undefined {
  if (token.length > TOKEN_LENGTH || !/^[\w-]+$/.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  return bytes.length > ID_BYTES + NONCE_BYTES + TAG_BYTES && bytes.toString('base64url') === token ? bytes : undefined
}

/** The keys by the first characters of their tokens; the first key seals new links. */
async function loadKeys(parts: Parts): Promise<ReadonlyMap<string, Key>> {
  const rows = await listLinkSecrets(parts.db)
  const known = readable(parts, rows)
  if (known.size > 0) return known
  if (rows.length > 0)
    parts.log.warn('links in mails that were sent before lead nowhere: their secret was sealed with a key that is not in CF_SECRET_KEY')
  const name = rows.length === 0 ? 'links' : `links-${randomBytes(4).toString('hex')}`
  const secret = parts.secrets.seal(randomBytes(32).toString('base64url'), placeOf(name))
  await insertLinkSecret(parts.db, { name, secret })
  const made = readable(parts, await listLinkSecrets(parts.db))
  if (made.size === 0) throw new Error('the secret of links cannot be read with the keys in CF_SECRET_KEY')
  return made
}

function readable({ secrets }: Parts, rows: readonly LinkSecretRow[]): ReadonlyMap<string, Key> {
  const keys = rows.flatMap(({ name, secret }) => {
    try {
      return [keyOf(Buffer.from(secrets.open(secret, placeOf(name)), 'base64url'))]
    } catch {
      // Its key no longer exists.
      return []
    }
  })
  return new Map(keys.map((key) => [key.id, key]))
}

function placeOf(name: string) {
  return { workspaceId: '', row: `installation_secrets/${name}` }
}

function keyOf(secret: Buffer): Key {
  const derive = (info: string, bytes: number) => Buffer.from(hkdfSync('sha256', secret, '', info, bytes))
  return { id: derive('links id', ID_BYTES).toString('hex'), cipher: derive('links cipher', 32), nonce: derive('links nonce', 32) }
}

/** The nonce is made of what is sealed: however many links there are, none is used for two texts. */
function sealWith({ id, cipher: key, nonce: nonceKey }: Key, kind: LinkKind, text: string): string {
  const nonce = createHmac('sha256', nonceKey).update(`${kind}\n${text}`).digest().subarray(0, NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(kind))
  return Buffer.concat([Buffer.from(id, 'hex'), nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  )
}

function openWith({ cipher: key }: Key, kind: LinkKind, bytes: Buffer): string[] | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(ID_BYTES, ID_BYTES + NONCE_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(kind)).setAuthTag(bytes.subarray(-TAG_BYTES))
    const text = decipher.update(bytes.subarray(ID_BYTES + NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    return JSON.parse(text) as string[]
  } catch {
    // Whatever is wrong with it, it names nobody.
    return undefined
  }
}

async function resealSecrets({ db, secrets, config }: Parts): Promise<void> {
  if (config.secretKeys.length < 2) return
  for (const row of await listLinkSecrets(db)) {
    if (row.secret.startsWith(secrets.present())) continue
    const next = secrets.reseal(row.secret, placeOf(row.name))
    if (next !== undefined) await replaceLinkSecret(db, row, next)
  }
}
