/** The people a workspace writes nothing to, so that it is seen what all its messages together change. */
import { bucketOf } from '../blocks/serving/assign-variant.ts'
import type { Parsed } from '../blocks/definition.ts'
import { isPlainObject, type Json } from '../blocks/field.ts'
import { parseEnd, parseTime } from '../time.ts'

/** Of a hundred people, at most so many are held out. */
export const MOST_HELD_OUT = 20

/** What an admin says. `startsAt` is null only with 0 percent; `endsAt` null: it has no end. Times are ISO 8601 in UTC. */
export type HoldoutChoice = { percent: number; startsAt: string | null; endsAt: string | null }
/**
 * As it is stored. `salt` stays for as long as the workspace is there, so that more percent keeps those there were. `since`:
 * from when on the two sides are compared, because before that they were not the same people or nobody was held out.
 */
export type Holdout = HoldoutChoice & { salt: string; since: string | null }

/** Why somebody got no message, and by what a message of a journey was ended before anybody saw it. */
export const HELD_OUT = 'holdout'

const NO_HOLDOUT: HoldoutChoice = { percent: 0, startsAt: null, endsAt: null }

/** What of a stored one is a choice. */
export function choiceOf(holdout: Holdout | null): HoldoutChoice {
  const { percent, startsAt, endsAt } = holdout ?? NO_HOLDOUT
  return { percent, startsAt, endsAt }
}

/** Behind the person in the text that is hashed. SQL says the same (`server/modules/holdout/queries-held-out.ts`). */
export const holdoutKey = (salt: string): string => `holdout:${salt}`

/** Whether anybody is held out at this moment; milliseconds. */
export function isHoldoutOn(holdout: Holdout | null, now: number): holdout is Holdout {
  if (!holdout || holdout.percent === 0 || holdout.startsAt === null) return false
  return Date.parse(holdout.startsAt) <= now && (holdout.endsAt === null || now < Date.parse(holdout.endsAt))
}

/** The same for a person each time, on every server and over every channel. Nobody who has no profile is held out. */
export function isHeldOut(
  holdout: Holdout | null,
  personId: string | null | undefined,
  now: number,
  hash32: (text: string) => number,
): boolean {
  if (!isHoldoutOn(holdout, now)) return false
  const bucket = bucketOf([100], personId ?? undefined, holdoutKey(holdout.salt), hash32)
  return bucket !== undefined && bucket < holdout.percent
}

const no = (error: string): { ok: false; error: string } => ({ ok: false, error })

/** Reads `{percent, startsAt, endsAt?}`. The error goes behind the name of what is read, as `must be …` or `.percent must be …`. */
export function readHoldout(input: Json): Parsed<HoldoutChoice> {
  if (!isPlainObject(input)) return no('must be {percent, startsAt, endsAt}')
  const { percent, startsAt = null, endsAt = null } = input
  if (typeof percent !== 'number' || !Number.isInteger(percent) || percent < 0 || percent > MOST_HELD_OUT)
    return no(`.percent must be a whole number from 0 to ${MOST_HELD_OUT}`)
  const [start, end] = [
    typeof startsAt === 'string' ? parseTime(startsAt) : startsAt,
    typeof endsAt === 'string' ? parseEnd(endsAt) : endsAt,
  ]
  if (start !== null && typeof start !== 'string') return no('.startsAt must be a time, ISO 8601')
  if (end !== null && typeof end !== 'string') return no('.endsAt must be a time, ISO 8601, or null')
  if (start === null && (percent > 0 || end !== null)) return no('.startsAt must be a time, ISO 8601, unless percent is 0')
  if (start !== null && end !== null && end <= start) return no('.endsAt must be after startsAt')
  return { ok: true, value: { percent, startsAt: start, endsAt: end } }
}

/** What is stored after a choice. Another share or another start begins the comparison anew, at the start or now, whichever is later. */
export function nextHoldout(before: Holdout | null, choice: HoldoutChoice, newSalt: string, now: number): Holdout {
  const salt = before?.salt ?? newSalt
  if (choice.startsAt === null || choice.percent === 0) return { ...choice, salt, since: null }
  const isSame = before !== null && before.percent === choice.percent && before.startsAt === choice.startsAt && before.since !== null
  return { ...choice, salt, since: isSame ? before.since : new Date(Math.max(now, Date.parse(choice.startsAt))).toISOString() }
}
