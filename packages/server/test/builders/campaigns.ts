/** Campaigns for tests, made and moved through the product's own routes. */
import type { Context } from '../../src/context.ts'
import { expectStatus, type Client, type Workspace } from './builders.ts'

export const CAMPAIGN = { name: 'Eid', type: 'promo', segments: ['All users'], schedule: {}, content: { en: { title: 'Hello' } } }

export async function create(by: Client, body: object = {}): Promise<any> {
  return expectStatus(await by.post('/campaigns', { ...CAMPAIGN, ...body }), 201).data
}

export const read = async (by: Client, id: string) => expectStatus(await by.get(`/campaigns/${id}`), 200).data
export const statusOf = async (by: Client, id: string): Promise<string> => (await read(by, id)).status
export const submit = (by: Client, id: string) => by.post(`/campaigns/${id}/submit-review`, {})
export const approve = (by: Client, id: string, body: object = {}) => by.post(`/campaigns/${id}/approve`, body)
export const reject = (by: Client, id: string, body: object = { note: 'too loud' }) => by.post(`/campaigns/${id}/reject`, body)
export const recall = (by: Client, id: string) => by.post(`/campaigns/${id}/recall`, {})
export const setStatus = (by: Client, id: string, status: string, more: object = {}) =>
  by.patch(`/campaigns/${id}/status`, { status, ...more })

/** A campaign that an editor submitted and the admin approved. */
export async function launch(ws: Workspace, editor: Client, body: object = {}, activateTarget: 'live' | 'test' = 'live'): Promise<any> {
  const { id } = await create(editor, body)
  expectStatus(await submit(editor, id), 200)
  return expectStatus(await approve(ws.admin, id, { activateTarget }), 200).data
}

export const told = ({ status, body }: { status: number; body: any }) => [status, body.code]

export type Waiting = { id: string; editId: string }

/** A campaign that somebody else submitted or, with `isApproved`, that is approved and that somebody else wants changed. */
export async function waitingCampaign(
  { db }: Context,
  ws: Workspace,
  { text, isApproved }: { text: string; isApproved: boolean },
): Promise<Waiting> {
  const { id } = await create(ws.admin, { name: text, content: { en: { title: text } }, dispatchChannels: ['in_app'] })
  expectStatus(await submit(ws.admin, id), 200)
  await db.updateTable('campaigns').set({ submitted_by: 'somebody' }).where('workspace_id', '=', ws.id).where('id', '=', id).execute()
  if (!isApproved) return { id, editId: '' }
  expectStatus(await approve(ws.admin, id, { activateTarget: 'live' }), 200)
  const editId = `edit of ${id}`
  const edit = {
    workspace_id: ws.id,
    id: editId,
    campaign_id: id,
    changes: JSON.stringify({ name: text }),
    base_version: 1,
    status: 'pending',
  }
  await db
    .insertInto('campaign_edits')
    .values({ ...edit, status: 'pending', requested_by: 'somebody', requested_at: new Date() })
    .execute()
  return { id, editId }
}

/** Where every step of this route finds what it is about. */
export async function campaignFor(ctx: Context, ws: Workspace, path: string): Promise<Waiting> {
  if (/edit-requests/.test(path)) return waitingCampaign(ctx, ws, { text: 'of A', isApproved: true })
  if (/(approve|reject|recall)$/.test(path)) return waitingCampaign(ctx, ws, { text: 'of A', isApproved: false })
  return { id: (await create(ws.admin)).id, editId: '' }
}
