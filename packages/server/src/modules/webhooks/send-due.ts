/**
 * Sends what is due. A claim takes of each endpoint only what can be sent at once, and the sending goes on behind it:
 * a receiver that hangs holds its own deliveries and nobody else's. Every call ends long before the lease does.
 */
import { cutText } from '@contentflow/core/cut-text.ts'
import { afterAttempt, isGivenUp } from '@contentflow/core/webhooks/attempts.ts'
import type { Context } from '../../context.ts'
import { SYSTEM } from '../../infra/change.ts'
import type { Batch, DueWork } from '../../infra/due/due.ts'
import { FEW_CALLS, ORIGIN_SHARES, OutboundError } from '../../infra/outbound/outbound.ts'
import { placeOf } from './endpoints.ts'
import { WEBHOOKS } from './enqueue.ts'
import { giveUp, noteFailure, noteSuccess } from './queries.ts'
import { dueDeliveries, finishAttempt, releaseAttempt, type Attempt, type DueDelivery } from './queries-deliveries.ts'
import { signedHeaders } from './sign.ts'

export type Sender = {
  work: DueWork<DueDelivery>
  /** Resolves when what is being sent now was answered, or given up. */
  settled(): Promise<void>
  /** Hands back what is being sent. */
  stop(): Promise<void>
}

/** Calls of the process under way. More of one origin would only wait for each other while their lease runs (infra/outbound/outbound.ts). */
const AT_ONCE = 1_000
/** Newest attempts that are kept of a delivery, and characters of an answer. */
const [LOG_LENGTH, ANSWER_LENGTH] = [20, 2_000]

export function openSender(ctx: Context): Sender {
  const sending = new Set<Promise<void>>()
  /** Calls under way, by origin and by workspace and origin. */
  const calls = new Counts()
  /** Workspaces that found no room because of others. */
  const crowdedOut = new Set<string>()
  const stopping = new AbortController()
  /** Endpoints of one origin share its room, and workspaces the room of all. */
  const roomsFor = (workspaceId: string, urls: string[]) => {
    const origins = urls.map((url) => new URL(url).origin)
    const own = new Map(origins.map((origin) => [origin, FEW_CALLS - calls.of(placeAt(workspaceId, origin))]))
    const left = new Map(origins.map((origin) => [origin, FEW_CALLS * ORIGIN_SHARES - calls.of(origin)]))
    // Half of what is left at most: some is left for whoever comes.
    let leftOfAll = Math.ceil((AT_ONCE - sending.size) / 2)
    return origins.map((origin) => {
      const share = Math.ceil(FEW_CALLS / origins.filter((other) => other === origin).length)
      const wanted = Math.min(share, own.get(origin) ?? 0)
      const room = Math.min(wanted, left.get(origin) ?? 0, leftOfAll)
      if (room < wanted) crowdedOut.add(workspaceId)
      own.set(origin, (own.get(origin) ?? 0) - room)
      left.set(origin, (left.get(origin) ?? 0) - room)
      leftOfAll -= room
      return room
    })
  }
  /** There is room for the next: of the workspace whose call ended, and of those who wait for it longest. */
  const goOn = (workspaceId: string) => {
    const [longest] = crowdedOut
    if (longest !== undefined) crowdedOut.delete(longest)
    for (const id of new Set([longest ?? workspaceId, workspaceId])) ctx.due.nudge(WEBHOOKS, id)
  }

  const begin = (batch: Batch<DueDelivery>, row: DueDelivery) => {
    const { origin } = new URL(row.url)
    const counted = [origin, placeAt(batch.workspaceId, origin)]
    for (const each of counted) calls.add(each, 1)
    const work = attempt(ctx, batch, row, stopping.signal)
      .catch((error: unknown) => ctx.log.error({ err: error, id: row.id }, 'a delivery could not be finished; it is sent again'))
      .finally(() => {
        sending.delete(work)
        for (const each of counted) calls.add(each, -1)
        goOn(batch.workspaceId)
      })
    sending.add(work)
    ctx.due.behind(work)
  }
  return {
    work: {
      kind: WEBHOOKS,
      rows: dueDeliveries(ctx.db, roomsFor),
      most: AT_ONCE,
      rests: true,
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

function placeAt(workspaceId: string, origin: string): string {
  return `${workspaceId} ${origin}`
}

class Counts {
  readonly #counts = new Map<string, number>()

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  add(key: string, change: number): void {
    const count = this.of(key) + change
    if (count === 0) this.#counts.delete(key)
    else this.#counts.set(key, count)
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
    const { status, text } = await ctx.outbound.send({
      kind: 'webhook',
      asker: workspaceId,
      method: 'POST',
      url: row.url,
      headers,
      body: row.body,
      signal,
    })
    const answer = cutText(storable(text), ANSWER_LENGTH)
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
    ctx.log.warn({ workspaceId, id: endpointId }, 'a webhook failed for five days and was switched off')
  })
}
