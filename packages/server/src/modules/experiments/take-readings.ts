/**
 * A look at an experiment, an hour after something was counted of it: it takes the one planned reading, when size and time
 * say so, and tells webhooks of what was found. Each is told once in a run, in the transaction that notes that it was.
 */
import { takeReading } from '@contentflow/core/experiments/judge.ts'
import type { WebhookData, WebhookEvent } from '@contentflow/core/webhooks/events.ts'
import { DAY_MS, HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import { SYSTEM, type Change } from '../../infra/change.ts'
import { oneByOne, type Batch, type DueWork } from '../../infra/due/due.ts'
import type { DueRow } from '../../infra/due/queries-due.ts'
import { countNoted } from '../analytics/index.ts'
import { enqueueWebhook } from '../webhooks/index.ts'
import { groupsOf, judgeStored } from './judge-stored.ts'
import { experimentsTable, findExperiment, holdExperiment, listSums, saveLook, type Experiment, type Sums } from './queries.ts'

const EXPERIMENTS = 'experiments'

/** Every hour while a reading is planned and not taken; else an hour after something was counted. */
export function readingsWork(ctx: Context): DueWork<DueRow> {
  const table = experimentsTable(ctx.db)
  const work = oneByOne<DueRow>(ctx, { kind: EXPERIMENTS, table, backOff: { first: 60_000, most: HOUR_MS } }, async (row, batch) =>
    lookAt(ctx, batch, row.id),
  )
  return { kind: EXPERIMENTS, rows: table, most: 100, work }
}

/** Says when it is to be looked at again; null: when something more is counted. */
async function lookAt(ctx: Context, { workspaceId, signal }: Batch<DueRow>, id: string): Promise<Date | null> {
  const before = await findExperiment(ctx.db, workspaceId, id)
  if (!before?.arms || before.state === 'decided') return null
  if (before.subject === 'control') await countNoted(ctx, workspaceId, before.subjectId, signal)
  const sums = await listSums(ctx.db, workspaceId, [id])
  const now = ctx.clock.now()
  const found = readIfPlanned(before, sums, now)
  const after = { ...before, ...found }
  const news = newsOf(before, after, judgeStored(after, sums, now.getTime()))
  if (found || news.length > 0) {
    await ctx.change({ workspaceId, actor: SYSTEM }, async (change) => {
      const held = await holdExperiment(change.tx, workspaceId, id)
      // Of another run, or somebody decided meanwhile: what was found is of before.
      if (held?.run !== before.run || held.state === 'decided') return
      const fresh = news.filter(({ told }) => !held.told.includes(told))
      for (const each of fresh) await each.tell(change)
      await saveLook(change.tx, workspaceId, { ...after, told: [...held.told, ...fresh.map(({ told }) => told)] })
    })
    await ctx.faults.reach(`${EXPERIMENTS}: told`)
  }
  return after.plan && !after.reading ? new Date(now.getTime() + HOUR_MS) : null
}

/** When it is taken is chosen by size and time, never by what it would say. */
function readIfPlanned(experiment: Experiment, sums: readonly Sums[], now: Date): Pick<Experiment, 'fullAt' | 'reading'> | undefined {
  const { plan, reading, fullAt, metric } = experiment
  if (!plan || reading) return undefined
  const groups = groupsOf(experiment, sums, 1)
  if (!fullAt) return groups.reduce((sum, { units }) => sum + units, 0) >= plan.total ? { fullAt: now, reading } : undefined
  if (now.getTime() < fullAt.getTime() + metric.days * DAY_MS) return undefined
  return { fullAt, reading: { at: now.toISOString(), found: takeReading(groups, metric.of) ?? null } }
}

/** `told`: its name among what was told of the run. */
type News = { told: string; tell(change: Change): Promise<void> }

function newsOf(before: Experiment, { reading, ...after }: Experiment, judged: ReturnType<typeof judgeStored>): News[] {
  const { id: experimentId, name, subject, subjectId, run } = after
  const about = { experimentId, name, subject, subjectId, run }
  const news = <Event extends WebhookEvent>(told: string, event: Event, data: WebhookData[Event]): News[] =>
    before.told.includes(told) ? [] : [{ told, tell: async (change) => enqueueWebhook(change, event, data) }]
  const { sampleRatio, guardrails, verdict } = judged
  const { best, than, isClear = false } = reading?.found ?? {}
  const read = { ...about, isClear, ...(isClear && best !== undefined && than !== undefined && { best, than }) }
  const lead = verdict.kind === 'too_few' ? undefined : verdict.best
  return [
    ...(reading && !before.reading ? news('reading', 'experiment.reading_taken', read) : []),
    ...(sampleRatio?.isMismatch ? news('sample_ratio', 'experiment.sample_ratio_mismatch', { ...about, p: sampleRatio.p }) : []),
    ...guardrails.flatMap(({ state, metric: { event }, mustNot, than: other }, place) =>
      state !== 'harmed' || lead === undefined || other === undefined || sampleRatio?.isMismatch
        ? []
        : news(`guardrail ${place}`, 'experiment.guardrail_harmed', { ...about, event, mustNot, variant: lead, than: other }),
    ),
  ]
}
