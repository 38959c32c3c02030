/** A segment of the people of a step of a funnel. */
import { ruleOfStep, type PeopleOfStep } from '@contentflow/core/analysis/funnel-rule.ts'
import type { FunnelQuestion } from '@contentflow/core/analysis/question.ts'
import type { SegmentRules } from '@contentflow/core/targeting/rule.ts'
import type { Context } from '../../../context.ts'
import { failWith } from '../../../errors.ts'
import type { Actor } from '../../../infra/change.ts'
import { createSegment, createSegmentOf } from '../../segments/index.ts'
import { answerPeople, environmentOf, type Asker } from './ask.ts'

/** `way`: by a rule on what people did, which holds for others from now on too, or of those who are listed, added by hand. */
type MadeSegment = {
  segmentId: string
  name: string
  way: 'rule' | 'by_hand'
  /** By hand: how many were added, and how many there are. */
  added: number | null
  total: number | null
}

/** What no person is: the segment has the members that were added by hand, and nobody else. */
const NOBODY: SegmentRules = { logicalOperator: 'AND', rules: [{ field: 'metadata.environment', operator: 'equals', value: 'nobody' }] }

type Asked = { question: FunnelQuestion; name: string; people: PeopleOfStep }

/** Refused as the making of a segment is; 400 where there is nobody to add. */
export async function makeSegment(ctx: Context, by: Actor, asker: Asker, { question, name, people }: Asked): Promise<MadeSegment> {
  const rules = ruleOfStep(question, people, ctx.clock.ms())
  if (rules) {
    const segment = await createSegment(ctx, by, { name, ...rules })
    return { segmentId: segment.id, name: segment.name, way: 'rule', added: null, total: null }
  }
  const found = await answerPeople(ctx, asker, question, people)
  const ids = found.people.flatMap(({ userId, deviceId }) => userId ?? deviceId ?? [])
  if (ids.length === 0) failWith(400, 'Nobody is at this step, so there is nobody to add')
  const environment = await environmentOf(ctx, asker)
  const { segment, added } = await createSegmentOf(ctx, by, { name, ...NOBODY }, { userIds: ids, environment })
  return { segmentId: segment.id, name: segment.name, way: 'by_hand', added, total: found.total }
}
