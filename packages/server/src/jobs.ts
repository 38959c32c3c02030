import type { Context } from './context.ts'
import type { DueWork, DuePass } from './infra/due/due.ts'
import { dropKeys } from './infra/once/claim-key.ts'
import { columnsWork, refillWork } from './modules/analysis/index.ts'
import { endingWork } from './modules/access/index.ts'
import { tendAudit } from './modules/audit/index.ts'
import { dropDays, eventCountsWork, peopleWork, retentionWork } from './modules/analytics/index.ts'
import { cleanUpChannels } from './modules/channels/index.ts'
import { campaignsWork } from './modules/campaigns/index.ts'
import { dropDeleted, publicationsWork } from './modules/content/index.ts'
import { endingsWork } from './modules/endings/index.ts'
import { endedWork, importsWork, prioritiesWork, uploadsWork } from './modules/enrichment/index.ts'
import { readingsWork } from './modules/experiments/index.ts'
import { holdoutWork } from './modules/holdout/index.ts'
import { erasureRequestsWork, erasureWork, cleanUpProofs } from './modules/identity/index.ts'
import type { OnStored } from './modules/events/index.ts'
import { journeysListener, journeysWork } from './modules/journeys/index.ts'
import { mediaWork, type Library } from './modules/media/index.ts'
import { cleanUpRequests } from './modules/requests/index.ts'
import { dropShortLinks, responsesWork } from './modules/responses/index.ts'
import { dispatchWorks, dropInbound, emailConfirmationsWork, type Dispatcher } from './modules/sends/index.ts'
import { cleanUpWebhooks, WEBHOOKS, type Sender } from './modules/webhooks/index.ts'
import { checkOldDomains, endAccounts, resealAuthenticators, resealProviders } from './modules/workspaces/index.ts'
import { behaviourWork, deletedSegmentsWork, segmentTrackersWork, segmentsWork } from './modules/segments/index.ts'

/** `isAsked`: by the test hook, which waits for it. */
type Job = (pass: DuePass) => Promise<void>
/** Of a job. Each goes by its own clock: one that is long at it keeps none of the others waiting. `isOfProcess`: it is about this process alone, whatever its role. */
type Step = { name: string; run: Job; isOfProcess?: true }

/** How often due work is looked for. */
const INTERVAL_MS = 60_000
const SOON_MS = 5_000
const SCHEDULER = 'scheduler'
const SOON = [SCHEDULER, WEBHOOKS]
const FIRST_MS = 1_000

export type Jobs = {
  names: readonly string[]
  /** One pass of one job; errors reach the caller. */
  run(name: string): Promise<void>
  /** One pass of every job; one that fails is left to its next pass. */
  runDue(): Promise<void>
  /** Resolves when nothing runs any more; what could not be finished is handed back. */
  stop(): Promise<void>
}

/** The one list of what time makes due, by the names of G-03; names without work yet do nothing. Any number of processes share the work. */
function listJobs(
  ctx: Context,
  { library, sender, dispatcher, saveKeyUses, saveProofs, saveEventCatalog, onStored }: Works,
): Map<string, Step[]> {
  const due = (...works: DueWork[]): Step[] => {
    for (const work of works) ctx.due.register(work)
    const kinds = new Set(works.map(({ kind }) => kind))
    return [...kinds].map((kind) => ({ name: kind, run: async (pass) => ctx.due.run(kind, pass) }))
  }
  const tend = (name: string, work: () => Promise<void>): Step => ({ name, run: work })
  const ofProcess = (name: string, work: () => Promise<void>): Step => ({ ...tend(name, work), isOfProcess: true })
  const loaded = due(importsWork(ctx), uploadsWork(ctx), prioritiesWork(ctx), endedWork(ctx))
  const behaviour = due(segmentTrackersWork(ctx), behaviourWork(ctx))
  return new Map<string, Step[]>([
    // Windows of rules on events end in their moment too.
    [
      SCHEDULER,
      [...due(publicationsWork(ctx), campaignsWork(ctx)), ...behaviour, ...loaded, tend('deleted-content', () => dropDeleted(ctx))],
    ],
    ['journeys', due(journeysWork(ctx))],
    [
      'dispatch',
      [
        ...due(...dispatchWorks(dispatcher), emailConfirmationsWork(ctx, dispatcher.channels)),
        tend('channels', () => cleanUpChannels(ctx)),
        tend('inbound-messages', () => dropInbound(ctx)),
        ...due(responsesWork(ctx, onStored)),
        tend('short-links', () => dropShortLinks(ctx)),
        tend('links', () => ctx.links.reseal()),
      ],
    ],
    [
      'rollup',
      [
        ...due(eventCountsWork(ctx, journeysListener(ctx)), peopleWork(ctx)),
        ...behaviour,
        ...due(readingsWork(ctx), holdoutWork(ctx)),
        tend('days', () => dropDays(ctx)),
        ...due(retentionWork(ctx), columnsWork(ctx), refillWork(ctx)),
      ],
    ],
    // What loads say of people first: rules look at it.
    ['segments', [...loaded, ...behaviour, ...due(segmentsWork(ctx), deletedSegmentsWork(ctx))]],
    [
      'erasure',
      [...due(erasureWork(ctx), erasureRequestsWork(ctx, dispatcher.channels)), tend('subject-requests', () => cleanUpRequests(ctx))],
    ],
    ['media', due(mediaWork(ctx, library))],
    ['endings', due(endingsWork(ctx, library))],
    [WEBHOOKS, [...due(sender.work), tend('webhook-log', () => cleanUpWebhooks(ctx))]],
    [
      'accounts',
      [
        tend('accounts', () => endAccounts(ctx)),
        tend('idempotency-keys', () => dropKeys(ctx)),
        tend('sign-in-domains', () => checkOldDomains(ctx)),
        tend('sign-in-secrets', () => resealProviders(ctx)),
        tend('authenticators', () => resealAuthenticators(ctx)),
        ...due(endingWork(ctx, dispatcher.channels)),
      ],
    ],
    ['audit', [tend('audit', () => tendAudit(ctx))]],
    ['backlog', [tend('backlog', () => ctx.due.lookAtBacklog())]],
    ['key-uses', [ofProcess('key-uses', saveKeyUses)]],
    ['event-catalog', [ofProcess('event-catalog', saveEventCatalog)]],
    ['identity-proofs', [ofProcess('identity-counts', saveProofs), tend('identity-bindings', () => cleanUpProofs(ctx))]],
  ])
}

type Works = {
  library: Library
  sender: Sender
  dispatcher: Dispatcher
  saveKeyUses(): Promise<void>
  saveProofs(): Promise<void>
  saveEventCatalog(): Promise<void>
  onStored: OnStored
}

/**
 * Runs what time alone makes due. A pass by the clock finds what is due and sets it going; one that is asked for lasts until
 * it is done. No step is overtaken by its next pass. Without `isTimed` all passes are asked for. A process of the role `web`
 * begins no due work of itself, by time or by nudge; what a request waits for it does all the same.
 */
export function startJobs(ctx: Context, { isTimed, ...works }: Works & { isTimed: boolean }): Jobs {
  const jobs = listJobs(ctx, works)
  const { sender } = works
  const isWorker = ctx.config.role !== 'web'
  if (isWorker) ctx.signals.on('due', ({ work, workspaceId, requestId }) => ctx.due.nudge(work, workspaceId, requestId))
  const running = new Map<string, Promise<void>>()
  const runStep = ({ name, run }: Step, pass: DuePass): Promise<void> => {
    const before = running.get(name) ?? Promise.resolve()
    const step = before
      .catch(() => undefined)
      .then(() => run(pass))
      .finally(() => running.get(name) === step && running.delete(name))
    running.set(name, step)
    return step
  }
  const attempt = async (step: Step, isAwaited: boolean): Promise<void> =>
    runStep(step, { isAsked: false, isAwaited }).catch((error: unknown) =>
      ctx.log.error({ err: error, job: step.name }, 'a job failed; its next pass tries again'),
    )
  const runJob = async (name: string) => {
    for (const step of jobs.get(name) ?? []) await runStep(step, { isAsked: true, isAwaited: true })
  }
  const runDue = async () => {
    for (const steps of jobs.values()) for (const step of steps) await attempt(step, true)
    await sender.settled()
  }
  const tick = (names: Iterable<string>) => {
    for (const name of names)
      for (const step of jobs.get(name) ?? []) if ((isWorker || step.isOfProcess) && !running.has(step.name)) void attempt(step, false)
  }
  const timer = isTimed ? setInterval(() => tick(jobs.keys()), INTERVAL_MS).unref() : undefined
  // What somebody set for a moment, or waits for its next attempt, is done in that moment, or a few seconds later.
  const soon = isTimed ? setInterval(() => tick(SOON), SOON_MS).unref() : undefined
  // What the process before this one left.
  const first = isTimed ? setTimeout(() => tick(jobs.keys()), FIRST_MS).unref() : undefined
  return {
    names: [...jobs.keys()],
    run: async (name) => {
      await runJob(name)
      // Whoever asks for it waits for what it began.
      if (name === WEBHOOKS) await sender.settled()
    },
    runDue,
    stop: async () => {
      clearInterval(timer)
      clearInterval(soon)
      clearTimeout(first)
      await ctx.due.stop()
      works.dispatcher.senders.close()
      await sender.stop()
      await Promise.allSettled(running.values())
    },
  }
}
