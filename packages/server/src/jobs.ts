import type { Context } from './context.ts'
import { runRollUp } from './modules/analytics/index.ts'
import { runErasures } from './modules/identity/index.ts'
import { runSegmentsJob } from './modules/segments/index.ts'
import { saveKeyUses } from './modules/workspaces/index.ts'

/** What the test hook may ask for (G-03), and what this process alone has to do. */
type JobName = 'scheduler' | 'journeys' | 'dispatch' | 'rollup' | 'segments' | 'erasure' | 'key-uses'

/** `isAsked`: by the test hook, which waits for it. */
type Job = (ctx: Context, pass: { isAsked: boolean }) => Promise<void>

/** Each is safe to run on many processes at once: it claims what is due in batches. Names without work yet are left out. */
const JOBS = new Map<JobName, Job>([
  ['rollup', runRollUp],
  ['segments', runSegmentsJob],
  ['erasure', runErasures],
  ['key-uses', saveKeyUses],
])

/** How often due work is looked for. */
const INTERVAL_MS = 60_000

export type Jobs = {
  /** One pass of one job; errors reach the caller. */
  run(name: JobName): Promise<void>
  /** One pass of every job; one that fails is left to its next pass. */
  runDue(): Promise<void>
  /** Resolves when no pass runs any more. */
  stop(): Promise<void>
}

/** Runs what time alone makes due. A pass that takes longer than the interval is not overtaken by the next. Without `isTimed` all passes are asked for. */
export function startJobs(ctx: Context, { isTimed }: { isTimed: boolean }): Jobs {
  const running = new Map<JobName, Promise<void>>()
  const run = (name: JobName, isAsked: boolean): Promise<void> => {
    const before = running.get(name) ?? Promise.resolve()
    const pass = before
      .catch(() => undefined)
      .then(() => JOBS.get(name)?.(ctx, { isAsked }))
      .finally(() => running.get(name) === pass && running.delete(name))
    running.set(name, pass)
    return pass
  }
  const attempt = (name: JobName): Promise<void> =>
    run(name, false).catch((error: unknown) => ctx.log.error({ err: error, job: name }, 'a job failed; its next pass tries again'))
  const runDue = async () => {
    for (const name of JOBS.keys()) await attempt(name)
  }
  const tick = () => {
    for (const name of JOBS.keys()) if (!running.has(name)) void attempt(name)
  }
  const timer = isTimed ? setInterval(tick, INTERVAL_MS).unref() : undefined
  return {
    run: (name) => run(name, true),
    runDue,
    stop: async () => {
      clearInterval(timer)
      await Promise.allSettled(running.values())
    },
  }
}
