/** People whom campaigns with a control group came to, and whom they left out, as units of an experiment. */
import { inTransaction } from '../../../infra/unavailable.ts'
import type { Context } from '../../../context.ts'
import { lockCounting } from '../../../db/locks.ts'
import type { Db } from '../../../db/open.ts'
import type { EventBatch } from '../queries-counts.ts'
import { addHistories } from './add-histories.ts'
import { openRun } from './open-run.ts'
import { addPeople, listControlGroups } from './queries-control.ts'
import { listExperiments } from './queries-units.ts'

/** People of one transaction, besides those whose events are counted in it: a message may be written to very many. */
const MOST = 2_000

/** In the transaction that counts the batches: whoever did something is a unit before what they did is counted. */
export async function countControlGroups(tx: Db, workspaceId: string, batches: readonly EventBatch[], at: Date): Promise<void> {
  await addNoted(tx, workspaceId, { id: null, batches, at })
}

/** All who were noted of a campaign since, in steps; whoever did nothing is found by nobody else. */
export async function countNoted(ctx: Context, workspaceId: string, campaignId: string, signal: AbortSignal): Promise<void> {
  for (let noted = MOST; noted >= MOST;) {
    signal.throwIfAborted()
    noted = await inTransaction(ctx.db, async (tx) => {
      await lockCounting(tx, workspaceId)
      return addNoted(tx, workspaceId, { id: campaignId, batches: [], at: ctx.clock.now() })
    })
  }
}

type Noted = { id: string | null; batches: readonly EventBatch[]; at: Date }

async function addNoted(tx: Db, workspaceId: string, { id, batches, at }: Noted): Promise<number> {
  const subjects = await listControlGroups(tx, workspaceId, id)
  if (subjects.length === 0) return 0
  const ids = subjects.map((subject) => subject.id)
  const stored = await listExperiments(tx, workspaceId, ids, at)
  const opened = []
  for (const subject of subjects) {
    const experiment = stored.find((one) => one.id === subject.id)
    const begins = experiment?.arms ? subject.changedAt : at
    opened.push((await openRun(tx, workspaceId, { subject, stored: experiment, at: begins })) ?? [])
  }
  const experiments = opened.flat()
  const { noted, fresh } = await addPeople(tx, workspaceId, experiments, { batches, limit: MOST })
  await addHistories(tx, workspaceId, experiments, { units: 'people', fresh })
  return noted
}
