/** Stored experiments, and the few rows that their units add up to. */
import { sql } from 'kysely'
import type { Reading } from '@contentflow/core/experiments/judge.ts'
import type { Arm } from '@contentflow/core/experiments/arms.ts'
import {
  LEFT_OUT,
  REACHED,
  type ExperimentSubject,
  type Guardrail,
  type Metric,
  type StoredPlan,
} from '@contentflow/core/experiments/metric.ts'
import type { Db } from '../../db/open.ts'
import { dueTable, type DueRow, type DueTable } from '../../infra/due/queries-due.ts'

/** `editRequestId`: of a campaign that is approved, the edit that waits for a second person. */
type Decision = { variant: string | null; note: string; at: string; by: string; editRequestId?: string }
type TakenReading = { at: string; found: Reading | null }
export type Experiment = {
  id: string
  subject: ExperimentSubject
  subjectId: string
  name: string
  hypothesis: string
  metric: Metric
  guardrails: Guardrail[]
  plan: StoredPlan | null
  /** Whether the past of its units is taken out of what they did. */
  cuped: boolean
  state: 'running' | 'decided'
  run: number
  arms: Arm[] | null
  startedAt: Date | null
  fullAt: Date | null
  reading: TakenReading | null
  decision: Decision | null
  createdAt: Date
  /** What webhooks were told of this run. */
  told: string[]
}

const COLUMNS = sql`id, subject, subject_id as "subjectId", name, hypothesis, metric, guardrails, plan, cuped, state, run, arms,
  started_at as "startedAt", full_at as "fullAt", reading, decision, created_at as "createdAt", told`

/** The newest first; `most` null: all. */
export async function listExperiments(db: Db, workspaceId: string, most: number | null): Promise<Experiment[]> {
  const { rows } = await sql<Experiment>`
    select ${COLUMNS} from experiments where workspace_id = ${workspaceId}
    order by coalesce(started_at, created_at) desc, id limit ${most}::bigint`.execute(db)
  return rows
}

export async function findExperiment(db: Db, workspaceId: string, id: string): Promise<Experiment | undefined> {
  const { rows } = await sql<Experiment>`select ${COLUMNS} from experiments where workspace_id = ${workspaceId} and id = ${id}`.execute(db)
  return rows[0]
}

export async function holdExperiment(tx: Db, workspaceId: string, id: string): Promise<Experiment | undefined> {
  const { rows } = await sql<Experiment>`
    select ${COLUMNS} from experiments where workspace_id = ${workspaceId} and id = ${id} for no key update`.execute(tx)
  return rows[0]
}

/** `percent`: of a campaign with a control group, how many of a hundred it leaves out. */
type FoundSubject = { name: string; blockKey: string | null; variants: string[]; percent?: number }

/** What an experiment without a row would be about: its name, and the ids of its variants as somebody edits them now. */
export async function findSubject(
  db: Db,
  workspaceId: string,
  { subject, subjectId }: Pick<Experiment, 'subject' | 'subjectId'>,
): Promise<FoundSubject | undefined> {
  if (subject === 'control') {
    const { rows: campaigns } = await sql<FoundSubject>`
      select name, null as "blockKey", ${[REACHED, LEFT_OUT]}::text[] as variants, control_percent as percent from campaigns
      where workspace_id = ${workspaceId} and id = ${subjectId} and control_percent > 0`.execute(db)
    return campaigns[0]
  }
  const variants = sql`array(select distinct v ->> 'id' from jsonb_array_elements`
  const { rows } =
    subject === 'instance'
      ? await sql<FoundSubject>`
          select title as name, block_key as "blockKey", ${variants}(variants) v order by 1) as variants from block_instances
          where workspace_id = ${workspaceId} and id = ${subjectId} and deleted_at is null`.execute(db)
      : await sql<FoundSubject>`
          select name, null as "blockKey", ${variants}(jsonb_path_query_array(content, '$.*.variants[*]')) v order by 1) as variants from campaigns
          where workspace_id = ${workspaceId} and id = ${subjectId}`.execute(db)
  return rows[0]
}

export type Sums = {
  id: string
  metric: number
  variantId: string
  locale: string
  units: number
  did: number
  sum: number
  squares: number
  /** Of exposures: sums of what units did before, and of its square; of the metric: of it times what they did since. */
  before: number
  beforeSquares: number
  products: number
}

const PAST = sql`sum(before) as before, sum(before_squares) as "beforeSquares", sum(products) as products`

/** Of the run that goes on, by metric, variant and language. */
export async function listSums(db: Db, workspaceId: string, ids: readonly string[]): Promise<Sums[]> {
  const { rows } = await sql<Sums>`
    select experiment_id as id, metric, variant_id as "variantId", locale, sum(units)::bigint as units, sum(did)::bigint as did,
      sum(sum) as sum, sum(squares) as squares, ${PAST}
    from experiment_counts c
    where workspace_id = ${workspaceId} and experiment_id = any(${ids}::text[])
      and run = (select run from experiments where workspace_id = ${workspaceId} and id = c.experiment_id)
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`.execute(db)
  return rows
}

export type DaySums = Omit<Sums, 'id' | 'locale'> & { day: string }

/** Of one run: exposures and its metric, by day. */
export async function listDays(db: Db, workspaceId: string, { id, run }: Pick<Experiment, 'id' | 'run'>): Promise<DaySums[]> {
  const { rows } = await sql<DaySums>`
    select day::text as day, metric, variant_id as "variantId", sum(units)::bigint as units, sum(did)::bigint as did,
      sum(sum) as sum, sum(squares) as squares, ${PAST}
    from experiment_counts where workspace_id = ${workspaceId} and experiment_id = ${id} and run = ${run} and metric <= 1
    group by 1, 2, 3 order by 1, 2, 3`.execute(db)
  return rows
}

/** Of those that nobody saw. */
export async function deletePlanned(tx: Db, workspaceId: string, ids: readonly string[]): Promise<void> {
  await sql`
    delete from experiments where workspace_id = ${workspaceId} and id = any(${[...ids]}::text[]) and arms is null`.execute(tx)
}

/** Before anybody saw it. Of one that was counted meanwhile nothing changes. */
export async function addPlanned(tx: Db, workspaceId: string, experiment: Experiment): Promise<void> {
  const { id, subject, subjectId, name, metric, createdAt } = experiment
  await tx
    .insertInto('experiments')
    .values({
      workspace_id: workspaceId,
      id,
      subject,
      subject_id: subjectId,
      name,
      metric: JSON.stringify(metric),
      created_at: createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Of one that is held: what people choose, and how far its run is. What was counted stays. */
export async function saveExperiment(tx: Db, workspaceId: string, experiment: Experiment, dueAt: Date | null): Promise<void> {
  const { id, name, hypothesis, metric, guardrails, plan, cuped, state, run, startedAt, fullAt, reading, decision, told } = experiment
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value))
  await tx
    .updateTable('experiments')
    .set({
      name,
      hypothesis,
      metric: JSON.stringify(metric),
      guardrails: JSON.stringify(guardrails),
      plan: json(plan),
      cuped,
      state,
      run,
      started_at: startedAt,
      full_at: fullAt,
      reading: json(reading),
      decision: json(decision),
      told,
      due_at: dueAt,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export function experimentsTable(db: Db): DueTable<DueRow> {
  return dueTable<DueRow>(db, 'experiments')
}

/** What a look found of a run that is held. */
export async function saveLook(
  tx: Db,
  workspaceId: string,
  { id, fullAt, reading, told }: Pick<Experiment, 'id' | 'fullAt' | 'reading' | 'told'>,
): Promise<void> {
  await tx
    .updateTable('experiments')
    .set({ full_at: fullAt, reading: reading && JSON.stringify(reading), told })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}
