/** The workspace as one document, through its own routes. */
import assert from 'node:assert/strict'
import { expectStatus, type Answer, type Client, type Workspace } from './builders.ts'

export const exported = async (ws: Workspace, only?: string) =>
  expectStatus(await ws.admin.get(`/workspace/code${only === undefined ? '' : `?only=${only}`}`), 200)
export const plan = async (by: Client, document: object, prune?: string[]) =>
  expectStatus(await by.post('/workspace/code/plan', { document, prune }), 200).data as {
    version: string
    changes: any[]
    kept: { kind: string; key: string }[]
  }
export const applyPlanned = (by: Client, document: object, version: string, prune?: string[]): Promise<Answer> =>
  by.post('/workspace/code/apply', { document, version, prune })

/** What was planned, and done. */
export async function apply(ws: Workspace, document: object, prune?: string[]): Promise<any[]> {
  const { version, changes } = await plan(ws.admin, document, prune)
  const done = expectStatus(await applyPlanned(ws.admin, document, version, prune), 200).data.changes
  assert.deepEqual(
    done,
    changes.map(({ kind, key, change, members }) => ({ kind, key, change, members })),
  )
  return changes
}

export const told = (changes: readonly { kind: string; key: string; change: string }[]) =>
  changes.map(({ kind, key, change }) => `${change} ${kind} ${key}`)

/** Exported, applied to `to`, which is empty, and exported once more: the same bytes, and nothing left to do. Says what was done. */
export async function carry(from: Workspace, to: Workspace, only?: string): Promise<any[]> {
  const first = await exported(from, only)
  assert.deepEqual((await plan(from.admin, first.data)).changes, [])
  const changes = await apply(to, first.data)
  assert.equal((await exported(to, only)).text, first.text)
  assert.deepEqual((await plan(to.admin, first.data)).changes, [])
  return changes
}

/** A plan that is refused with this text, and changes nothing. */
export async function refused(ws: Workspace, document: object, error: RegExp): Promise<void> {
  const before = (await exported(ws)).text
  assert.match(expectStatus(await ws.admin.post('/workspace/code/plan', { document }), 400).body.error, error)
  assert.equal((await applyPlanned(ws.admin, document, 'a'.repeat(64))).status, 400)
  assert.equal((await exported(ws)).text, before)
}

/** 409 of what was planned before `meanwhile`, and nothing of it is done. */
export async function stale(ws: Workspace, document: object, meanwhile: () => Promise<unknown>): Promise<void> {
  const { version } = await plan(ws.admin, document)
  await meanwhile()
  const before = (await exported(ws)).text
  const late = await applyPlanned(ws.admin, document, version)
  assert.deepEqual([late.status, late.body.code], [409, 'WORKSPACE_CHANGED'])
  assert.equal((await exported(ws)).text, before)
}
