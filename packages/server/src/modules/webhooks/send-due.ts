/**
 * Sends what is due. A claim takes of each endpoint only what can be sent at once, and the sending goes on behind it:
 * a receiver that hangs holds its own deliveries and nobody else's. Every call ends long before the lease does.
 */
import { afterAttempt, isGivenUp } from '@contentflow/core/webhooks/attempts.ts'
import type { Context } from '../../context.ts'
import type { Batch, DueWork } from '../../infra/due.ts'
import { OutboundError } from '../../infra/outbound.ts'
import { placeOf } from './endpoints.ts'
import { SYSTEM, WEBHOOKS } from './enqueue.ts'
import { giveUp, noteFailure, noteSuccess } from './queries.ts'
import { dueDeliveries, failPending, finishAttempt, releaseAttempt, type Attempt, type DueDelivery } from './queries-deliveries.ts'
import { signedHeaders } from './sign.ts'

export type Sender = {
  work: DueWork<DueDelivery>
  /** Resolves when what is being sent now was answered, or given up. */
  settled(): Promise<void>
  /** Hands back what is being sent. */
  stop(): Promise<void>
}

/** Calls under way: of one origin, because more would only wait for each other while their lease runs, and of the process. */
const [ORIGIN_AT_ONCE, AT_ONCE] = [4, 1_000]
/** Newest attempts that are kept of a delivery, and characters of an answer. */
const [LOG_LENGTH, ANSWER_LENGTH] = [20, 2_000]

export function openSender(ctx: Context): Sender {
  const sending = new Set<Promise<void>>()
  const byOrigin = new Map<string, number>()
  const stopping = new AbortController()
  /** Endpoints of one origin share its room. */
  const roomsFor = (urls: string[]) => {
    const origins = urls.map((url) => new URL(url).origin)
    const left = new Map(origins.map((origin) => [origin, ORIGIN_AT_ONCE - (byOrigin.get(origin) ?? 0)]))
    let leftOfAll = AT_ONCE - sending.size
    return origins.map((origin) => {
      const share = Math.ceil(ORIGIN_AT_ONCE / origins.filter((other) => other === origin).length)
      const room = Math.min(share, left.get(origin) ?? 0, leftOfAll)
      left.set(origin, (left.get(origin) ?? 0) - room)
      leftOfAll -= room
      return room
    })
  }

  const begin = (batch: Batch<DueDelivery>, row: DueDelivery) => {
    const { origin } = new URL(row.url)
    byOrigin.set(origin, (byOrigin.get(origin) ?? 0) + 1)
    const work = attempt(ctx, batch, row, stopping.signal)
      .catch((error: unknown) => ctx.log.error({ err: error, id: row.id }, 'a delivery could not be finished; it is sent again'))
      .finally(() => {
        sending.delete(work)
        const left = (byOrigin.get(origin) ?? 1) - 1
        if (left === 0) byOrigin.delete(origin)
        else byOrigin.set(origin, left)
        // There is room for the next one.
        ctx.due.nudge(WEBHOOKS, batch.workspaceId)
      })
    sending.add(work)
    ctx.due.behind(work)
  }
  return {
    work: {
      kind: WEBHOOKS,
      rows: dueDeliveries(ctx.db, roomsFor),
      most: AT_ONCE,
      work: async (batch) => {
        for (const row of batch.rows) begin(batch, row)
      },
    },
    settled: async () => void (await Promise.allSettled(sending)),
    stop: async () => {
      stopping.abort(new Error('the process stops'))
      await Promise.allSettled(sending)
    },
  }
}

async function attempt(ctx: Context, { workspaceId, token }: Batch<DueDelivery>, row: DueDelivery, signal: AbortSignal): Promise<void> {
  const held = { workspaceId, token, id: row.id }
  const entry = await send(ctx, workspaceId, row, signal)
  if (!entry) return releaseAttempt(ctx.db, held, ctx.clock.now())
  await ctx.faults.reach(`${WEBHOOKS}: sent`)
  const now = ctx.clock.now()
  const tries = row.tries + 1
  const isTaken = entry.status !== null && entry.status >= 200 && entry.status < 300
  const outcome = afterAttempt(row.event, tries, isTaken, now)
  if (!(await finishAttempt(ctx.db, held, outcome, tries, [...row.log, entry].slice(-LOG_LENGTH)))) return
  await ctx.faults.reach(`${WEBHOOKS}: finished`)
  if (isTaken) return noteSuccess(ctx.db, workspaceId, row.endpoint_id)
  const failingSince = await noteFailure(ctx.db, workspaceId, row.endpoint_id, now)
  if (failingSince && isGivenUp(failingSince, now)) await switchOff(ctx, workspaceId, row.endpoint_id)
}

/** Undefined when the process stops instead. */
async function send(ctx: Context, workspaceId: string, row: DueDelivery, signal: AbortSignal): Promise<Attempt | undefined> {
  const now = ctx.clock.now()
  const began = performance.now()
  const entry = (said: Omit<Attempt, 'at' | 'ms'>): Attempt => ({
    at: now.toISOString(),
    ms: Math.round(performance.now() - began),
    ...said,
  })
  try {
    const secret = ctx.secrets.open(row.secret, placeOf(workspaceId, row.endpoint_id))
    const headers = signedHeaders(secret, row.id, row.body, now)
    const { status, text } = await ctx.outbound.send({ kind: 'webhook', method: 'POST', url: row.url, headers, body: row.body, signal })
    const answer = storable(text).slice(0, ANSWER_LENGTH)
    return entry({ status, ...(answer !== '' && { answer }) })
  } catch (error) {
    if (signal.aborted) return undefined
    if (error instanceof OutboundError) return entry({ status: null, error: error.message })
    ctx.log.error({ err: error, id: row.id }, 'a delivery could not be sent')
    return entry({ status: null, error: 'The delivery could not be signed: ask the operator of this server' })
  }
}

/** The database takes no NUL, and no half of a character. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed()
}

async function switchOff(ctx: Context, workspaceId: string, endpointId: string): Promise<void> {
  await ctx.change({ workspaceId, actor: SYSTEM }, async ({ tx, now }) => {
    if (!(await giveUp(tx, workspaceId, endpointId, now))) return
    await failPending(tx, workspaceId, endpointId)
    ctx.log.warn({ workspaceId, id: endpointId }, 'a webhook failed for five days and was switched off')
  })
}
