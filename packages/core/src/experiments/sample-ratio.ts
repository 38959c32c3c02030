/** Whether groups have the sizes that their weights say: if not, something else than the variants differs, and no verdict is to be believed. */
import { chiSquareTail } from './tails.ts'

/** So rare that it is no chance in practice, although it is looked at every day. */
const MISMATCH = 0.001
/** Below this many units in all, nothing is said. */
const LEAST_UNITS = 500

export type SampleRatio = { p: number; isMismatch: boolean }

/** χ² of counts against what was expected of each (both in all the same); undefined when there are too few, or only one group. */
export function sampleRatioOf(groups: readonly { seen: number; expected: number }[]): SampleRatio | undefined {
  const able = groups.filter(({ expected }) => expected > 0)
  const units = able.reduce((sum, { seen }) => sum + seen, 0)
  if (able.length < 2 || units < LEAST_UNITS) return undefined
  const distance = able.reduce((sum, { seen, expected }) => sum + (seen - expected) ** 2 / expected, 0)
  const p = chiSquareTail(able.length - 1, distance)
  return { p, isMismatch: p < MISMATCH }
}
