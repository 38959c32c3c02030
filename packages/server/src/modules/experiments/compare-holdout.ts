/** What the two sides of the holdout say, read as an experiment. */
import { judgeExperiment } from '@contentflow/core/experiments/judge.ts'
import { sampleRatioOf } from '@contentflow/core/experiments/sample-ratio.ts'
import type { Db } from '../../db/open.ts'
import { findHoldout, findReading, type Side } from '../holdout/index.ts'

/** The last reading; of a comparison that has begun anew since, nothing is known until its first night. */
export async function compareHoldout(db: Db, workspaceId: string) {
  const holdout = await findHoldout(db, workspaceId)
  const stored = await findReading(db, workspaceId)
  const begun = holdout?.since ?? null
  const reading = stored && (begun === null || stored.since === begun) ? stored : null
  const since = begun ?? reading?.since ?? null
  if (!reading) return { since, readAt: null, sides: [], conversions: null, value: null, sampleRatio: null }
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
    sampleRatio: sampleRatioIn(sides, holdout?.percent ?? 0),
  }
}

/** Whether as many are held out as the share says. Of nobody's share nothing is expected. */
function sampleRatioIn(sides: readonly ({ id: 'others' | 'held_out' } & Side)[], percent: number) {
  const all = sides.reduce((sum, { units }) => sum + units, 0)
  const groups = sides.map(({ id, units }) => ({
    variantId: id,
    seen: units,
    expected: (all * (id === 'held_out' ? percent : 100 - percent)) / 100,
  }))
  const found = percent > 0 ? sampleRatioOf(groups) : undefined
  return found ? { ...found, groups } : null
}

function means({ units, converted, value }: Side) {
  return { conversionRate: units === 0 ? null : converted / units, valuePerPerson: units === 0 ? null : value / units }
}
