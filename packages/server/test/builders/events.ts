/** Events for tests, sent through the product's own route. */
import type { Context } from '../../src/context.ts'
import { clientOf, expectStatus, PASSWORD, uniqueEmail, type Answer, type Builders, type Client, type Workspace } from './builders.ts'
import { personRow } from './people.ts'

/** POST /events, of which every event must be taken. */
export async function track(app: Client, deviceId: string, events: object[]): Promise<Answer> {
  const answer = expectStatus(await app.post('/events', { deviceId, events }), 202)
  if (answer.data.dropped !== 0) throw new Error(answer.text)
  return answer
}

export const repeat = (count: number, event: object): object[] => Array.from({ length: count }, () => event)

/** Adds up everything that has arrived, also for people, hour over or not. */
export async function rollUp(operator: Builders['operator']): Promise<void> {
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'rollup' }), 200)
}

export type Counts = { impressions: number; clicks: number; dismissals: number; conversions: number; total: number }

/** GET /analytics/blocks/{key}. */
export async function countsOf({ admin }: Workspace, key: string, query = ''): Promise<Counts> {
  return expectStatus(await admin.get(`/analytics/blocks/${encodeURIComponent(key)}?${query}`), 200).data
}

/** A workspace, and how its admin signs in again when the clock has ended the first session. */
export async function workspaceOverTime({ workspace, url }: Builders & { url: string }) {
  const email = uniqueEmail()
  const ws = await workspace({ email })
  const signIn = async (): Promise<Client> => {
    const { token } = expectStatus(await clientOf(`${url}/api/v1`).post('/auth/login', { email, password: PASSWORD }), 200).data
    return clientOf(`${url}/api/v1`, { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id })
  }
  return { ...ws, signIn }
}

/** `behavioral` of a person. */
export async function behaviorOf(ctx: Context, ws: Workspace, id: string, environment?: 'live' | 'test'): Promise<Record<string, number>> {
  const row = await personRow(ctx, ws.id, id, environment)
  if (!row) throw new Error(`${id} is gone`)
  return row.behavioral as Record<string, number>
}
