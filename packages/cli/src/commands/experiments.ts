import { openApi } from '../api.ts'
import { SAME, type Exit, type Io } from '../io.ts'

type Options = { json?: boolean }
type Listed = { id: string; subject: string; name: string; state: string; units: number; because: string }
type Group = { variantId: string; units: number; did: number; mean: number | null; low: number | null; high: number | null }
type Shown = Listed & {
  run: number
  hypothesis: string
  metric: { event: string; of: string; days: number }
  groups: Group[]
  guardrails: { metric: { event: string }; state: string }[]
}

/** Every experiment with what it says, the newest first. */
export async function experimentsList(io: Io, { json }: Options): Promise<Exit> {
  const api = openApi(io)
  const all: Listed[] = []
  let cursor: string | null = null
  do {
    const query = new URLSearchParams({ limit: '100', ...(cursor !== null && { cursor }) })
    const page = await api.page('member', `/api/v1/experiments?${query.toString()}`)
    all.push(...(page.data as { experiments: Listed[] }).experiments)
    cursor = page.metadata.nextCursor
  } while (cursor !== null)
  if (json) io.out(`${JSON.stringify(all)}\n`)
  else if (all.length === 0) io.out('no experiment yet\n')
  else
    for (const { id, subject, name, state, units, because } of all)
      io.out(`${id}  ${name}: ${state}, ${units} ${unitsOf(subject)}. ${because}\n`)
  return SAME
}

/** One experiment: what it says, and the numbers it says so from. */
export async function experimentsShow(io: Io, { json }: Options, id: string): Promise<Exit> {
  const found = await openApi(io).call<Shown>('member', 'GET', `/api/v1/experiments/${encodeURIComponent(id)}`)
  if (json) {
    io.out(`${JSON.stringify(found)}\n`)
    return SAME
  }
  const { subject, name, state, run, hypothesis, metric, groups, guardrails, because } = found
  io.out(`${name}: ${state}, run ${run}\n${hypothesis && `${hypothesis}\n`}${because}\n`)
  io.out(`by ${metric.event} (${metric.of}) within ${metric.days} days\n`)
  for (const { variantId, units, did, mean, low, high } of groups)
    io.out(`${variantId}: ${units} ${unitsOf(subject)}, ${did} did it, mean ${round(mean)} (${round(low)} to ${round(high)})\n`)
  for (const { metric: guarded, state: is } of guardrails) io.out(`guardrail ${guarded.event}: ${is}\n`)
  return SAME
}

const unitsOf = (subject: string) => (subject === 'control' ? 'people' : 'devices')
const round = (value: number | null) => (value === null ? '-' : String(Math.round(value * 10_000) / 10_000))
