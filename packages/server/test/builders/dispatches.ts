/** Dispatches as campaigns hand them over, without the campaigns. */
import type { LocalizedContent } from '@contentflow/core/messages/content.ts'
import { presentReport, readReport, startDispatches, type Outgoing } from '../../src/modules/sends/index.ts'
import { expectStatus, type Workspace } from './builders.ts'
import type { startApp } from '../harness/start-app.ts'

let campaigns = 0

export function dispatching({ ctx, operator }: Pick<Awaited<ReturnType<typeof startApp>>, 'ctx' | 'operator'>) {
  const content: LocalizedContent = { en: { title: 'Hi', body: 'There' } }
  const campaignOf = (more: Partial<Outgoing> = {}): Outgoing => ({
    source: 'campaign',
    sourceId: `c${++campaigns}`,
    name: 'Sale',
    channels: ['push'],
    content,
    segments: ['All users'],
    window: {},
    ...more,
  })
  const work = async () => void expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
  const start = async ({ id }: Workspace, campaign: Outgoing) => {
    await ctx.change({ workspaceId: id, actor: 'a' }, (change) => startDispatches(change, campaign))
    await work()
  }
  const report = async ({ id }: Workspace, { source, sourceId }: Outgoing) =>
    presentReport(await readReport(ctx.db, id, { source, sourceId }))
  const pushOf = async (ws: Workspace, campaign: Outgoing) => (await report(ws, campaign)).channels['push']
  return { content, campaignOf, work, start, report, pushOf }
}
