/** A whole log as lines of JSON, for whoever keeps it elsewhere: `contentflow audit verify` checks it without this server. */
import type { Context } from '../../context.ts'
import { sign } from './checkpoints.ts'
import { findHead } from './queries-heads.ts'
import { listEntries } from './queries-audit.ts'

const AT_A_TIME = 500

/** Each line an entry with the hash before it and its own; the last line the checkpoint over the last entry. */
export async function* exportAudit(ctx: Context, workspaceId: string): AsyncGenerator<string> {
  const end = await sign(ctx, workspaceId)
  const head = await findHead(ctx.db, workspaceId)
  if (!end || !head) return
  let after = head.pruned_seq
  const upTo = end.checkpoint.seq
  while (after < upTo) {
    const entries = await listEntries(ctx.db, workspaceId, { after, upTo, limit: AT_A_TIME })
    if (entries.length === 0) break
    yield entries
      .map(({ entry, prev, hash }) => `{"entry":${entry},"hash":"${hash.toString('hex')}","prev":"${prev.toString('hex')}"}\n`)
      .join('')
    after = entries.at(-1)!.seq
  }
  yield `${JSON.stringify(end)}\n`
}
