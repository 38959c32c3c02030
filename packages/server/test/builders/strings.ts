/** Strings for tests, through the product's own routes. */
import { expectStatus, type Workspace } from './builders.ts'

/** POST /strings/sync, which must be answered 200 with success; its counts. */
export async function sync({ write }: Workspace, ...strings: object[]): Promise<any> {
  const { body, data } = expectStatus(await write.post('/strings/sync', { strings }), 200)
  if (body.success !== true) throw new Error(JSON.stringify(body))
  return data
}

/** `data` of GET /strings. */
export async function catalog({ app }: Workspace, locale?: string, namespace?: string): Promise<any> {
  const query = new URLSearchParams({ ...(locale !== undefined && { locale }), ...(namespace !== undefined && { namespace }) })
  return expectStatus(await app.get(`/strings?${query.toString()}`), 200).data
}

/** A workspace with these locales beside its source language. */
export async function addLocales({ admin }: Workspace, ...codes: string[]): Promise<void> {
  for (const code of codes) expectStatus(await admin.post('/locales', { code }), 201)
}

export const pathOf = (key: string) => `/strings/${encodeURIComponent(key)}`

/** Saves a translation in the editor, which leaves it in review. */
export async function save({ admin }: Workspace, key: string, locale: string, text: string): Promise<void> {
  expectStatus(await admin.put(`${pathOf(key)}/translations/${locale}`, { text }), 200)
}

export async function setSensor({ admin }: Workspace, key: string, enabled: boolean): Promise<void> {
  expectStatus(await admin.put(`${pathOf(key)}/sensor`, { enabled }), 200)
}
