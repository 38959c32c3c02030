/** Journeys for tests, made and moved through the product's own routes. */
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
