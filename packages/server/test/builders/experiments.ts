/** Experiments for tests: a run that has begun, of something with two variants, and what was counted of it. */
import { assignVariant } from '@contentflow/core/blocks/serving/assign-variant.ts'
import { defaultMetricOf, SUBJECTS, type Guardrail, type StoredPlan } from '@contentflow/core/experiments/metric.ts'
import type { Context } from '../../src/context.ts'
import { hash32 } from '../../src/infra/secrets/crypto.ts'
import type { Workspace } from './builders.ts'
import { track } from './events.ts'
import { identify } from './people.ts'

export const variantsOf = (...weights: number[]) =>
  weights.map((weight, index) => ({ id: 'ab'[index] ?? 'c', weight, values: { '#title': `Title ${index}` } }))

/** An item with variants of these weights, which is live; its id. */
export async function publishVariants(ws: Workspace, weights: readonly number[]): Promise<string> {
  await ws.block('hero')
  const { id } = await ws.instance('hero', { title: 'Hero', values: { '#title': 'base' }, variants: variantsOf(...weights) })
  return id
}

export const variantOf = (device: string, id: string, weights = [1, 1]) => 'ab'[assignVariant(weights, device, id, hash32)] ?? ''

/** Devices `from` to before `to` do what `act` says. */
export async function visit(ws: Workspace, [from, to]: [number, number], act: (device: string, n: number) => object[]): Promise<void> {
  for (let start = from; start < to; start += 10)
    await Promise.all(
      Array.from({ length: Math.min(10, to - start) }, async (_, index) => {
        const device = `D${start + index}`
        await identify(ws.app, device)
        const events = act(device, start + index)
        if (events.length > 0) await track(ws.app, device, events)
      }),
    )
}

/** `guarded`: those that did what the first guardrail looks at. */
type Counted = { variantId: string; day: string; units: number; did: number; guarded?: number }
type Stored = { id: string; name: string; counted?: Counted[]; variants?: string[]; guardrails?: Guardrail[]; plan?: StoredPlan }

/** `id`: as `campaign:<id>`. */
export async function storeExperiment(
  { db, clock }: Context,
  workspaceId: string,
  { id, name, counted = [], variants: ids = ['a', 'b'], guardrails = [], plan }: Stored,
): Promise<void> {
  const [subject, subjectId = ''] = id.split(':')
  const variants = ids.map((variant) => ({ id: variant, weight: 1 }))
  const [first] = counted.map(({ day }) => new Date(`${day}T00:00:00Z`))
  await db
    .insertInto('experiments')
    .values({
      workspace_id: workspaceId,
      id,
      subject: SUBJECTS.find((each) => each === subject) ?? 'campaign',
      subject_id: subjectId,
      name,
      metric: JSON.stringify(defaultMetricOf(SUBJECTS.find((each) => each === subject) ?? 'campaign')),
      guardrails: JSON.stringify(guardrails),
      plan: plan ? JSON.stringify(plan) : null,
      arms: JSON.stringify([{ locale: null, variants }]),
      started_at: first ?? clock.now(),
      created_at: first ?? clock.now(),
    })
    .execute()
  for (const { variantId, day, units, did, guarded = 0 } of counted) {
    const row = { workspace_id: workspaceId, experiment_id: id, run: 1, day, variant_id: variantId, locale: 'en' }
    await db
      .insertInto('experiment_counts')
      .values([
        { ...row, metric: 0, units },
        { ...row, metric: 1, did, sum: did, squares: did },
        { ...row, metric: 2, did: guarded, sum: guarded, squares: guarded },
      ])
      .execute()
  }
}

/** One of the same id in both, and one that only B has. */
export async function storeTwinExperiments(ctx: Context, a: string, b: string, name: string): Promise<void> {
  await storeExperiment(ctx, a, { id: 'campaign:the-same', name: 'of A' })
  for (const id of ['campaign:the-same', 'campaign:only-b']) await storeExperiment(ctx, b, { id, name })
}
