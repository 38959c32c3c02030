/** Triggers are read, not called: at each check, from where the check before came to. */
import { beginRun } from '@contentflow/core/journeys/advance.ts'
import { isEventGoal } from '@contentflow/core/journeys/journey.ts'
import { datesComing } from '@contentflow/core/journeys/dates.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import { BATCH_SIZES } from '../../../infra/due/batch-size.ts'
import { SYSTEM, type Change } from '../../../infra/change.ts'
import type { GenerationalCache } from '../../../infra/cache/generational-cache.ts'
import { isHijriEvent, type HijriEvent } from '../../calendar/index.ts'
import { ACTIVITY_LAG } from '../../people/index.ts'
import { lockJourney, type StoredJourney } from '../queries.ts'
import { enterByDate } from './queries-dates.ts'
import {
  enterStep,
  eventSource,
  everybodySource,
  findTimeZone,
  saveConversions,
  saveReadUntil,
  segmentSource,
  type TriggerPage,
  type TriggerCursor,
} from './queries-triggers.ts'
import { enterSilent, type Silence } from './queries-silence.ts'

/**
 * A write becomes visible within this time after its moment: it is a few statements of at most 8 s each. So much is read twice,
 * which is harmless because a person enters once.
 */
const OVERLAP_MS = 60_000
/** After a longer pause between two checks, older days are no longer looked at. */
const MOST_DAYS = 400
/** G-57: the default time zone. */
const ZONE = 'Asia/Riyadh'

/** How far a trigger was read when its turn ended, by journey and check. */
export type Places = GenerationalCache<string, TriggerCursor>
/** A trigger or a goal that a check reads, for as long as its turn takes. */
export type TriggerPass = { workspaceId: string; journeyId: string; checkAt: Date; places: Places; isOver(): boolean }

/**
 * Enters the people that the trigger takes. How far it was read is stored in the transaction of the last people: a check that
 * dies is started again. One whose turn ended continues where it was.
 */
export async function readTrigger(ctx: Context, { workspaceId, journeyId, checkAt, places, isOver }: TriggerPass): Promise<void> {
  const key = [workspaceId, journeyId, checkAt.getTime()].join('/')
  for (let after: TriggerCursor | undefined = places.get(key) ?? { id: '' }; after !== undefined;) {
    const from: TriggerCursor = after
    after = await ctx.change({ workspaceId, actor: SYSTEM }, async (change) => {
      const journey = await lockJourney(change.tx, workspaceId, journeyId)
      if (journey?.status !== 'active') return undefined
      const next = await enterSome(change, journey, checkAt, { after: from, limit: BATCH_SIZES.journeyEntries[ctx.engine] })
      if (next === undefined)
        await saveReadUntil(change.tx, workspaceId, journeyId, {
          of: 'trigger',
          until: checkAt,
          settled: settledBy(checkAt),
        })
      return next
    })
    await ctx.faults.reach('journeys: entered')
    if (after === undefined) places.delete(key)
    else places.set(key, after)
    if (isOver()) return
  }
}

/** Counts who reached the goal, a day of events at a time. */
export async function readGoal(ctx: Context, { workspaceId, journeyId, checkAt, isOver }: TriggerPass): Promise<void> {
  for (let isRead = false; !isRead;) {
    isRead = await ctx.change({ workspaceId, actor: SYSTEM }, async ({ tx }) => {
      const journey = await lockJourney(tx, workspaceId, journeyId)
      if (!journey?.goal || isEventGoal(journey.goal) || journey.status === 'draft') return true
      const { goalUntil, goalBatch, createdAt } = journey
      const { goal } = journey
      const from = goalUntil ?? createdAt
      const until = new Date(Math.min(from.getTime() + DAY_MS, checkAt.getTime()))
      const since = settledBy(from)
      const source = eventSource(workspaceId, goal.eventType, {}, { since, until, afterBatch: goalBatch })
      if (source) await saveConversions(tx, workspaceId, journeyId, source, goal.days)
      await saveReadUntil(tx, workspaceId, journeyId, { of: 'goal', until, settled: settledBy(until) })
      return until >= checkAt
    })
    await ctx.faults.reach('journeys: counted')
    if (isOver()) return
  }
}

function settledBy(moment: Date): Date {
  return new Date(moment.getTime() - OVERLAP_MS)
}

/** Undefined: that was the last of them; else the person to continue after. */
async function enterSome(change: Change, journey: StoredJourney, checkAt: Date, place: TriggerPage): Promise<TriggerCursor | undefined> {
  const { tx, workspaceId } = change
  const entry = { workspaceId, journeyId: journey.id, firstStep: beginRun(journey.steps, 0).step, now: checkAt }
  const { trigger, activeSince, readUntil } = journey
  if (trigger.type === 'inactivity') return enterSilent(tx, entry, silenceOf(journey, trigger.days, checkAt), place)
  if (trigger.type !== 'date') {
    const source = await sourceOf(change, journey, checkAt)
    return source && enterStep(tx, entry, source, place)
  }
  const zone = (await findTimeZone(tx, workspaceId)) ?? ZONE
  // No overlap here: a person counts who has the date when its hour is read.
  const since = Math.max(activeSince?.getTime() ?? 0, readUntil?.getTime() ?? 0)
  const dates = datesComing(trigger, zone, since, checkAt.getTime())
  return dates.length === 0 ? undefined : enterByDate(tx, entry, trigger.trait, dates, place)
}

/** Undefined: the trigger takes nobody. */
async function sourceOf({ tx, workspaceId }: Change, journey: StoredJourney, checkAt: Date) {
  const { trigger, segmentId } = journey
  const since = sinceOf(journey)
  switch (trigger.type) {
    case 'event':
      return eventSource(workspaceId, trigger.eventType, trigger.filters ?? {}, { since, until: checkAt, afterBatch: journey.readBatch })
    case 'segment_entry':
      return segmentId === null ? undefined : segmentSource(workspaceId, segmentId, since)
    case 'hijri': {
      const zone = (await findTimeZone(tx, workspaceId)) ?? ZONE
      return hasHijriEvent(since, checkAt, zone, trigger.event) ? everybodySource(workspaceId, { type: 'hijri' }) : undefined
    }
    // `manual` takes people by hand, events of `custom_event` come by themselves; the others are read above in another way.
    case 'manual':
    case 'custom_event':
    case 'inactivity':
    case 'date':
      return undefined
    default:
      return trigger satisfies never
  }
}

/** A silence that was long enough before the journey became active does not count. */
function silenceOf({ activeSince, readUntil }: StoredJourney, days: number, checkAt: Date): Silence {
  const ago = (at: number) => new Date(at - days * DAY_MS)
  const [active, read] = [activeSince?.getTime() ?? 0, readUntil?.getTime() ?? 0]
  // Marks before the first moment may still belong to people who were active after it.
  return { from: ago(read > active ? read - OVERLAP_MS : active - ACTIVITY_LAG), floor: ago(active), until: ago(checkAt.getTime()) }
}

/** Nothing from before the journey became active counts. */
function sinceOf({ activeSince, readUntil }: StoredJourney): Date {
  const [active, read] = [activeSince?.getTime() ?? 0, readUntil?.getTime() ?? 0]
  return new Date(Math.max(active, read - OVERLAP_MS))
}

/** Whether the event is on one of the days from `since` to `until`: it lasts its whole day. */
function hasHijriEvent(since: Date, until: Date, zone: string, event: HijriEvent): boolean {
  const first = Math.max(since.getTime(), until.getTime() - MOST_DAYS * DAY_MS)
  // Steps shorter than any day, so that no day is missed when clocks change.
  for (let at = first; at < until.getTime(); at += DAY_MS / 2) if (isHijriEvent(new Date(at), zone, event)) return true
  return isHijriEvent(until, zone, event)
}
