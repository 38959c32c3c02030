/** Checks an exported audit log offline, line by line: whether each entry is bound to the one before it, to its end. */
import { canonicalJson } from '../json/canonical-json.ts'
import { auditGenesis, checkpointText, type SignedCheckpoint } from './entry.ts'

/** The cryptography of where it runs. Bytes are written in hex, but for keys and signatures (base64url). */
export type AuditCrypto = {
  /** Of the bytes of `prevHex`, when given, and the text behind them. */
  sha256(text: string, prevHex?: string): string
  verify(signed: { text: string; publicKey: string; signature: string }): boolean
}

export type AuditFaultKind = 'changed' | 'missing' | 'reordered' | 'truncated' | 'checkpoint'
/** The first entry that does not fit, by its number. */
export type AuditFault = { seq: number; kind: AuditFaultKind }
export type ExportVerdict = { checked: number; first: number; last: number; fault: AuditFault | null; checkpoint: SignedCheckpoint | null }

type Line = { entry: { seq: number }; hash: string; prev: string }

/** `held`: a checkpoint that was kept elsewhere; the export has to hold what it was signed over. */
export class ExportVerifier {
  readonly #crypto: AuditCrypto
  readonly #held: SignedCheckpoint | undefined
  #checked = 0
  #first = 0
  #firstPrev = ''
  #last = 0
  #hash: string | undefined
  #isHeldSeen = false
  #fault: AuditFault | null = null
  #checkpoint: SignedCheckpoint | null = null

  constructor(crypto: AuditCrypto, held?: SignedCheckpoint) {
    this.#crypto = crypto
    this.#held = held
  }

  /** Takes the next line. False when it is no line of an export. */
  take(line: string): boolean {
    const parsed = parse(line)
    if (isCheckpoint(parsed)) {
      this.#checkpoint = parsed
      return true
    }
    if (!isLine(parsed)) return false
    if (!this.#fault) this.#judge(parsed)
    this.#checked++
    return true
  }

  #judge({ entry, hash, prev }: Line): void {
    const { seq } = entry
    if (this.#checkpoint) return this.#blame(seq, 'reordered')
    if (this.#hash === undefined) [this.#first, this.#firstPrev] = [seq, prev]
    else if (seq !== this.#last + 1) return this.#blame(Math.min(seq, this.#last + 1), seq > this.#last ? 'missing' : 'reordered')
    if (this.#crypto.sha256(canonicalJson(entry), prev) !== hash) return this.#blame(seq, 'changed')
    if (this.#hash !== undefined && prev !== this.#hash) return this.#blame(seq, 'reordered')
    const held = this.#held?.checkpoint
    if (held?.seq === seq) {
      this.#isHeldSeen = true
      if (held.hash !== hash) return this.#blame(seq, 'checkpoint')
    }
    this.#last = seq
    this.#hash = hash
  }

  #blame(seq: number, kind: AuditFaultKind): void {
    this.#fault ??= { seq, kind }
  }

  /** What was found, after the last line. */
  finish(): ExportVerdict {
    if (!this.#fault) this.#judgeEnd()
    return { checked: this.#checked, first: this.#first, last: this.#last, fault: this.#fault, checkpoint: this.#checkpoint }
  }

  #judgeEnd(): void {
    const end = this.#checkpoint
    // Each export ends with one; of a log without entries it is over the beginning.
    if (!end) return this.#blame(this.#last + 1, 'truncated')
    const { seq, hash, workspace } = end.checkpoint
    if (seq > this.#last && this.#hash !== undefined) return this.#blame(this.#last + 1, 'truncated')
    const text = checkpointText(end.checkpoint)
    const isOfEnd = this.#hash === undefined ? seq >= 0 : seq === this.#last && hash === this.#hash
    if (!isOfEnd || !this.#crypto.verify({ ...end, text })) return this.#blame(seq, 'checkpoint')
    const beginning = this.#crypto.sha256(auditGenesis(workspace))
    if (this.#first === 1 && this.#firstPrev !== beginning) return this.#blame(1, 'reordered')
    if (seq === 0 && hash !== beginning) return this.#blame(0, 'checkpoint')
    this.#judgeHeld(end)
  }

  #judgeHeld(end: SignedCheckpoint): void {
    const held = this.#held
    if (!held || this.#fault) return
    const { seq, workspace } = held.checkpoint
    const isSigned = this.#crypto.verify({ ...held, text: checkpointText(held.checkpoint) })
    if (!isSigned || held.publicKey !== end.publicKey || workspace !== end.checkpoint.workspace) return this.#blame(seq, 'checkpoint')
    if (seq > this.#last) return this.#blame(this.#last + 1, 'truncated')
    // Older than what is kept: nothing here can contradict it.
    if (!this.#isHeldSeen && seq >= this.#first) this.#blame(seq, 'missing')
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function isLine(value: unknown): value is Line {
  if (typeof value !== 'object' || value === null) return false
  const { entry, hash, prev } = value as Partial<Line>
  const isEntry = typeof entry === 'object' && entry !== null && Number.isSafeInteger(entry.seq)
  return isEntry && isHash(hash) && isHash(prev)
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}

/** Whether it is a signed checkpoint, by its form. */
export function isCheckpoint(value: unknown): value is SignedCheckpoint {
  if (typeof value !== 'object' || value === null) return false
  const { checkpoint, publicKey, signature } = value as Partial<SignedCheckpoint>
  if (typeof checkpoint !== 'object' || checkpoint === null || typeof publicKey !== 'string' || typeof signature !== 'string') return false
  const { workspace, number, seq, hash, at } = checkpoint
  return (
    typeof workspace === 'string' && Number.isSafeInteger(number) && Number.isSafeInteger(seq) && isHash(hash) && typeof at === 'string'
  )
}
