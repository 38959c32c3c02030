import type { Db } from '../../db/open.ts'
import type { Environment, Tell } from '../../infra/signals.ts'
import { moveHeads } from './queries.ts'

/** The stream's event names (G-30). */
type SignalName = 'block.published' | 'block.updated' | 'block.unpublished' | 'block.archived' | 'message.updated' | 'config.updated'

export type Change = {
  workspaceId: string
  /** A change of live content reaches test keys too, so it names both. None: nobody sees it. */
  environments: readonly Environment[]
  /** null: clients need not hear of it, only fresh answers must be right. */
  signal: SignalName | null
  now: Date
}

/** Moves what clients see on, in the transaction that makes the change, and tells every process after its commit. */
export async function markContentChanged(tx: Db, tell: Tell, { workspaceId, environments, signal, now }: Change): Promise<void> {
  if (environments.length === 0) return
  for (const head of await moveHeads(tx, workspaceId, environments, signal, now)) {
    await tell({
      kind: 'content',
      workspaceId,
      environment: head.environment as Environment,
      revision: head.revision,
      signalId: head.signal_id,
      name: signal,
    })
  }
}
