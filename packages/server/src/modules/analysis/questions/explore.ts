/** How many events or people, or what sum, over time. */
import { addEvents, addPeople, emptySeries, type Series } from '@contentflow/core/analysis/explore.ts'
import { KEYS_PER_MS } from '@contentflow/core/analysis/columns.ts'
import { BY_SEGMENT, type ExploreQuestion } from '@contentflow/core/analysis/question.ts'
import { groupsOf } from '@contentflow/core/analysis/timelines.ts'
import { testRows } from '@contentflow/core/analysis/where-columns.ts'
import { DAY_MS, HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import { chooseGroups, segmentGroups, type Group, type Groups, type SegmentGroup } from './groups.ts'
import { countEvents, countValues, findTypeIds, type Source, type Wanted } from './queries-read.ts'
import { originOf, readTimelines, type Covered, type Mark } from './read-timelines.ts'

type ExploreAnswer = Covered & {
  intervals: Date[]
  series: (Group & Series & { type: string })[]
  /** From counts that are a few seconds behind. */
  isFresh: boolean
}

const INTERVAL_MS = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS }
/** A Monday. */
const FIRST_WEEK = Date.UTC(1970, 0, 5)
const ONE_GROUP: Groups = { list: [{ value: null, isOther: false }], groupOf: new Map(), none: 0, others: 0 }

/** `segments`: those that a question by segment tells people apart by. */
type Asked = { question: ExploreQuestion; segments: readonly SegmentGroup[] }

export async function explore(ctx: Context, source: Source, { question, segments }: Asked): Promise<ExploreAnswer> {
  const { types, metric, by, where, segment, interval, period } = question
  const bounds = intervalsOf(question)
  const intervals = bounds.map((ms) => new Date(ms))
  const range = { ...source, from: new Date(period.from), to: new Date(period.to) }
  const isBySegment = by === BY_SEGMENT
  const isPlain = metric === 'events' && where === undefined && segment === undefined && !isBySegment
  if (isPlain && by === undefined) {
    const series = emptySeries(types.length, bounds.length)
    const counted = await countEvents(ctx.db, range, types, interval === 'hour' ? 'hour' : 'day')
    for (const { type, at, events } of counted) add(series[types.indexOf(type)]!, intervalAt(question, bounds, at.getTime()), events)
    return { ...cover(counted), intervals, series: name(series, types, ONE_GROUP), isFresh: true }
  }
  const ids = await findTypeIds(ctx.db, source.workspaceId, types)
  const wanted: Wanted = { ...range, typeIds: [...ids.values()] }
  const typeAt = new Map(types.map((type, index) => [ids.get(type) ?? -1, index]))
  const counts = by === undefined || isBySegment ? [] : await countValues(ctx.db, wanted, by)
  const groups = by === undefined ? ONE_GROUP : isBySegment ? segmentGroups(segments) : chooseGroups(counts)
  const series = emptySeries(types.length * groups.list.length, bounds.length)
  if (isPlain && interval !== 'hour') {
    for (const { typeId, day, value, isOther, events } of counts) {
      const group = isOther ? groups.others : value === null ? groups.none : (groups.groupOf.get(value) ?? groups.others)
      add(series[(typeAt.get(typeId) ?? 0) * groups.list.length + group]!, intervalAt(question, bounds, Date.parse(day)), events)
    }
    return { ...cover(counts), intervals, series: name(series, types, groups), isFresh: false }
  }
  const counting = { question, bounds, groups, typeAt, origin: originOf(wanted) }
  const intervalOf = (at: number) => intervalAt(question, bounds, counting.origin + Math.floor(at / KEYS_PER_MS))
  const addAll = metric === 'people' ? addPeople : addEvents
  const covered = await readTimelines(
    ctx,
    { wanted, segments: { only: segment, by: groups.segments }, mark: marking(counting) },
    (timelines) => addAll(timelines, intervalOf, series),
  )
  return { ...scaled(covered, series), intervals, series: name(series, types, groups), isFresh: false }
}

/** What a part of the people did, taken for what all of them did. */
function scaled(covered: Covered, series: Series[]): Covered {
  const { sampled } = covered
  if (!sampled) return covered
  const scale = (value: number) => Math.round((value * sampled.of) / sampled.parts)
  for (const line of series) {
    line.values = line.values.map(scale)
    line.total = scale(line.total)
  }
  return covered
}

type Counting = {
  question: ExploreQuestion
  bounds: readonly number[]
  groups: Groups
  typeAt: ReadonlyMap<number, number>
  origin: number
}

function cover(counted: readonly { events: number }[]): Covered {
  return { events: counted.reduce((sum, { events }) => sum + events, 0), sampled: null }
}

function add(series: Series, interval: number, value: number): void {
  if (interval < 0) return
  series.values[interval]! += value
  series.total += value
}

function name(series: readonly Series[], types: readonly string[], { list }: Groups) {
  return series
    .map((line, index) => ({ type: types[Math.floor(index / list.length)]!, ...list[index % list.length]!, ...line }))
    .filter(({ total }) => list.length === 1 || total !== 0)
}

/** The beginnings of the intervals of a question; weeks begin on Monday, also where the period begins in the middle of one. */
function intervalsOf({ interval, period: { from, to } }: ExploreQuestion): number[] {
  const length = INTERVAL_MS[interval]
  const first = interval === 'week' ? Math.floor((from - FIRST_WEEK) / length) * length + FIRST_WEEK : from
  return Array.from({ length: Math.ceil((to - first) / length) }, (_, index) => first + index * length)
}

function intervalAt({ interval, period: { from, to } }: ExploreQuestion, bounds: readonly number[], ms: number): number {
  return ms < from || ms >= to ? -1 : Math.floor((ms - bounds[0]!) / INTERVAL_MS[interval])
}

/** By hours an event is at its own time; by days and weeks on the day on which it arrived, as it is counted everywhere. */
function marking({ question, groups, typeAt }: Counting): Mark {
  const { by, where, interval, metric, measure } = question
  return ({ typeId, day, origin }, columns) => {
    const holds = testRows(columns, where)
    const added = metric === 'sum' ? columns.measures.find((column) => column.name === measure)?.values : undefined
    const hasValue = (row: number) => metric !== 'sum' || (added !== undefined && !Number.isNaN(added[row]))
    const first = (typeAt.get(typeId) ?? 0) * groups.list.length
    const groupsOfRows = by === undefined || by === BY_SEGMENT ? new Uint16Array(columns.keys.length) : groupsOf(columns, by, groups)
    return {
      marks: Uint16Array.from(columns.keys, (_, row) => (holds(row) && hasValue(row) ? 1 : 0)),
      values: added,
      groups: groupsOfRows.map((group) => first + group),
      ...(interval !== 'hour' && { at: new Float64Array(columns.keys.length).fill((Date.parse(day) - origin) * KEYS_PER_MS) }),
    }
  }
}
