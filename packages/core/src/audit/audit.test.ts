/** An exported log: whatever is changed, taken out, put in, swapped or cut off is named. */
import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, hash, sign, verify } from 'node:crypto'
import { test } from 'node:test'
import {
  auditedState,
  auditGenesis,
  auditText,
  changedMembers,
  checkpointText,
  digestedText,
  type AuditEntry,
  type SignedCheckpoint,
} from './entry.ts'
import { ExportVerifier, type AuditCrypto } from './verify-export.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const x = publicKey.export({ format: 'jwk' }).x ?? ''
const sha = (text: string, prev = '') => hash('sha256', Buffer.concat([Buffer.from(prev, 'hex'), Buffer.from(text)]), 'hex')
const crypto: AuditCrypto = {
  sha256: sha,
  verify: ({ text, publicKey: key, signature }) =>
    verify(
      null,
      Buffer.from(text),
      createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' }),
      Buffer.from(signature, 'base64url'),
    ),
}
type Line = { entry: AuditEntry; hash: string; prev: string }

function chain(count: number, say = 'updateSegment'): Line[] {
  let prev = sha(auditGenesis('w'))
  return Array.from({ length: count }, (_, index) => {
    const entry: AuditEntry = {
      seq: index + 1,
      at: '2026-11-28T10:00:00.000Z',
      actor: { kind: 'member', id: 'a' },
      action: say,
      outcome: 'done',
    }
    const own = sha(auditText(entry), prev)
    const line = { entry, hash: own, prev }
    prev = own
    return line
  })
}

function signed({ entry, hash: own }: Line, number = 1): SignedCheckpoint {
  const checkpoint = { workspace: 'w', number, seq: entry.seq, hash: own, at: '2026-11-28T11:00:00.000Z' }
  return { checkpoint, publicKey: x, signature: sign(null, Buffer.from(checkpointText(checkpoint)), privateKey).toString('base64url') }
}

function check(lines: readonly object[], held?: SignedCheckpoint) {
  const verifier = new ExportVerifier(crypto, held)
  for (const line of lines) assert.ok(verifier.take(JSON.stringify(line)))
  return verifier.finish()
}

const LINES = chain(20)
const END = signed(LINES.at(-1)!)
const without = (index: number) => LINES.filter((_, at) => at !== index)
const swapped = LINES.with(4, LINES.at(5)!).with(5, LINES.at(4)!)
const renamed = (index: number): Line => ({ ...LINES.at(index)!, entry: { ...LINES.at(index)!.entry, action: 'other' } })
const rehashed = (index: number): Line => {
  const line = renamed(index)
  return { ...line, hash: sha(auditText(line.entry), line.prev) }
}

for (const { what, lines, fault, held } of [
  { what: 'what was written', lines: [...LINES, END], fault: null },
  { what: 'what was written, with an earlier checkpoint', lines: [...LINES, END], held: signed(LINES.at(7)!), fault: null },
  { what: 'what is left behind pruning', lines: [...LINES.slice(8), END], fault: null },
  { what: 'an entry that says something else', lines: [...LINES.with(6, renamed(6)), END], fault: { seq: 7, kind: 'changed' } },
  { what: 'the same with its hash made anew', lines: [...LINES.with(6, rehashed(6)), END], fault: { seq: 8, kind: 'reordered' } },
  { what: 'one that is missing', lines: [...without(6), END], fault: { seq: 7, kind: 'missing' } },
  { what: 'two that changed places', lines: [...swapped, END], fault: { seq: 5, kind: 'missing' } },
  {
    what: 'one that stands twice',
    lines: [...LINES.slice(0, 5), LINES.at(4)!, ...LINES.slice(5), END],
    fault: { seq: 5, kind: 'reordered' },
  },
  { what: 'an end that was cut off', lines: [...LINES.slice(0, 15), END], fault: { seq: 16, kind: 'truncated' } },
  { what: 'a file without its checkpoint', lines: LINES, fault: { seq: 21, kind: 'truncated' } },
  {
    what: 'entries behind the checkpoint',
    lines: [...LINES.slice(0, 15), signed(LINES.at(14)!), ...LINES.slice(15)],
    fault: { seq: 16, kind: 'reordered' },
  },
  {
    what: 'a checkpoint that nobody signed',
    lines: [...LINES, { ...END, checkpoint: { ...END.checkpoint, number: 2 } }],
    fault: { seq: 20, kind: 'checkpoint' },
  },
  {
    what: 'a log made anew',
    lines: [...chain(20, 'x'), signed(chain(20, 'x').at(-1)!)],
    held: signed(LINES.at(9)!),
    fault: { seq: 10, kind: 'checkpoint' },
  },
  {
    what: 'a log that ends before a checkpoint that is held',
    lines: [...LINES.slice(0, 5), signed(LINES.at(4)!)],
    held: END,
    fault: { seq: 6, kind: 'truncated' },
  },
] as const)
  test(`an export: ${what}`, () => {
    assert.deepEqual(check(lines, held).fault, fault)
  })

test('lines that are none of an export are refused', () => {
  for (const line of ['', '{}', 'x', '{"entry":{"seq":"1"},"hash":"","prev":""}', 'null', '[]'])
    assert.equal(new ExportVerifier(crypto).take(line), false, line)
})

test('a state is compared without bookkeeping, and digested without its secrets, of which only the name is told', () => {
  const before = { name: 'a', version: 1, updatedAt: new Date(0), secret: 's1', rules: [1] }
  const after = { ...before, version: 2, updatedAt: new Date(1), secret: 's2', rules: [2] }
  assert.deepEqual(changedMembers(auditedState(before), auditedState(after)), ['rules', 'secret'])
  assert.equal(digestedText(auditedState(before)), '{"name":"a","rules":[1]}')
  assert.deepEqual([auditedState(undefined), auditedState(null)], [undefined, undefined])
})
