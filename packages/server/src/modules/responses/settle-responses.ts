/** Judges what was asked for of each message once nothing follows any more: sums, events of the people, and who wants none of it. */
import { changesOf, countResponses, newlyDone, type Counted } from '@contentflow/core/messages/responses/count-responses.ts'
import { OPENED } from '@contentflow/core/messages/responses/hit.ts'
import { judgeResponses } from '@contentflow/core/messages/responses/judge-responses.ts'
import { trackedNodes } from '@contentflow/core/messages/responses/tracked-nodes.ts'
import { TRACKING_TOPIC } from '@contentflow/core/messages/responses/tracking.ts'
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import { decisionChanges } from '@contentflow/core/identity/consent/decisions.ts'
import type { Context } from '../../context.ts'
import type { Batch, DueWork } from '../../infra/due/due.ts'
import { inTransaction } from '../../infra/unavailable.ts'
import { openServerEvents, sentEvent, type OnStored, type ServerEvent, type ServerEvents } from '../events/index.ts'
import { appendLedger, decisionColumns, decisionsOf, findSubjectSalt, lockNamed, patchProfile, subjectOfPerson } from '../people/index.ts'
import { changePeople, type PeopleChange } from '../segments/index.ts'
import {
  addResponseCounts,
  holdResponses,
  listRespondedDispatches,
  responsesTable,
  saveCounted,
  type CountChange,
  type DueResponses,
  type HeldResponses,
  type RespondedDispatch,
} from './queries-responses.ts'

const RESPONSES = 'responses'
/** Messages that are judged in one transaction. */
const MOST = 200

/** The events by which rules, journeys and reports hear of responses. */
const OPENED_EVENT = 'message_opened'
const CLICKED_EVENT = 'message_clicked'

export function responsesWork(ctx: Context, onStored: OnStored): DueWork<DueResponses> {
  const store = openServerEvents(ctx)
  return {
    kind: RESPONSES,
    rows: responsesTable(ctx.db),
    most: MOST,
    work: async (batch) => settle(ctx, store, onStored, batch),
  }
}

type Verdict = { held: HeldResponses; counted: Counted }

async function settle(ctx: Context, store: ServerEvents, onStored: OnStored, batch: Batch<DueResponses>): Promise<void> {
  const { workspaceId, token, rows } = batch
  const now = ctx.clock.now()
  await store.ensure(now)
  // Before the verdict is written, which looks at these hits no more: a process that dies between the two does both again.
  for (const { profile_id, hits } of rows)
    if (hits.some((hit) => hit.class === 'refused')) await refuseTracking(ctx, workspaceId, profile_id)
  const events = await inTransaction(ctx.db, async (tx) => {
    const held = await holdResponses(tx, workspaceId, token, rows)
    const dispatches = new Map(
      (await listRespondedDispatches(tx, workspaceId, [...new Set(held.map(({ dispatchId }) => dispatchId))])).map((each) => [
        each.id,
        each,
      ]),
    )
    const verdicts = held.map((row): Verdict => ({ held: row, counted: judge(row, dispatches.get(row.dispatchId)) }))
    await addResponseCounts(
      tx,
      workspaceId,
      sumUp(
        verdicts.flatMap(({ held: { dispatchId, variantId, counted: before }, counted }) =>
          changesOf(before ?? [], counted).map((change) => ({ ...change, dispatch: dispatchId, variant: variantId })),
        ),
      ),
    )
    const events = verdicts.flatMap((verdict) => eventsOf(verdict, dispatches.get(verdict.held.dispatchId)))
    if (events.length > 0) await store.insert(tx, workspaceId, events, now)
    await saveCounted(
      tx,
      workspaceId,
      verdicts.map(({ held: { id }, counted }) => ({ id, counted })),
    )
    await ctx.faults.reach(`${RESPONSES}: worked`)
    return events
  })
  if (events.length > 0) onStored(workspaceId, events.map(sentEvent))
}

function judge({ hits, sentAt }: HeldResponses, dispatch: RespondedDispatch | undefined): Counted {
  const links = dispatch ? trackedNodes(dispatch).length : 0
  const counted = countResponses(judgeResponses(hits, { sentAt: sentAt.getTime(), links }))
  // Whether a text message was opened is nowhere heard of.
  return dispatch?.channel === 'email' ? counted : counted.filter(({ node }) => node !== OPENED)
}

/** One person may be in two variants' sums only by different messages: a change belongs to the message and variant it is of. */
function sumUp(changes: readonly CountChange[]): CountChange[] {
  const sums = new Map<string, CountChange>()
  for (const change of changes) {
    const key = JSON.stringify([change.dispatch, change.variant, change.node])
    const sum = sums.get(key)
    if (!sum) sums.set(key, { ...change })
    else for (const member of COUNT_MEMBERS) sum[member] += change[member]
  }
  return [...sums.values()]
}
const COUNT_MEMBERS = ['people', 'times', 'unknown', 'machines', 'machineTimes'] as const

/** What the person did of which nothing was told before. */
function eventsOf({ held, counted }: Verdict, dispatch: RespondedDispatch | undefined): ServerEvent[] {
  if (!dispatch) return []
  const { source, sourceId, step, channel } = dispatch
  const message: JsonObject = source === 'campaign' ? { campaignId: sourceId } : { journeyId: sourceId, stepId: step }
  const common = { channel, ...message, ...(held.variantId !== '' && { variantId: held.variantId }) }
  return newlyDone(held.counted ?? [], counted).map((node): ServerEvent => {
    const of = { environment: held.environment, profileId: held.profileId }
    if (node === OPENED) return { ...of, type: OPENED_EVENT, properties: common }
    const link = trackedNodes(dispatch).find((each) => each.node === node)
    return { ...of, type: CLICKED_EVENT, properties: { ...common, link: node, ...(link && { label: link.label, url: link.url }) } }
  })
}

/** Their browser says that they want no tracking. Who said something about it to this workspace themselves is not overruled. */
async function refuseTracking(ctx: Context, workspaceId: string, profileId: string): Promise<void> {
  const refuse = async ({ tx, now, changed }: PeopleChange) => {
    const profile = await lockNamed(tx, workspaceId, profileId)
    if (!profile) return
    const before = decisionsOf(profile)
    if (Object.hasOwn(before.topics, TRACKING_TOPIC)) return
    const after = { ...before, topics: { ...before.topics, [TRACKING_TOPIC]: false } }
    await patchProfile(tx, workspaceId, profile.id, { ...decisionColumns(after), updated_at: now })
    const subject = subjectOfPerson(await findSubjectSalt(tx, workspaceId), profile)
    const decided = [{ subject, changes: decisionChanges(before, after) }]
    await appendLedger(tx, { workspaceId, environment: profile.environment }, decided, { source: 'browser_signal', keyId: RESPONSES })
    changed(profile.id)
  }
  await changePeople(ctx, { workspaceId, actor: RESPONSES, isBrief: true }, refuse)
}
