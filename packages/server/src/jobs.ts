import type { Context } from './context.ts'
import type { DueWork } from './infra/due.ts'
import { dropDays, eventCountsWork, peopleWork, retentionWork } from './modules/analytics/index.ts'
import { tendChannels, type Channels } from './modules/channels/index.ts'
import { campaignsWork } from './modules/campaigns/index.ts'
import { dropDeleted, publicationsWork } from './modules/content/index.ts'
import { endedWork, importsWork, prioritiesWork, uploadsWork } from './modules/enrichment/index.ts'
import { erasureWork } from './modules/identity/index.ts'
import { journeysWork } from './modules/journeys/index.ts'
import { mediaWork, type Library } from './modules/media/index.ts'
import { dispatchWork } from './modules/sends/index.ts'
import { tendWebhooks, WEBHOOKS, type Sender } from './modules/webhooks/index.ts'
import { deletedSegmentsWork, segmentsWork } from './modules/segments/index.ts'

/** `isAsked`: by the test hook, which waits for it. */
type Job = (pass: { isAsked: boolean }) => Promise<void>

/** How often due work is looked for. */
const INTERVAL_MS = 60_000
const SOON_MS = 5_000
const SCHEDULER = 'scheduler'
const SOON = [SCHEDULER, WEBHOOKS]
const FIRST_MS = 1_000

export type Jobs = {
  names: readonly string[]
  /** One pass of one job; errors reach the caller. */
  run(name: string): Promise<void>
  /** One pass of every job; one that fails is left to its next pass. */
  runDue(): Promise<void>
  /** Resolves when nothing runs any more; what could not be finished is handed back. */
  stop(): Promise<void>
}

/** The one list of what time makes due, by the names of G-03; names without work yet do nothing. Any number of processes share the work. */
function listJobs(ctx: Context, { library, sender, channels, saveKeyUses }: Works): Map<string, Job> {
  const due = (...works: DueWork[]): Job => {
    for (const work of works) ctx.due.register(work)
    return async (pass) => {
      for (const { kind } of works) await ctx.due.run(kind, pass)
    }
  }
  const inOrder =
    (...jobs: Job[]): Job =>
    async (pass) => {
      for (const job of jobs) await job(pass)
    }
  const loaded = due(importsWork(ctx), uploadsWork(ctx), prioritiesWork(ctx), endedWork(ctx))
  return new Map<string, Job>([
    [SCHEDULER, inOrder(due(publicationsWork(ctx), campaignsWork(ctx)), loaded, () => dropDeleted(ctx))],
    ['journeys', due(journeysWork(ctx))],
    ['dispatch', inOrder(due(dispatchWork(ctx, channels)), () => tendChannels(ctx))],
    ['rollup', inOrder(due(eventCountsWork(ctx), peopleWork(ctx)), () => dropDays(ctx), due(retentionWork(ctx)))],
    // What loads say of people first: rules look at it.
    ['segments', inOrder(loaded, due(segmentsWork(ctx), deletedSegmentsWork(ctx)))],
    ['erasure', due(erasureWork(ctx))],
    ['media', due(mediaWork(ctx, library))],
    [WEBHOOKS, inOrder(due(sender.work), () => tendWebhooks(ctx))],
    ['backlog', () => ctx.due.lookAtBacklog()],
    // Of this process alone.
    ['key-uses', saveKeyUses],
  ])
}

/** Runs what time alone makes due. A pass that takes longer than the interval is not overtaken by the next. Without `isTimed` all passes are asked for. */
type Works = { library: Library; sender: Sender; channels: Channels; saveKeyUses(): Promise<void> }

export function startJobs(ctx: Context, { isTimed, ...works }: Works & { isTimed: boolean }): Jobs {
  const jobs = listJobs(ctx, works)
  const { sender } = works
  ctx.signals.on('due', ({ work, workspaceId, requestId }) => ctx.due.nudge(work, workspaceId, requestId))
  const running = new Map<string, Promise<void>>()
  const run = (name: string, isAsked: boolean): Promise<void> => {
    const before = running.get(name) ?? Promise.resolve()
    const pass = before
      .catch(() => undefined)
      .then(() => jobs.get(name)?.({ isAsked }))
      .finally(() => running.get(name) === pass && running.delete(name))
    running.set(name, pass)
    return pass
  }
  const attempt = (name: string): Promise<void> =>
    run(name, false).catch((error: unknown) => ctx.log.error({ err: error, job: name }, 'a job failed; its next pass tries again'))
  const runDue = async () => {
    for (const name of jobs.keys()) await attempt(name)
    await sender.settled()
  }
  const tick = () => {
    for (const name of jobs.keys()) if (!running.has(name)) void attempt(name)
  }
  const timer = isTimed ? setInterval(tick, INTERVAL_MS).unref() : undefined
  // What somebody set for a moment, or waits for its next attempt, is done in that moment, or a few seconds later.
  const attemptSoon = () => {
    for (const name of SOON) if (!running.has(name)) void attempt(name)
  }
  const soon = isTimed ? setInterval(attemptSoon, SOON_MS).unref() : undefined
  // What the process before this one left.
  const first = isTimed ? setTimeout(tick, FIRST_MS).unref() : undefined
  return {
    names: [...jobs.keys()],
    run: async (name) => {
      await run(name, true)
      // Whoever asks for it waits for what it began.
      if (name === WEBHOOKS) await sender.settled()
    },
    runDue,
    stop: async () => {
      clearInterval(timer)
      clearInterval(soon)
      clearTimeout(first)
      await ctx.due.stop()
      await sender.stop()
      await Promise.allSettled(running.values())
    },
  }
}
