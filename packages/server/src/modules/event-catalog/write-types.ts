/** Declares types of events, one or all at once; the events themselves are taken as they come. */
import { sizeFault, type DeclaredType } from '@contentflow/core/events/catalog/declared-type.ts'
import { planTypes, type TypesPlan } from '@contentflow/core/events/catalog/plan-types.ts'
import { canonicalJson } from '@contentflow/core/json/canonical-json.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { fail, failWith } from '../../errors.ts'
import type { Actor, Change } from '../../infra/change.ts'
import * as queries from './queries.ts'
import type { PropertyRow, TypeRow, WrittenProperty } from './queries.ts'
import { listDeclared } from './read-known.ts'

/** Of those that use a property, in a refusal. */
const REPORTS_NAMED = 10

/** Makes these the declared types of the workspace. A repeat writes nothing; `isDryRun` never does. */
export async function declareTypes(
  ctx: Context,
  by: Actor,
  wanted: readonly DeclaredType[],
  { isDryRun }: { isDryRun: boolean },
): Promise<TypesPlan> {
  if (isDryRun) return planTypes(await listDeclared(ctx.db, by.workspaceId), wanted)
  return ctx.change(by, async (change) => {
    await queries.lockCatalog(change.tx, change.workspaceId)
    const plan = planTypes(await listDeclared(change.tx, change.workspaceId), wanted)
    const names = new Set([...plan.created, ...plan.changed])
    await applyTypes(change, { written: wanted.filter(({ name }) => names.has(name)), undeclared: plan.undeclared })
    return plan
  })
}

/** Declares one type, or changes what is declared of it. A repeat writes nothing. */
export async function declareType(ctx: Context, by: Actor, type: DeclaredType): Promise<void> {
  await ctx.change(by, async (change) => {
    await queries.lockCatalog(change.tx, change.workspaceId)
    const current = await listDeclared(change.tx, change.workspaceId)
    const others = current.filter(({ name }) => name !== type.name)
    const fault = sizeFault([...others, type])
    if (fault !== undefined) failWith(400, fault)
    const isSame = current.some((each) => canonicalJson(each) === canonicalJson(type))
    await applyTypes(change, { written: isSame ? [] : [type], undeclared: [] })
  })
}

/** Undeclares a type; one that nobody declared is taken off the list, until it is declared. 404 for what is not in the catalogue. */
export async function undeclareType(ctx: Context, by: Actor, name: string): Promise<void> {
  await ctx.change(by, async (change) => {
    const { tx, workspaceId, now } = change
    await queries.lockCatalog(tx, workspaceId)
    const type = (await queries.findType(tx, workspaceId, name)) ?? failWith(404, 'event type not found')
    if (type.isDeclared) await applyTypes(change, { written: [], undeclared: [name] })
    else await queries.hideType(tx, workspaceId, type.id, now)
  })
}

/** In a change that holds the catalogue. Types that apps made up make room for declared ones. */
export async function applyTypes(
  change: Change,
  { written, undeclared }: { written: readonly DeclaredType[]; undeclared: readonly string[] },
): Promise<void> {
  if (written.length + undeclared.length === 0) return
  const { tx, workspaceId } = change
  const { lastId } = await queries.lockCatalog(tx, workspaceId)
  await makeRoom(change, written)
  const stored = new Map((await queries.listTypes(tx, workspaceId)).map((type) => [type.name, type]))
  const made = written
    .filter(({ name }) => !stored.has(name))
    .map(({ name, description, owner }, index): TypeRow => {
      return {
        id: lastId + index + 1,
        name,
        description,
        owner,
        isDeclared: true,
        firstSeen: null,
        lastSeen: null,
        hiddenAt: null,
        others: 0,
      }
    })
  await queries.insertTypes(tx, workspaceId, made)
  const idOf = new Map([...stored, ...made.map((type): [string, TypeRow] => [type.name, type])].map(([name, { id }]) => [name, id]))
  const changed = written.map(({ name, description, owner }) => ({ id: idOf.get(name) ?? 0, description, owner, isDeclared: true }))
  const ended = undeclared.flatMap((name) => stored.get(name) ?? [])
  await queries.updateDeclared(tx, workspaceId, [
    ...changed,
    ...ended.map(({ id }) => ({ id, description: '', owner: '', isDeclared: false })),
  ])
  await applyProperties(
    change,
    new Map([
      ...written.map(({ name, properties }): [number, DeclaredType['properties']] => [idOf.get(name) ?? 0, properties]),
      ...ended.map(({ id }): [number, DeclaredType['properties']] => [id, {}]),
    ]),
  )
  await queries.deleteTypes(
    tx,
    workspaceId,
    ended.flatMap(({ id, firstSeen }) => (firstSeen ? [] : [id])),
  )
  await queries.moveCatalog(tx, workspaceId, { lastId: lastId + made.length })
  change.emit({ kind: 'event-types', workspaceId })
}

async function makeRoom({ tx, workspaceId }: Change, written: readonly DeclaredType[]): Promise<void> {
  const stored = await queries.listTypes(tx, workspaceId)
  const names = new Set(stored.map(({ name }) => name))
  const wanted = new Set(written.map(({ name }) => name))
  const missing = stored.length + [...wanted].filter((name) => !names.has(name)).length - LIMITS.eventTypes
  if (missing <= 0) return
  const undeclared = stored.filter(({ isDeclared, name }) => !isDeclared && !wanted.has(name)).length
  if (undeclared < missing) fail('EVENT_TYPE_LIMIT')
  await queries.dropIdleTypes(tx, workspaceId, { most: missing, kept: [...wanted] })
}

/** Rows that differ are written; a property that is neither declared nor seen goes. What reports ask for anew is filled in of the past. */
async function applyProperties(
  { tx, workspaceId, now, nudge }: Change,
  wanted: ReadonlyMap<number, DeclaredType['properties']>,
): Promise<void> {
  const rows = await queries.listProperties(tx, workspaceId, [...wanted.keys()])
  const stored = new Map(rows.map((row) => [keyOf(row), row]))
  const gone: PropertyRow[] = []
  const written: WrittenProperty[] = []
  for (const row of rows) {
    const properties = wanted.get(row.typeId) ?? {}
    if (!row.declared || Object.hasOwn(properties, row.name)) continue
    if (row.firstSeen) written.push({ ...row, declared: null, use: 'none' })
    else gone.push(row)
  }
  for (const [typeId, properties] of wanted)
    for (const [name, declared] of Object.entries(properties)) {
      const before = stored.get(keyOf({ typeId, name }))
      if (before && canonicalJson(before.declared) === canonicalJson(declared)) continue
      const { kinds = [], firstSeen = null } = before ?? {}
      written.push({ typeId, name, kinds, declared, use: declared.use ?? 'none', firstSeen })
    }
  const changed = written.flatMap((row) => {
    const before = stored.get(keyOf(row))
    return before && before.use !== row.use ? [before] : []
  })
  await refuseUsed(tx, workspaceId, [...gone, ...changed])
  await queries.deleteProperties(tx, workspaceId, gone)
  await queries.writeProperties(tx, workspaceId, written, { isNewRule: true })
  if (!written.some((row) => row.use !== 'none' && row.use !== stored.get(keyOf(row))?.use)) return
  await queries.askForRefill(tx, workspaceId, now)
  nudge('refill')
}

/** What reports tell events apart by, or add up, stays so until they are changed. */
async function refuseUsed(tx: Db, workspaceId: string, lost: readonly PropertyRow[]): Promise<void> {
  const reports = await queries.listReportsUsing(
    tx,
    workspaceId,
    lost.filter(({ use }) => use !== 'none'),
  )
  if (reports.length === 0) return
  const named = reports.slice(0, REPORTS_NAMED).map((name) => JSON.stringify(name))
  fail('IN_USE', { message: `Reports use this property: ${named.join(', ')}; change or delete them first` })
}

function keyOf({ typeId, name }: Pick<PropertyRow, 'typeId' | 'name'>): string {
  return `${typeId} ${name}`
}
