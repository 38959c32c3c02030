import type { Db } from '../../db/open.ts'
import { listSeries, listTop, type Counts, type Range } from './queries-read.ts'

const TYPES = 20
const BLOCKS = 10
const NONE: Counts = { impressions: 0, clicks: 0, dismissals: 0, conversions: 0, total: 0 }
export const UNIT_MS = { hour: 3_600_000, day: 86_400_000 }

/** What happened in a range, for people to look at: as a whole, over time, by type, and the blocks that were seen most. */
export async function readOverview(db: Db, range: Range) {
  const series = await listSeries(db, range, 'type')
  const devices = range.unit === 'day' ? await listSeries(db, range, 'devices') : []
  const types = await listTop(db, range, 'type', 'total', TYPES)
  const blocks = await listTop(db, range, 'block', 'impressions', BLOCKS)
  const totals = series.reduce(add, NONE)
  const shown = types.reduce((sum, { total }) => sum + total, 0)
  return {
    from: range.from,
    to: range.to,
    interval: range.unit,
    environment: range.environment,
    totals,
    series: fill(range, series, devices),
    types: types.map(({ name, total }) => ({ type: name, total })),
    otherTypes: totals.total - shown,
    blocks: blocks.map(({ name, impressions, clicks }) => ({
      key: name,
      impressions,
      clicks,
      clickRate: impressions === 0 ? 0 : Math.round((clicks / impressions) * 10_000) / 10_000,
    })),
  }
}

function add(a: Counts, b: Counts): Counts {
  return {
    impressions: a.impressions + b.impressions,
    clicks: a.clicks + b.clicks,
    dismissals: a.dismissals + b.dismissals,
    conversions: a.conversions + b.conversions,
    total: a.total + b.total,
  }
}

/** One point for each unit, also where nothing happened. */
function fill({ unit, from, to }: Range, series: readonly (Counts & { at: Date })[], devices: readonly (Counts & { at: Date })[]) {
  const byTime = new Map(series.map(({ at, ...counts }) => [at.getTime(), counts]))
  const active = new Map(devices.map(({ at, total }) => [at.getTime(), total]))
  const points = []
  for (let at = from.getTime(); at < to.getTime(); at += UNIT_MS[unit])
    points.push({
      at: new Date(at),
      ...(byTime.get(at) ?? NONE),
      ...(unit === 'day' && { activeDevices: active.get(at) ?? 0 }),
    })
  return points
}
