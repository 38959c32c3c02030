/** An exported audit log, checked without a server. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, hash, sign } from 'node:crypto'
import { test } from 'node:test'
import { auditGenesis, auditText, checkpointText, type AuditEntry } from '@contentflow/core/audit/entry.ts'
import { expectExit, openFolder } from './cli.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const sha = (text: string, prev = '') => hash('sha256', Buffer.concat([Buffer.from(prev, 'hex'), Buffer.from(text)]), 'hex')

/** As GET /audit/export answers. */
function exportOf(count: number, action: string): string[] {
  let prev = sha(auditGenesis('w'))
  const lines = Array.from({ length: count }, (_, index) => {
    const at = '2026-11-28T10:00:00.000Z'
    const entry: AuditEntry = { seq: index + 1, at, actor: { kind: 'member', id: 'a' }, action, outcome: 'done' }
    const line = { entry, hash: sha(auditText(entry), prev), prev }
    prev = line.hash
    return JSON.stringify(line)
  })
  const checkpoint = { workspace: 'w', number: 1, seq: count, hash: prev, at: '2026-11-28T11:00:00.000Z' }
  const signature = sign(null, Buffer.from(checkpointText(checkpoint)), privateKey).toString('base64url')
  return [...lines, JSON.stringify({ checkpoint, publicKey: publicKey.export({ format: 'jwk' }).x, signature })]
}

test('an export that is whole ends with 0, also against an earlier one; with what was done to it, with 2', async () => {
  const folder = openFolder()
  const lines = exportOf(5, 'updateSegment')
  folder.write('log.jsonl', `${lines.join('\n')}\n`)
  folder.write('earlier.jsonl', `${exportOf(3, 'updateSegment').join('\n')}\n`)
  folder.write('cut.jsonl', `${lines.toSpliced(2, 1).join('\n')}\n`)
  folder.write('other.jsonl', `${exportOf(5, 'deleteSegment').join('\n')}\n`)
  folder.write('text.txt', 'hello\n')
  const { out } = expectExit(await folder.run(['audit', 'verify', 'log.jsonl', '--checkpoint', 'earlier.jsonl']), 0)
  assert.match(
    out,
    /^5 entries, 1 to 5: as they were written, signed at 2026-11-28T11:00:00\.000Z with the key \S+, and as the checkpoint says\n$/,
  )
  assert.equal(expectExit(await folder.run(['audit', 'verify', 'cut.jsonl']), 2).out, 'Entry 3 is missing\n')
  const made = expectExit(await folder.run(['audit', 'verify', 'other.jsonl', '--checkpoint', 'earlier.jsonl', '--json']), 2)
  assert.deepEqual(JSON.parse(made.out).fault, { seq: 3, kind: 'checkpoint' })
  assert.match(expectExit(await folder.run(['audit', 'verify', 'text.txt']), 1).err, /line 1 is no line of an exported audit log/)
  assert.match(expectExit(await folder.run(['audit', 'verify', 'log.jsonl', '--checkpoint', 'text.txt']), 1).err, /is no checkpoint/)
})
