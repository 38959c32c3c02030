/** When an environment serves which revision of an instance, from the current and planned publications, and what follows for one publication. */
import type { InstanceContent } from '@contentflow/core/blocks/instance.ts'
import {
  servingPeriods,
  servingWarnings,
  withStep,
  type Period,
  type ServingWarning,
  type ServingStep,
} from '@contentflow/core/blocks/serving/serving.ts'
import type { Db } from '../../../db/open.ts'
import type { Change } from '../../../infra/change.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import type { Instance } from './queries-instances.ts'
import { listPublications, listSchedules } from './queries-publications.ts'
import { servedRevision } from './served.ts'

/** Stands for content that is not a revision yet. */
export const UNSAVED = 0

/** A publication to judge, with its moment in milliseconds. `moved`: the planned publication that it replaces. */
export type Planned = {
  revision: number
  content: Pick<InstanceContent, 'schedule' | 'variants'>
  at: number
  moved?: string | undefined
}
export type Serving = { periods: Period<number>[]; warnings: ServingWarning[] }

/** Lists what is served from `now` on, with this publication among the planned ones. */
export async function readServing(
  db: Db,
  workspaceId: string,
  instance: Instance,
  { target, planned, now }: { target: Environment; planned: Planned; now: number },
): Promise<Serving> {
  const { revision, content, at, moved } = planned
  const before = await readSteps(db, workspaceId, instance, target, moved)
  const step = { at, published: { id: revision, schedule: content.schedule } }
  return {
    periods: servingPeriods(withStep(step, before), now),
    warnings: servingWarnings(step, before, content.variants, now),
  }
}

/** A warning, and whose apps it is about. */
export type ServingTold = ServingWarning & { target: Environment }

/** Warnings for the publisher, for each environment. */
export async function tellServing(
  { tx, workspaceId, now }: Pick<Change, 'tx' | 'workspaceId' | 'now'>,
  instance: Instance,
  targets: readonly Environment[],
  planned: Planned,
): Promise<ServingTold[]> {
  const told: ServingTold[] = []
  for (const target of targets) {
    const { warnings } = await readServing(tx, workspaceId, instance, { target, planned, now: now.getTime() })
    told.push(...warnings.map((warning) => ({ ...warning, target })))
  }
  return told
}

/** Test keys get the live revision until something is published to test. Failed publications are left out. */
async function readSteps(
  db: Db,
  workspaceId: string,
  instance: Instance,
  target: Environment,
  except: string | undefined,
): Promise<ServingStep<number>[]> {
  const planned = (await listPublications(db, workspaceId, instance.id)).filter(({ id, fault }) => fault === null && id !== except)
  const firstOwn = instance.testRevision === null ? planned.find(({ targets }) => targets.includes('test'))?.at.getTime() : -Infinity
  const counts = planned.filter(
    ({ targets, at }) => targets.includes(target) || (target === 'test' && at.getTime() < (firstOwn ?? Infinity)),
  )
  const served = servedRevision(instance, target)
  const schedules = await listSchedules(db, workspaceId, instance.id, [
    ...(served === null ? [] : [served]),
    ...counts.map(({ revision }) => revision),
  ])
  const stepOf = (at: number, revision: number) => ({ at, published: { id: revision, schedule: schedules.get(revision) ?? null } })
  return [...(served === null ? [] : [stepOf(0, served)]), ...counts.map(({ at, revision }) => stepOf(at.getTime(), revision))]
}
