/**
 * What follows hourly from events for people (C-SEG-44). First their sums, in the transaction that forgets the batch,
 * so each event counts once. That leaves the person due: then the windows of 30 and 90 days are worked out, with the
 * memberships that follow. Whoever has events in a window is due again on each day, because time alone changes it.
 */
import type { Context } from '../../context.ts'
import { reevaluateProfiles } from '../segments/index.ts'
import { inSteps } from './in-steps.ts'
import { addToPeople, deleteBatches, holdPeople, listCounted, lockPeopleSums, refreshDue, settle } from './queries-people.ts'

/** People whose windows are worked out by one statement. */
const PEOPLE = 2_000
/** Of which one pass of the job does so many, that it is done before a process that stops must be. */
const STEPS = 50
/** How long a process may take over the people it has claimed before another one takes them up. */
const CLAIM_MS = 600_000
const HOUR = 3_600_000
const DAY = 24 * HOUR

/** `isWhole`: all that has arrived and everybody who is due, instead of whole hours and what one pass can do. */
export async function rollUpPeople(ctx: Context, { isWhole }: { isWhole: boolean }): Promise<void> {
  const now = ctx.clock.ms()
  // What arrives from now on is left to the next pass, or one that is asked for would not end on a busy server.
  const before = new Date(isWhole ? now + 1 : Math.floor(now / HOUR) * HOUR)
  await inSteps(async (limit) => addSome(ctx, before, limit))
  const steps = isWhole ? Infinity : STEPS
  for (let step = 0; step < steps && (await refreshSome(ctx)); step++) await new Promise(setImmediate)
}

/** Says how many batches it did. */
async function addSome(ctx: Context, before: Date, limit: number): Promise<number> {
  return ctx.db.transaction().execute(async (tx) => {
    await lockPeopleSums(tx)
    const batches = await listCounted(tx, before, limit)
    if (batches.length === 0) return 0
    await holdPeople(tx, batches)
    await addToPeople(tx, batches, ctx.clock.now())
    await deleteBatches(tx, batches)
    return batches.length
  })
}

/** A process that dies in between leaves these people due when its claim runs out. False when nobody is left. */
async function refreshSome(ctx: Context): Promise<boolean> {
  const now = ctx.clock.now()
  const claimedUntil = new Date(now.getTime() + CLAIM_MS)
  const nextDay = new Date(Math.floor(now.getTime() / DAY) * DAY + DAY)
  const people = await refreshDue(ctx.db, now, claimedUntil, PEOPLE)
  for (const [workspaceId, own] of Map.groupBy(people, (person) => person.workspaceId)) {
    await reevaluateProfiles(
      ctx,
      workspaceId,
      own.map(({ profileId }) => profileId),
    )
    await settle(ctx.db, workspaceId, own, claimedUntil, nextDay)
  }
  return people.length === PEOPLE
}
