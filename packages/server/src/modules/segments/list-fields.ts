import type { Json } from '@contentflow/core/blocks/field.ts'
import { guessType, listFixedFields, type ValueType } from '@contentflow/core/targeting/field-types.ts'
import type { Context } from '../../context.ts'
import { ttlCache } from '../../infra/cache/ttl-cache.ts'
import { findOwnEnvironment } from '../people/index.ts'
import { countPeople, listFieldFacts, type FieldFacts } from './queries-fields.ts'

/** People whose fields are looked at. Above that, numbers are estimates, and may be a minute old. */
const SAMPLE_SIZE = 5_000
const KEPT_MS = 60_000
const HELD = 1_000

type ListedField = {
  field: string
  kind: 'fixed' | 'custom'
  type: ValueType
  /** How many people have the field; null where it is not counted. */
  people: number | null
  samples: Json[]
}
export type ListedFields = { fields: ListedField[]; sampledPeople: number; allPeople: number; asOf: Date }

/** The fields a rule can name: the fixed ones in the order of the grammar, then the attributes that people have, most frequent first. */
export function openFields(ctx: Context): (workspaceId: string) => Promise<ListedFields> {
  const recall = ttlCache<ListedFields>(ctx.clock, {
    keptMs: KEPT_MS,
    held: HELD,
    isWorthIt: ({ sampledPeople, allPeople }) => sampledPeople < allPeople,
  })
  return (workspaceId) => recall(workspaceId, () => readFields(ctx, workspaceId))
}

async function readFields(ctx: Context, workspaceId: string): Promise<ListedFields> {
  const asOf = ctx.clock.now()
  const environment = await findOwnEnvironment(ctx.db, workspaceId)
  const { sampled, isWhole, fields } = await listFieldFacts(ctx.db, workspaceId, environment, SAMPLE_SIZE)
  const allPeople = isWhole ? sampled : await countPeople(ctx.db, workspaceId, environment)
  const scale = sampled === 0 ? 0 : allPeople / sampled
  const facts = new Map(fields.map((fact) => [fact.field, { ...fact, people: Math.round(fact.people * scale) }]))
  const fixed = listFixedFields().map(({ field, type, values }): ListedField => {
    const found = facts.get(field)
    facts.delete(field)
    return { field, kind: 'fixed', type, people: found?.people ?? null, samples: [...(values ?? found?.samples ?? [])] }
  })
  return { fields: [...fixed, ...[...facts.values()].flatMap(describeCustom)], sampledPeople: sampled, allPeople, asOf }
}

function describeCustom({ field, people, types, samples }: FieldFacts): ListedField[] {
  const type = guessType(types, samples)
  return type === undefined ? [] : [{ field, kind: 'custom', type, people, samples }]
}
