/**
 * Secrets of others, which this server has to be able to read again: encrypted before they are stored, and bound to the
 * row they stand in, so that one copied to another row or workspace cannot be read.
 */
import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { Logger } from '../log.ts'

/** The row that holds a secret; `row` names its table too, such as `webhooks/7`. */
export type SecretLocation = { workspaceId: string; row: string }

export type Secrets = {
  seal(secret: string, place: SecretLocation): string
  /** Throws when it was sealed for another place, or by a key that is not there any more. */
  open(sealed: string, place: SecretLocation): string
  /** Sealed by the present key. Undefined, and said in the log, of what nobody can read: it must not keep the others waiting. */
  reseal(sealed: string, place: SecretLocation): string | undefined
  /** A text that nobody guesses without the present key, the same on every process that has it. */
  derive(purpose: string): string
  /** What everything begins with that the present key sealed; the rest is waiting to be sealed again. */
  present(): string
}

const VERSION = 'v1'
export const KEY_FILE = 'secret.key'
const [NONCE_BYTES, TAG_BYTES] = [12, 16]

export function openSecrets({ secretKeys, dataDir }: Pick<Config, 'secretKeys' | 'dataDir'>, log: Pick<Logger, 'warn'>): Secrets {
  let known: Map<string, Buffer> | undefined
  // Only who has a secret to keep needs a key.
  const keys = () =>
    (known ??= new Map((secretKeys.length > 0 ? secretKeys : [keyOfFolder(dataDir, log)]).map((key) => [nameOf(key), key])))
  const first = () => keys().entries().next().value!
  const secrets: Secrets = {
    seal: (secret, place) => {
      const [name, key] = first()
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(boundTo(place))
      const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${VERSION}.${name}.${sealed.toString('base64url')}`
    },
    open: (sealed, place) => {
      const [version, name = '', text = ''] = sealed.split('.')
      const key = keys().get(name)
      if (version !== VERSION || !key) throw new Error('a stored secret was encrypted with a key that is not in CF_SECRET_KEY')
      const bytes = Buffer.from(text, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAAD(boundTo(place)).setAuthTag(bytes.subarray(-TAG_BYTES))
      return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    },
    reseal: (sealed, place) => {
      try {
        return secrets.seal(secrets.open(sealed, place), place)
      } catch (error) {
        log.warn(
          { err: error, workspaceId: place.workspaceId, id: place.row },
          'a stored secret cannot be read: it has to be entered again',
        )
        return undefined
      }
    },
    derive: (purpose) => createHmac('sha256', first()[1]).update(purpose).digest('base64url'),
    present: () => `${VERSION}.${first()[0]}.`,
  }
  return secrets
}

function boundTo({ workspaceId, row }: SecretLocation): Buffer {
  return Buffer.from(JSON.stringify([workspaceId, row]))
}

/** Tells keys apart and nothing else about them. */
function nameOf(key: Buffer): string {
  return hash('sha256', Buffer.concat([Buffer.from('name of key'), key]), 'hex').slice(0, 12)
}

/** The key of this folder; made when there is none, whole or not at all. Of two processes that make it, the second takes that of the first. */
function keyOfFolder(dataDir: string, log: Pick<Logger, 'warn'>): Buffer {
  const file = join(dataDir, KEY_FILE)
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const written = `${file}.${randomBytes(4).toString('hex')}`
    writeFileSync(written, `${randomBytes(32).toString('base64')}\n`, { flag: 'wx', mode: 0o600, flush: true })
    try {
      linkSync(written, file)
      log.warn({ file }, 'secrets are encrypted with the key in this file: keep it with the backups. Several processes need CF_SECRET_KEY')
    } catch (error) {
      if ((error as { code?: string }).code !== 'EEXIST') throw error
    } finally {
      rmSync(written)
    }
  }
  const key = Buffer.from(readFileSync(file, 'utf8'), 'base64')
  if (key.length !== 32) throw new Error(`${file} does not hold 32 bytes in base64`)
  return key
}
