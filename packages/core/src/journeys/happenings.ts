/** What people do while a journey is tried out on them. */
import type { Parsed } from '../blocks/definition.ts'
import type { JsonObject } from '../blocks/field.ts'
import { COUNTED_TYPES, COUNTS } from '../events/counted-as.ts'
import type { Subject } from '../targeting/subject.ts'
import { parseTime } from '../time.ts'
import { isEventGoal, REPORTED, type EventType, type Goal } from './journey.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../units.ts'

/** `at`: milliseconds. `event`: reported under this type, with these properties, instead of a type of the documents. */
export type Happening = { at: number } & ({ type: EventType; event?: never } | { type?: never; event: string; properties: JsonObject })
/** One of `type` and `event` says what, one of the others when. */
export type AskedHappening = { type?: EventType; event?: string; properties?: JsonObject; at?: string; afterMinutes?: number }

/** In the order of time. All lie behind `start`, when everybody enters: what was before is known of people already. */
export function readHappenings(asked: readonly AskedHappening[], start: number, day?: string): Parsed<Happening[]> {
  const happenings: Happening[] = []
  for (const [index, { type, event, properties = {}, at, afterMinutes }] of asked.entries()) {
    const no = (error: string) => ({ ok: false, error: `events[${index}]: ${error}` }) as const
    if ((type === undefined) === (event === undefined)) return no('say what: type, or event')
    if ((at === undefined) === (afterMinutes === undefined)) return no('say when: afterMinutes, or at')
    const time = at === undefined ? start + (afterMinutes ?? 0) * MINUTE_MS : Date.parse(parseTime(at, { day }) ?? '')
    if (Number.isNaN(time)) return no('at must be a date and time in ISO 8601')
    if (time <= start) return no('at must be after now')
    happenings.push(event === undefined ? { type: type ?? 'CONVERSION', at: time } : { event, properties, at: time })
  }
  return { ok: true, value: happenings.toSorted((a, b) => a.at - b.at) }
}

/** What rules find of a person who did this. Events count once their hour is over, as they always do (C-SEG-44). */
export function afterHappenings(subject: Subject, happenings: readonly Happening[], now: number): Subject {
  const reported = happenings.filter(
    ({ type, at }) => type !== undefined && Object.hasOwn(REPORTED, type) && Math.floor(at / HOUR_MS) * HOUR_MS + HOUR_MS <= now,
  )
  const last = reported.at(-1)
  if (!last) return subject
  const { behavioral, lifecycle } = subject
  const counts = COUNTS.map((count): [string, number] => {
    const types = COUNTED_TYPES[count]
    const more = reported.filter(({ type }) => REPORTED[type as keyof typeof REPORTED].some((each) => types.includes(each)))
    return [count, (behavioral[count] ?? 0) + more.length]
  })
  return {
    ...subject,
    behavioral: {
      ...behavioral,
      ...Object.fromEntries(counts),
      eventsTotal: (behavioral.eventsTotal ?? 0) + reported.length,
      lastActiveDays: Math.floor((now - last.at) / DAY_MS),
    },
    ...(lifecycle && { lifecycle: { ...lifecycle, lastActiveAt: last.at, recentEvents: lifecycle.recentEvents + reported.length } }),
  }
}

/** When somebody who entered at `start` reaches the goal; undefined: not in time. */
export function goalReachedAt(goal: Goal | null, happenings: readonly Happening[], start: number): number | undefined {
  return goal && !isEventGoal(goal)
    ? happenings.find(({ type, at }) => type === goal.eventType && at - start <= goal.days * DAY_MS)?.at
    : undefined
}
