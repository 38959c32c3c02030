/** Journeys for tests, made and moved through the product's own routes. */
import { sql } from 'kysely'
import type { Context } from '../../src/context.ts'
import { expectStatus, type Client, type Workspace } from './builders.ts'

export const MESSAGE = { en: { title: 'Hi' } }
export const IN_APP = { type: 'in_app', content: MESSAGE }
export const wait = (minutes: number) => ({ type: 'wait', minutes })

export async function makeJourney(by: Client, body: object = {}): Promise<any> {
  return expectStatus(await by.post('/journeys', { name: 'Welcome', trigger: { type: 'manual' }, steps: [wait(60)], ...body }), 201).data
}

export const setStatus = (by: Client, id: string, status: string) => by.patch(`/journeys/${id}/status`, { status })

/** Active; its id. */
export async function startJourney(ws: Workspace, body: object = {}): Promise<string> {
  const { id } = await makeJourney(ws.admin, body)
  expectStatus(await setStatus(ws.admin, id, 'active'), 200)
  return id
}

/** What the minute does. */
export const check = async (operator: Client) => void expectStatus(await operator.post('/test-hooks/jobs', { job: 'journeys' }), 200)

export const enroll = async (ws: Workspace, id: string, userIds: string[]) =>
  expectStatus(await ws.admin.post(`/journeys/${id}/enroll`, { userIds }), 200).data

export const runsOf = async (ws: Pick<Workspace, 'admin'>, id: string, userId?: string): Promise<any[]> =>
  expectStatus(await ws.admin.get(`/journeys/${id}/runs${userId === undefined ? '' : `?userId=${userId}`}`), 200).data.runs

/** User ids of whoever is in it, or was. */
export const peopleIn = async (ws: Workspace, id: string): Promise<string[]> =>
  (await runsOf(ws, id)).map(({ userId }) => userId).toSorted()

/** A journey of this name; an active one has somebody in it. */
export async function journeyIn(ws: Workspace, name: string, isActive: boolean): Promise<string> {
  const { id } = await makeJourney(ws.admin, { name, steps: [{ ...IN_APP, content: { en: { title: name } } }] })
  if (!isActive) return id
  expectStatus(await setStatus(ws.admin, id, 'active'), 200)
  await enroll(ws, id, ['the-same-user'])
  return id
}

/** What is kept of somebody's events: their number in the columns, what journeys that listen hold of them, and what they told of them. */
export async function fillFromEvents(ctx: Context, workspaceId: string, profileId: string): Promise<void> {
  await sql`
    insert into people_numbers (workspace_id, profile_id, environment, no)
    select ${workspaceId}, ${profileId}, 'live', coalesce(max(no), -1) + 1 from people_numbers where workspace_id = ${workspaceId}`.execute(
    ctx.db,
  )
  await sql`
    insert into journey_inbox (workspace_id, journey_id, profile_id, batch, place, heard)
    select workspace_id, journey_id, profile_id, 1, 1, '{}' from journey_runs
    where workspace_id = ${workspaceId} and profile_id = ${profileId} limit 1`.execute(ctx.db)
  const at = ctx.clock.now()
  await ctx.db
    .insertInto('webhook_endpoints')
    .values({
      workspace_id: workspaceId,
      id: 'told',
      url: 'https://shop.example',
      events: [],
      description: '',
      secret: '',
      created_at: at,
      updated_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await sql`
    insert into webhook_deliveries (workspace_id, endpoint_id, id, event, body, status, created_at, profile_id)
    values (${workspaceId}, 'told', ${profileId}, 'journey.step', '{}', 'delivered', ${at}, ${profileId})`.execute(ctx.db)
  await sql`
    insert into send_values (workspace_id, dispatch_id, profile_id, values)
    select workspace_id, dispatch_id, profile_id, '{}' from sends
    where workspace_id = ${workspaceId} and profile_id = ${profileId} limit 1`.execute(ctx.db)
}
