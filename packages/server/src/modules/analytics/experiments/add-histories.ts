/** What units did before they were exposed, where days of people do not say it. */
import { pastIn, pastLeavesOf } from '@contentflow/core/experiments/past.ts'
import type { Db } from '../../../db/open.ts'
import { readHistories } from '../../behaviour/index.ts'
import { addPasts, type FreshUnit, type StoredExperiment, type Units } from './queries-units.ts'

/** Histories in memory at a time: each is a few kilobytes. */
const PEOPLE = 1_000

/**
 * In the transaction that counts, before what these units do is: the events of this transaction are folded behind it, so a
 * history says only what was before.
 */
export async function addHistories(
  tx: Db,
  workspaceId: string,
  experiments: readonly StoredExperiment[],
  { units, fresh }: { units: Units; fresh: readonly FreshUnit[] },
): Promise<void> {
  const known = new Map(experiments.map(({ id, subject, subjectId, metric }) => [id, { subjectId, leaves: pastLeavesOf(metric, subject) }]))
  for (let start = 0; start < fresh.length; start += PEOPLE) {
    const some = fresh.slice(start, start + PEOPLE)
    const people = [...new Set(some.flatMap(({ profileId }) => profileId ?? []))]
    const histories = await readHistories(tx, workspaceId, people)
    const pasts = some.flatMap((unit) => {
      const { subjectId = '', leaves = [] } = known.get(unit.id) ?? {}
      return { ...unit, subjectId, x: pastIn(leaves, histories.get(unit.profileId ?? ''), unit.at.getTime()) }
    })
    await addPasts(tx, workspaceId, units, pasts)
  }
}
