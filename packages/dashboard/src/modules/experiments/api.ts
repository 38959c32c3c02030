/** The server's answers about experiments. */
import type { Experiment, ListedExperiment } from '@contentflow/server/wire.ts'
import { useRead } from '../../data.ts'

export type { Experiment, ListedExperiment }
export type Metric = Experiment['metric']

export const EXPERIMENTS = '/experiments'
/** Counts follow the events by some seconds. */
const EVERY_MS = 15_000

export function pathOf(id: string, rest = ''): string {
  return `${EXPERIMENTS}/${encodeURIComponent(id)}${rest}`
}

export function useExperiment(id: string, { when = true }: { when?: boolean } = {}) {
  return useRead<Experiment>(pathOf(id), {}, { every: EVERY_MS, when })
}

const DAY_MS = 86_400_000

/** What a plan can begin with: the share of all devices that did it, and how many came on a day. Undefined while that is none or all. */
export function knownOf({ groups, units, startedAt, metric }: Experiment): { baseline: number; daily: number } | undefined {
  const did = groups.reduce((sum, group) => sum + group.did, 0)
  if (metric.of !== 'people' || startedAt === null || did === 0 || did >= units) return undefined
  return { baseline: did / units, daily: Math.max(1, units / Math.max(1, (Date.now() - Date.parse(startedAt)) / DAY_MS)) }
}
