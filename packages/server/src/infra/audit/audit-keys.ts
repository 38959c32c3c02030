/** Secrets of an audit log: what people are hashed with, and what signs checkpoints. Kept sealed, so that the database alone forges nothing. */
import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign, verify, type KeyObject } from 'node:crypto'
import type { Db } from '../../db/open.ts'
import type { GenerationalCache } from '../cache/generational-cache.ts'
import type { Logger } from '../log.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { findAuditKey, storeAuditKey } from './queries-audit.ts'

type KeyId = 'people' | 'sign'
/** Signs with the key of a workspace. In base64url. */
type Signer = { publicKey: string; sign(text: string): string }

export type AuditKeys = {
  /** By which the log names somebody, by any of their ids. */
  hashPerson(db: Db, workspaceId: string, id: string): Promise<string>
  signer(db: Db, workspaceId: string): Promise<Signer>
}

/** Where a key is sealed for. */
export function placeOfAuditKey(workspaceId: string, id: string) {
  return { workspaceId, row: `audit_keys/${id}` }
}

export function keyMaker(secrets: Secrets, log: Pick<Logger, 'warn'>, known: GenerationalCache<string, string>): AuditKeys {
  const read = async (db: Db, workspaceId: string, id: KeyId, make: () => string): Promise<string> => {
    const name = `${workspaceId} ${id}`
    const cached = known.get(name)
    if (cached !== undefined) return cached
    const place = placeOfAuditKey(workspaceId, id)
    const before = await findAuditKey(db, workspaceId, id)
    const opened = before === undefined ? undefined : openOrSay(secrets, log, before, place)
    if (opened !== undefined) {
      known.set(name, opened)
      return opened
    }
    await storeAuditKey(db, workspaceId, { id, sealed: secrets.seal(make(), place), before })
    // Not remembered before it is read again: the transaction may not be committed, and somebody else may have been first.
    const stored = await findAuditKey(db, workspaceId, id)
    if (stored === undefined) throw new Error('a key of the audit log was not stored')
    return secrets.open(stored, place)
  }
  return {
    hashPerson: async (db, workspaceId, id) => {
      const key = await read(db, workspaceId, 'people', () => randomBytes(32).toString('base64url'))
      return createHmac('sha256', Buffer.from(key, 'base64url')).update(id).digest('hex').slice(0, 32)
    },
    signer: async (db, workspaceId) => {
      const key = await read(db, workspaceId, 'sign', makeSigningKey)
      const own = createPrivateKey({ key: Buffer.from(key, 'base64url'), format: 'der', type: 'pkcs8' })
      return { publicKey: publicKeyOf(own), sign: (text) => sign(null, Buffer.from(text), own).toString('base64url') }
    },
  }
}

function openOrSay(
  secrets: Secrets,
  log: Pick<Logger, 'warn'>,
  sealed: string,
  place: ReturnType<typeof placeOfAuditKey>,
): string | undefined {
  try {
    return secrets.open(sealed, place)
  } catch (error) {
    log.warn({ err: error, workspaceId: place.workspaceId, id: place.row }, 'a key of the audit log cannot be read: another one is made')
    return undefined
  }
}

function makeSigningKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  return privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url')
}

function publicKeyOf(own: KeyObject): string {
  return createPublicKey(own).export({ format: 'jwk' }).x ?? ''
}

/** Whether whoever has the private key of `publicKey` signed it. */
export function isSigned(text: string, { publicKey, signature }: { publicKey: string; signature: string }): boolean {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' })
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))
  } catch {
    // Whatever is wrong with them, nobody signed it with this key.
    return false
  }
}
