/** Which routes leave an entry in the audit log of the workspace they write to, and how far that log is. */
import type { Context } from '../../src/context.ts'
import type { Workspace } from '../builders/builders.ts'
import type { Route } from '../harness/routes.ts'

/** How many entries the audit log of a workspace has. */
export async function endOfLog(ctx: Context, { id }: Pick<Workspace, 'id'>): Promise<number> {
  const head = await ctx.db.selectFrom('audit_heads').select('seq').where('workspace_id', '=', id).executeTakeFirst()
  return head?.seq ?? 0
}

const CLIENT = /^\/(sdk\/v1|api\/v1\/sdk)\//
/** Under the client roots those of write keys alone. */
const PIPELINE = /\/(cards\/|strings\/(sync|disable)$|sdk(\/v1)?\/event-types$)/

/** Each write of people and of write keys. */
export function isAudited({ method, path }: Route): boolean {
  return method !== 'GET' && method !== 'HEAD' && (PIPELINE.test(path) || !CLIENT.test(path)) && !UNAUDITED.has(`${method} ${path}`)
}

/** Writes that the audit log keeps nothing of: they ask with a body, or change nothing of a workspace. */
const UNAUDITED = new Set([
  'POST /api/v1/access/check',
  'POST /api/v1/workspace/code/plan',
  'POST /api/v1/blocks/:key/instances/:id/impact',
  'POST /api/v1/mails/render',
  'POST /api/v1/mails/import-html',
  'POST /api/v1/segments/preview',
  'POST /api/v1/enrichment/source-priorities/preview',
  'POST /api/v1/campaigns/:id/preview',
  'POST /api/v1/journeys/:id/test-run',
  'POST /api/v1/experiments/plan',
  ...['explore', 'funnel', 'funnel/people', 'retention'].map((question) => `POST /api/v1/analysis/${question}`),
  // It stands in the log of the workspace that is made.
  'POST /api/v1/workspaces',
  // A link is sent, whether there is such an account or not.
  'POST /api/v1/auth/password-reset',
])

/** Routes whose entry was written in a transaction of its own. */
export async function auditedApart({ metrics }: Context): Promise<string[]> {
  const { values } = await metrics.auditedApart.get()
  return values.map(({ labels }) => String(labels.action)).sort()
}

/** Those that change nothing of a workspace in the database, such as a message without a provider, or only accounts, in each of whose workspaces they are said. */
export const APART: readonly string[] = [
  'beginAuthenticator',
  'changePassword',
  'checkMailLinks',
  'refreshSegment',
  'restoreMe',
  'sendMessage',
  'sendMessageToSegment',
  'testCampaign',
  'testChannel',
  'testEmail',
  'updateMe',
]
