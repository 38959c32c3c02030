/** An exported audit log, checked without a server. */
import { createPublicKey, hash, verify } from 'node:crypto'
import {
  ExportVerifier,
  isCheckpoint,
  type AuditCrypto,
  type AuditFault,
  type ExportVerdict,
} from '@contentflow/core/audit/verify-export.ts'
import type { SignedCheckpoint } from '@contentflow/core/audit/entry.ts'
import { readText } from '../files.ts'
import { DIFFERS, Problem, SAME, type Exit, type Io } from '../io.ts'

type Options = { json?: boolean; checkpoint?: string }

/** Says whether the file is what the server wrote, to its end; ends with 2 and names the first entry that is not. */
export async function auditVerify(io: Io, { json, checkpoint }: Options, file: string): Promise<Exit> {
  const held = checkpoint === undefined ? undefined : readCheckpoint(io, checkpoint)
  const verifier = new ExportVerifier(CRYPTO, held)
  const lines = readText(io, file).split('\n')
  if (lines.at(-1) === '') lines.pop()
  lines.forEach((line, index) => {
    if (!verifier.take(line)) throw new Problem(`${file}: line ${index + 1} is no line of an exported audit log`, 'FILE')
  })
  const verdict = verifier.finish()
  io.out(json ? `${JSON.stringify(verdict)}\n` : describe(verdict, held !== undefined))
  return verdict.fault ? DIFFERS : SAME
}

const CRYPTO: AuditCrypto = {
  sha256: (text, prevHex) => hash('sha256', Buffer.concat([Buffer.from(prevHex ?? '', 'hex'), Buffer.from(text)]), 'hex'),
  verify: ({ text, publicKey, signature }) => {
    try {
      const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' })
      return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))
    } catch {
      // Whatever is wrong with them, nobody signed it with this key.
      return false
    }
  },
}

/** The last line of an earlier export, or that export itself. */
function readCheckpoint(io: Io, name: string): SignedCheckpoint {
  const last = readText(io, name).trimEnd().split('\n').at(-1) ?? ''
  let parsed: unknown
  try {
    parsed = JSON.parse(last)
  } catch {
    // Reported below with what is expected.
  }
  return isCheckpoint(parsed) ? parsed : badCheckpoint(name)
}

function badCheckpoint(name: string): never {
  throw new Problem(`${name} is no checkpoint: keep the last line of an exported audit log, or the file itself`, 'FILE')
}

const WORDS: Record<AuditFault['kind'], string> = {
  changed: 'was changed',
  missing: 'is missing',
  reordered: 'does not follow the one before it',
  truncated: 'and whatever follows it was cut off',
  checkpoint: 'is not what was signed',
}

function describe({ checked, first, last, fault, checkpoint }: ExportVerdict, isHeld: boolean): string {
  if (fault) return `Entry ${fault.seq} ${WORDS[fault.kind]}\n`
  const range = checked === 0 ? 'No entries' : `${checked} entries, ${first} to ${last}`
  const signed = checkpoint ? `, signed at ${checkpoint.checkpoint.at} with the key ${checkpoint.publicKey}` : ''
  return `${range}: as they were written${signed}${isHeld ? ', and as the checkpoint says' : ''}\n`
}
