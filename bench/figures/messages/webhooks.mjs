/** Webhooks to many endpoints of which two hang: how long the others wait for an event. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createEndpoint } from '../../../packages/server/src/modules/webhooks/endpoints.ts'
import { enqueueWebhook, openSender } from '../../../packages/server/src/modules/webhooks/index.ts'
import { insertWorkspace, withContext } from '../../lib/context.mjs'
import { ask, LOAD_CORE, said, startProgram, stop } from '../../lib/processes.mjs'
import { count, ms, quantile } from '../../lib/stats.mjs'

const [ENDPOINTS, SILENT] = [20, 2]
/** Each event is a delivery for every endpoint. */
const [EVENTS, QUICK_EVENTS] = [2_500, 250]
/** 800 deliveries a second. */
const EVENTS_A_SECOND = 40
const MOST_MS = 5_000
const PATIENCE_MS = 60_000

export const webhooksFigure = { name: 'webhook-delay', run: measure }

async function measure({ isQuick }) {
  const events = isQuick ? QUICK_EVENTS : EVENTS
  const receivers = startProgram('webhook-receivers.mjs', [String(ENDPOINTS), String(SILENT)], { core: LOAD_CORE === 0 ? 1 : 0, ipc: true })
  const [, ports] = await said(receivers, /listening ([\d ]+)/)
  try {
    return await withContext(async (ctx, db) => {
      await insertWorkspace(db, new Date())
      const sender = openSender(ctx)
      ctx.due.register(sender.work)
      ctx.signals.on('due', ({ work, workspaceId }) => ctx.due.nudge(work, workspaceId))
      const of = { workspaceId: 'benchmark', actor: 'bench' }
      for (const port of ports.split(' '))
        await createEndpoint(ctx, of, { url: `http://127.0.0.1:${port}/`, events: ['campaign.status_changed'], description: '' })
      await tell(ctx, of, events)
      const delays = await waitFor(receivers, events * (ENDPOINTS - SILENT))
      await sender.stop()
      return [describe(events, delays)]
    })
  } finally {
    await stop(receivers)
  }
}

async function tell(ctx, of, events) {
  const data = { campaignId: 'c', name: 'Sale', type: 'promo', from: 'approved', to: 'active' }
  const began = performance.now()
  for (let told = 0; told < events; told++) {
    const wait = (told / EVENTS_A_SECOND) * 1_000 - (performance.now() - began)
    if (wait > 0) await sleep(wait)
    await ctx.change(of, (change) => enqueueWebhook(change, 'campaign.status_changed', data))
  }
}

/** All of them, or an error: one that does not come is no delay. */
async function waitFor(receivers, expected) {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const { delays } = await ask(receivers, { type: 'delays' })
    if (delays.length >= expected) return delays
    if (Date.now() > until) throw new Error(`${delays.length} of ${expected} deliveries arrived`)
    await sleep(200)
  }
}

function describe(events, delays) {
  return {
    name: 'webhook-delay',
    what: `${count(events * ENDPOINTS)} deliveries to ${ENDPOINTS} endpoints of which ${SILENT} never answer: p99 from an event to the others`,
    target: { most: MOST_MS, unit: 'ms' },
    value: quantile(delays, 0.99),
    spread: `${ms(Math.min(...delays))} to ${ms(quantile(delays, 1))}`,
    ours: `median ${ms(quantile(delays, 0.5))}, p99 ${ms(quantile(delays, 0.99))}`,
    limit: 'none',
    made: [`${EVENTS_A_SECOND} events a second, each in a transaction of its own, for all endpoints.`],
  }
}
