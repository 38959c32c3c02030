/** One question: read and checked, answered behind the gate, and how much of what happened the answer is about. */
import { BY_SEGMENT, readQuestion, type Question, type QuestionKind, type FunnelQuestion } from '@contentflow/core/analysis/question.ts'
import { fieldsOf } from '@contentflow/core/analysis/where-columns.ts'
import { holdsContacts } from '@contentflow/core/events/catalog/personal.ts'
import type { Json } from '@contentflow/core/blocks/field.ts'
import type { Context } from '../../../context.ts'
import { failWith } from '../../../errors.ts'
import type { MemberCaller } from '../../../http/callers/caller.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import { findOwnEnvironment } from '../../people/index.ts'
import { countMembers, guardWriteOnly, listSegments, roundedFor } from '../../segments/index.ts'
import { findKeptDays } from '../columns/queries-rows.ts'
import { explore } from './explore.ts'
import { findPeople, funnel } from './funnel.ts'
import { gateOf } from './gate.ts'
import type { SegmentGroup } from './groups.ts'
import { findBuiltUntil, isSegment, listColumnsOf, listPeople, type Source } from './queries-read.ts'
import { retention } from './retention.ts'

/** Reads the definition; 400 names what is wrong with it. */
export async function readAsked(ctx: Context, workspaceId: string, kind: QuestionKind, definition: Json): Promise<Question> {
  const keptDays = await findKeptDays(ctx.db, workspaceId)
  const read = readQuestion(kind, definition, { now: ctx.clock.ms(), keptDays })
  if (!read.ok) return failWith(400, read.error)
  await checkFields(ctx, workspaceId, read.value)
  const { segment } = read.value
  if (segment !== undefined && !(await isSegment(ctx.db, workspaceId, segment))) failWith(400, 'segment: there is no segment with this id')
  return read.value
}

type Asking = { at: string; field: string; types: readonly string[]; use: 'dimension' | 'measure' | 'either' }

/** Undeclared properties have no column: who asks for one is told where to declare it. */
async function checkFields(ctx: Context, workspaceId: string, question: Question): Promise<void> {
  const asked = fieldsAsked(question)
  const types = [...new Set(asked.flatMap((each) => each.types))]
  if (types.length === 0) return
  const columns = await listColumnsOf(ctx.db, workspaceId, types)
  const isColumn = (field: string, of: Asking) =>
    columns.some(
      ({ type, property, use }) =>
        of.types.includes(type) &&
        `properties.${property}` === field &&
        (of.use === 'either' || of.use === use) &&
        !isHidden(property, use),
    )
  for (const { field, ...of } of asked) {
    if (field === 'platform' && of.use !== 'measure') continue
    if (field === BY_SEGMENT && of.at === 'by') continue
    if (field === 'value' && of.use !== 'dimension') continue
    if (isColumn(field, { field, ...of })) continue
    const use = of.use === 'either' ? 'dimension or measure' : of.use
    failWith(400, `${of.at}: ${field} is no ${use} of ${of.types.join(', ')}; declare it on the page Events`)
  }
}

const isHidden = (property: string, use: 'dimension' | 'measure'): boolean => use === 'dimension' && holdsContacts(property)

function fieldsAsked(question: Question): Asking[] {
  const named = (at: string, field: string | undefined, types: readonly string[], use: Asking['use']) =>
    field === undefined ? [] : [{ at, field, types, use }]
  const wheres = (at: string, { type, where }: FunnelQuestion['steps'][number]) =>
    fieldsOf(where).flatMap((field) => named(`${at}.where`, field, [type], 'either'))
  switch (question.kind) {
    case 'explore': {
      const { types, by, measure, where } = question
      return [
        ...named('by', by, types, 'dimension'),
        ...named('measure', measure, types, 'measure'),
        ...fieldsOf(where).flatMap((field) => named('where', field, types, 'either')),
      ]
    }
    case 'funnel': {
      const { steps, by } = question
      const types = steps.map(({ type }) => type)
      return [...named('by', by, types, 'dimension'), ...steps.flatMap((step, index) => wheres(`steps[${index}]`, step))]
    }
    case 'retention':
      return [...wheres('start', question.start), ...wheres('return', question.back)]
    default:
      return question satisfies never
  }
}

/** Who asks, and about which people. */
export type Asker = { caller: MemberCaller; environment: Environment | undefined }

/** Answers a question that was read; `asOf`: what arrived before is in it. Viewers are told nothing of members of a segment of industry data. */
export async function answer(ctx: Context, asker: Asker, question: Question) {
  const source = await sourceOf(ctx, asker, question)
  return measured(ctx, source, question, async () => {
    switch (question.kind) {
      case 'explore': {
        const segments = await segmentsFor(ctx, asker, source, question.by)
        return { kind: question.kind, ...period(question), ...(await explore(ctx, source, { question, segments })) }
      }
      case 'funnel': {
        const segments = await segmentsFor(ctx, asker, source, question.by)
        return { kind: question.kind, ...period(question), ...(await funnel(ctx, source, { question, segments })) }
      }
      case 'retention':
        return { kind: question.kind, ...(await retention(ctx, source, question)) }
      default:
        return question satisfies never
    }
  })
}
export type Answered = Awaited<ReturnType<typeof answer>>

function period({ period: { from, to } }: { period: { from: number; to: number } }) {
  return { from: new Date(from), to: new Date(to) }
}

async function measured<T extends object>(ctx: Context, source: Source, question: Question, work: () => Promise<T>) {
  return gateOf(ctx).take(source.workspaceId, async () => {
    const began = performance.now()
    const isFresh = question.kind === 'explore' && question.metric === 'events' && !question.by && !question.where && !question.segment
    const asOf = isFresh ? ctx.clock.now() : await findBuiltUntil(ctx.db, source.workspaceId, ctx.clock.now())
    const isOfMembers = question.segment !== undefined || ('by' in question && question.by === BY_SEGMENT)
    const membersAsOf = isOfMembers ? { membersAsOf: ctx.clock.now() } : {}
    const found = await work()
    return { asOf, ...membersAsOf, ...found, tookMs: Math.round(performance.now() - began) }
  })
}

/** People of a step of a funnel that are listed. */
const MOST_PEOPLE = 1_000

export async function answerPeople(ctx: Context, asker: Asker, question: FunnelQuestion, asked: { step: number; isDropped: boolean }) {
  const source = await sourceOf(ctx, asker, question)
  return measured(ctx, source, question, async () => {
    const { numbers, total, covered } = await findPeople(ctx, source, question, { ...asked, most: MOST_PEOPLE })
    return { ...covered, total, people: await listPeople(ctx.db, source, numbers) }
  })
}

async function sourceOf(ctx: Context, asker: Asker, { segment }: Question): Promise<Source> {
  const { caller } = asker
  if (segment !== undefined) await guardWriteOnly(ctx, caller, { segments: [segment] })
  return { workspaceId: caller.workspaceId, environment: await environmentOf(ctx, asker) }
}

export async function environmentOf(ctx: Context, { caller, environment }: Asker): Promise<Environment> {
  return environment ?? findOwnEnvironment(ctx.db, caller.workspaceId)
}

/** The segments that people can be told apart by; for viewers without those that tell of industry data. */
async function segmentsFor(ctx: Context, { caller }: Asker, source: Source, by: string | undefined): Promise<SegmentGroup[]> {
  if (by !== BY_SEGMENT) return []
  const hidden = await roundedFor(ctx, caller)
  const all = (await listSegments(ctx.db, source.workspaceId)).filter(({ id }) => !hidden.has(id))
  const counts = await countMembers(
    ctx.db,
    source.workspaceId,
    source.environment,
    all.map(({ id }) => id),
  )
  return all.map(({ id, name }) => ({ id, name, members: counts.get(id) ?? 0 }))
}
