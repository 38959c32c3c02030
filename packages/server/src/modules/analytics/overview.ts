import { toClock } from '@contentflow/core/calendar/zoned-time.ts'
import { parseTime } from '@contentflow/core/time.ts'
import { DAY_MS, HOUR_MS } from '@contentflow/core/units.ts'
import type { Db } from '../../db/open.ts'
import { listSeries, listTop, type Counts, type Range } from './queries-read.ts'

const TYPES = 20
const BLOCKS = 10
const NONE: Counts = { impressions: 0, clicks: 0, dismissals: 0, conversions: 0, total: 0 }
export const UNIT_MS = { hour: HOUR_MS, day: DAY_MS }

/** What happened in a range, for people to look at: as a whole, over time, by type, and the blocks that were seen most. */
export async function readOverview(db: Db, range: Range) {
  const series = await listSeries(db, range, 'type')
  const devices = range.unit === 'day' ? await listDevices(db, range) : []
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

/**
 * The days of a zone from the one in which `begin` lies to the one before `end` (milliseconds). Hours are counted by UTC: where a zone
 * begins its days within one, all of that hour is of the later day.
 */
export function daysOf(begin: number, end: number, zone: string): Required<Pick<Range, 'from' | 'to' | 'days'>> {
  const days: { at: Date; date: Date }[] = []
  const first = Date.parse(toClock(begin, zone).slice(0, 10))
  let at = -Infinity
  for (let index = 0; (at < end || index === 1) && index <= MOST_DAYS; index++) {
    const date = new Date(first + index * UNIT_MS.day)
    const midnight = Date.parse(parseTime(date.toISOString().slice(0, 10), { day: zone }) ?? '')
    at = Math.floor(midnight / UNIT_MS.hour) * UNIT_MS.hour
    days.push({ at: new Date(at), date })
  }
  return { days, from: days[0]!.at, to: days.at(-1)!.at }
}

/** More than anybody may ask for; such a range is refused for its length. */
const MOST_DAYS = 1_000

/** By the day of UTC with the same date: which devices of one hour come back in another nobody has counted. */
async function listDevices(db: Db, { days, ...range }: Range): Promise<(Counts & { at: Date })[]> {
  if (!days) return listSeries(db, range, 'devices')
  const counted = await listSeries(db, { ...range, from: days[0]!.date, to: days.at(-1)!.date }, 'devices')
  const startOf = new Map(days.map(({ at, date }) => [date.getTime(), at]))
  return counted.flatMap((counts) => {
    const at = startOf.get(counts.at.getTime())
    return at ? [{ ...counts, at }] : []
  })
}

/** One point for each unit, also where nothing happened. */
function fill({ unit, from, to, days }: Range, series: readonly (Counts & { at: Date })[], devices: readonly (Counts & { at: Date })[]) {
  const byTime = new Map(series.map(({ at, ...counts }) => [at.getTime(), counts]))
  const active = new Map(devices.map(({ at, total }) => [at.getTime(), total]))
  const points = []
  const starts = days?.slice(0, -1) ?? []
  if (!days) for (let at = from.getTime(); at < to.getTime(); at += UNIT_MS[unit]) starts.push({ at: new Date(at), date: new Date(at) })
  for (const { at, date } of starts)
    points.push({
      at,
      ...(byTime.get(at.getTime()) ?? NONE),
      ...(unit === 'day' && { date: date.toISOString().slice(0, 10), activeDevices: active.get(at.getTime()) ?? 0 }),
    })
  return points
}
