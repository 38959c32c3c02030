/** Loads of enrichment for tests, through the routes. */
import assert from 'node:assert/strict'
import { expectStatus, type Client, type Workspace } from './builders.ts'

export const mappingOf = (names: Record<string, string>, more: object = {}, type = 'userId') => ({
  identity: { column: 'id', type },
  columns: Object.entries(names).map(([name, type]) => ({ column: name, name, type })),
  ...more,
})

export type Begun = { mapping?: object; headers?: string[]; type?: string; more?: object; names?: Record<string, string> }

/** An import with a column `id` and one for each attribute; its id. */
export async function begin(admin: Client, { names = { a: 'string' }, type, mapping, headers, more = {} }: Begun = {}): Promise<string> {
  const body = {
    fileName: 'people.csv',
    headers: headers ?? ['id', ...Object.keys(names)],
    mapping: mapping ?? mappingOf(names, {}, type),
    ...more,
  }
  return expectStatus(await admin.post('/enrichment/imports', body), 201).data.importId
}

export const stage = async (admin: Client, id: string, rows: unknown[][], startRow = 1) =>
  expectStatus(await admin.post(`/enrichment/imports/${id}/rows`, { startRow, rows }), 200).data

/** Asks until the import has left the states in which it is worked on. */
export async function settled(admin: Client, id: string): Promise<any> {
  for (let asked = 0; asked < 1_000; asked++) {
    const { data } = expectStatus(await admin.get(`/enrichment/imports/${id}`), 200)
    if (data.status !== 'matching' && data.status !== 'committing') return data
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return assert.fail(`import ${id} is not settled`)
}

export async function match(admin: Client, id: string): Promise<any> {
  expectStatus(await admin.post(`/enrichment/imports/${id}/match`), 202)
  return settled(admin, id)
}

export async function commit(admin: Client, id: string, body: object = {}): Promise<any> {
  expectStatus(await admin.post(`/enrichment/imports/${id}/commit`, body), 202)
  return settled(admin, id)
}

/** An import that is matched and waits to be committed; its id. */
export async function ready(admin: Client, rows: unknown[][], begun: Begun = {}): Promise<string> {
  const id = await begin(admin, begun)
  await stage(admin, id, rows)
  await match(admin, id)
  return id
}

/** What the dry run says of these rows. */
export async function reasonsOf(ws: Workspace, rows: unknown[][], begun: Begun = {}): Promise<any> {
  const id = await begin(ws.admin, begun)
  await stage(ws.admin, id, rows)
  return match(ws.admin, id)
}

/** From rows to committed values; the id of the import. */
export async function load(admin: Client, rows: unknown[][], begun: Begun = {}): Promise<string> {
  const id = await ready(admin, rows, begun)
  assert.equal((await commit(admin, id)).status, 'committed')
  return id
}

export const upload = async (admin: Client, records: object[], more: object = {}) =>
  expectStatus(await admin.post('/enrichment/upload', { sourceRef: 'batch', records, ...more }), 201).data

/** The values that hold of somebody, by name. */
export async function valuesOf(ws: Workspace, userId: string): Promise<Record<string, unknown>> {
  const { values } = expectStatus(await ws.admin.get(`/users/${userId}/enrichment`), 200).data
  return Object.fromEntries(
    values.filter(({ standing }: { standing: string }) => standing === 'holds').map(({ name, value }: any) => [name, value]),
  )
}

/** Loads these people, as a back office does. */
export const contacts = async (ws: Workspace, list: object[]) =>
  expectStatus(await ws.admin.post('/users/bulk/contacts', { contacts: list }), 200)

export const users = async (ws: Workspace, ...ids: string[]) =>
  contacts(
    ws,
    ids.map((userId) => ({ userId })),
  )

/** Of everybody of whom this holds; its id. */
export async function segment(ws: Workspace, name: string, field: string, operator: string, value?: unknown): Promise<string> {
  const rules = [{ field, operator, ...(value !== undefined && { value }) }]
  return expectStatus(await ws.admin.post('/segments', { name, logicalOperator: 'AND', rules }), 201).data.id
}

export const membersOf = async (ws: Workspace, id: string): Promise<string[]> =>
  expectStatus(await ws.admin.get(`/segments/${id}/members`), 200).data.userIds.sort()
