/** One request with an Idempotency-Key: claimed, worked on under a lease, and answered again as it was answered first (decision 81). */
import { deserialize, serialize } from 'node:v8'
import { randomUUID } from 'node:crypto'
import { LIMITS } from '@contentflow/core/limits.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Db } from '../../db/open.ts'
import { fail, refusalOf } from '../../errors.ts'
import type { Clock } from '../clock.ts'
import type { Faults } from '../faults.ts'
import type { Logger } from '../log.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Keep, OnceRun } from './once-run.ts'
import * as queries from './queries-once.ts'

type OnceTools = { db: Db; secrets: Secrets; clock: Clock; faults: Faults; log: Logger }

/** What a request with a key says of itself. `callsOut`: it calls other machines before it answers. */
export type KeyedRequest = queries.KeyPlace & { route: string; requestHash: string; rights: readonly string[]; callsOut: boolean }

type KeptAnswer = { status: number; headers: Record<string, string>; body: string }

/** A request that runs, and is to be settled when its answer is known. */
export type ClaimedRun = OnceRun & {
  /** Keeps the answer of what had an effect; forgets the key of what had none. Never fails: who sent it is answered all the same. */
  settle(answer: KeptAnswer | undefined): Promise<void>
}

/** A process that dies leaves its request to a repeat after this time; one that lives renews it. */
const LEASE_MS = 30_000
const RENEW_MS = 10_000
/** How often a key is looked at that others claim, answer and forget meanwhile. */
const LOOKS = 4

/** Claims the key, or returns the answer that is kept. Refuses with 422 another request, with 409 one that runs, with 403 a caller who may do less now. */
export async function claimKey(tools: OnceTools, request: KeyedRequest): Promise<KeptAnswer | ClaimedRun> {
  for (let look = 1; look <= LOOKS; look++) {
    const claimed = await tryToClaim(tools, request)
    if (claimed) return claimed
  }
  throw inUse()
}

async function tryToClaim(tools: OnceTools, request: KeyedRequest): Promise<KeptAnswer | ClaimedRun | undefined> {
  const { db, clock } = tools
  const now = clock.now()
  const token = randomUUID()
  const leaseUntil = new Date(now.getTime() + LEASE_MS)
  const use = { ...request, token, leaseUntil, expiresAt: new Date(now.getTime() + DAY_MS) }
  const most = LIMITS.idempotencyKeys
  if (await queries.insertKey(db, request, use, { now, most })) return startRun(tools, request, token, [])
  const row = await queries.findKey(db, request)
  if (!row) return look(tools, request)
  if (row.expires_at <= now) {
    await queries.deleteKey(db, { ...request, token: row.token })
    return undefined
  }
  const answer = judge(tools, request, row, now)
  if (answer) return answer
  const results = await queries.takeOver(db, request, { before: row.token, token, now, leaseUntil })
  return results && startRun(tools, request, token, results)
}

/** It was not kept and is not there: it was forgotten meanwhile, or the workspace has too many. */
async function look({ db, clock }: OnceTools, { workspaceId }: KeyedRequest): Promise<undefined> {
  if ((await queries.countKeys(db, workspaceId, clock.now(), LIMITS.idempotencyKeys)) >= LIMITS.idempotencyKeys)
    fail('IDEMPOTENCY_KEY_LIMIT', { retryAfter: 60 })
}

/** The kept answer; undefined when the request may be taken over. */
function judge(tools: OnceTools, request: KeyedRequest, row: queries.KeyRow, now: Date): KeptAnswer | undefined {
  // Whoever is not limited to some names any more holds each of them.
  const held = new Set(request.rights)
  if (row.rights.some((right) => !held.has(right) && !held.has(right.split('=', 1).join())))
    fail('ROLE_REQUIRED', { message: 'You may do less than when this Idempotency-Key was first used; send another one' })
  if (row.route !== request.route || row.request_hash !== request.requestHash) fail('IDEMPOTENCY_KEY_REUSED')
  if (row.status !== null) {
    const body = open(tools, request, 'answer', row.body ?? '').toString()
    return { status: row.status, headers: row.headers as Record<string, string>, body }
  }
  if (row.lease_until > now) throw inUse()
  if (request.callsOut || row.results.some((kept) => kept.endsWith('.'))) fail('IDEMPOTENCY_OUTCOME_UNKNOWN')
  return undefined
}

function startRun(tools: OnceTools, request: KeyedRequest, token: string, results: readonly string[]): ClaimedRun {
  const { db, clock, faults, log } = tools
  const held = { ...request, token }
  const known = new Map(results.map((kept) => [Number.parseInt(kept), kept.slice(kept.indexOf('.') + 1)]))
  let changes = 0
  let hasEffect = results.some((kept) => /^\d+\./.test(kept))
  const renewing = setInterval(() => {
    queries
      .setLease(db, held, new Date(clock.ms() + LEASE_MS))
      .catch((error: unknown) => log.warn({ err: error }, 'the lease of a request with a key could not be renewed'))
  }, RENEW_MS).unref()
  return {
    next: () => {
      const number = changes++
      const sealed = known.get(number)
      if (sealed !== undefined) return { result: deserialize(open(tools, request, number, sealed)) }
      const keep: Keep = async (tx, result, of) => {
        const bytes = serialize(result)
        const isKept = bytes.length <= LIMITS.idempotencyBytes
        const isHeld = await queries.keepResult(
          tx,
          held,
          `${number}${of === 'read' ? 'r' : ''}.${isKept ? seal(tools, request, number, bytes) : ''}`,
        )
        // Another process took it over, and its changes count.
        if (!isHeld) throw inUse()
        if (of === undefined) hasEffect = true
        await faults.reach('once.change')
        return deserialize(bytes) as typeof result
      }
      return { keep }
    },
    settle: async (answer) => {
      clearInterval(renewing)
      try {
        await faults.reach('once.answer')
        if (answer && Buffer.byteLength(answer.body) <= LIMITS.idempotencyBytes) {
          await queries.keepAnswer(db, held, { ...answer, body: seal(tools, request, 'answer', Buffer.from(answer.body)) })
          await faults.reach('once.answered')
        } else if (answer || hasEffect) await queries.setLease(db, held, clock.now())
        else await queries.deleteKey(db, held)
      } catch (error) {
        log.warn({ err: error }, 'the answer to a request with a key could not be kept; a repeat makes it again from the results')
        // Where not even this can be written, the lease runs out by itself.
        await queries.setLease(db, held, clock.now()).catch(() => undefined)
      }
    },
  }
}

const placeOf = ({ workspaceId, caller, keyHash }: queries.KeyPlace, part: number | 'answer') => ({
  workspaceId,
  row: `idempotency_keys/${caller}/${keyHash}/${part}`,
})

function seal({ secrets }: OnceTools, place: queries.KeyPlace, part: number | 'answer', bytes: Buffer): string {
  return secrets.seal(bytes.toString('base64'), placeOf(place, part))
}

/** What nobody can read any more, because the key of the installation went, is as good as lost. */
function open({ secrets }: OnceTools, place: queries.KeyPlace, part: number | 'answer', sealed: string): Buffer {
  try {
    return Buffer.from(secrets.open(sealed, placeOf(place, part)), 'base64')
  } catch {
    return fail('IDEMPOTENCY_OUTCOME_UNKNOWN')
  }
}

function inUse(): Error {
  return refusalOf('IDEMPOTENCY_KEY_IN_USE', { retryAfter: 1 })
}

/** How many keys go in one statement. */
const DROPPED_AT_ONCE = 1_000

/** Forgets the keys that are over, workspace by workspace. */
export async function dropKeys({ db, clock }: Pick<OnceTools, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  for (const workspaceId of await queries.listWorkspacesWithOldKeys(db, now))
    for (let gone = DROPPED_AT_ONCE; gone === DROPPED_AT_ONCE;) gone = await queries.deleteOldKeys(db, workspaceId, now, DROPPED_AT_ONCE)
}
