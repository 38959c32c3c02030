/** What the two sides of the holdout say, read as an experiment. */
import { judgeExperiment } from '@contentflow/core/experiments/judge.ts'
import type { Db } from '../../db/open.ts'
import { findHoldout, findReading, type Side } from '../holdout/index.ts'

/** The last reading; of a comparison that has begun anew since, nothing is known until its first night. */
export async function compareHoldout(db: Db, workspaceId: string) {
  const holdout = await findHoldout(db, workspaceId)
  const stored = await findReading(db, workspaceId)
  const begun = holdout?.since ?? null
  const reading = stored && (begun === null || stored.since === begun) ? stored : null
  const since = begun ?? reading?.since ?? null
  if (!reading) return { since, readAt: null, sides: [], conversions: null, value: null }
  const sides = [
    { id: 'others', ...reading.sides.others },
    { id: 'held_out', ...reading.sides.heldOut },
  ] as const
  const shares = sides.map(({ id, units, converted }) => ({ id, units, did: converted, sum: converted, squares: converted }))
  const worth = sides.map(({ id, units, converted, value, squares }) => ({ id, units, did: converted, sum: value, squares }))
  return {
    since,
    readAt: reading.at,
    sides: sides.map((side) => ({ side: side.id, people: side.units, converted: side.converted, value: side.value, ...means(side) })),
    conversions: judgeExperiment(shares, { of: 'people' }),
    value: judgeExperiment(worth, { of: 'value' }),
  }
}

function means({ units, converted, value }: Side) {
  return { conversionRate: units === 0 ? null : converted / units, valuePerPerson: units === 0 ? null : value / units }
}
