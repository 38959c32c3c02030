import { randomUUID } from 'node:crypto'
import type { LinkSchemes } from '@contentflow/core/blocks/links/link-schemes.ts'
import type { WorkspaceCalendar } from '@contentflow/core/calendar/workspace-calendar.ts'
import { nextHoldout, type Holdout, type HoldoutChoice } from '@contentflow/core/experiments/holdout.ts'
import { allFeatures, type FeatureName, type Features } from '@contentflow/core/features.ts'
import { allProtections, type Protections } from '@contentflow/core/protections.ts'
import type { Context } from '../../context.ts'
import { fail, failWith } from '../../errors.ts'
import type { Change, Actor } from '../../infra/change.ts'
import { copyDefinitions, touchContent } from '../content/index.ts'
import { planReading } from '../holdout/index.ts'
import { forgetLinkSchemes } from '../links/index.ts'
import { copyMails } from '../mails/index.ts'
import { copySegments } from '../segments/index.ts'
import { copyStrings } from '../strings/index.ts'
import { copyTopics } from '../topics/index.ts'
import { insertEmptyWorkspace, refuseTooManyWorkspaces } from './accounts/accounts.ts'
import { copyMembers } from './accounts/members/queries-members.ts'
import { copyRoles } from './accounts/members/queries-roles.ts'
import * as queries from './queries.ts'
import type { SettingsRow } from './queries.ts'

/** G-07. The answer and the stream tell clients at once. */
export async function setFeatures(ctx: Context, by: Actor, switches: Partial<Record<FeatureName, boolean>>): Promise<Features> {
  return ctx.change(by, async (change) => {
    const { features } = await queries.lockSettings(change.tx, change.workspaceId)
    return saveFeatures(change, { ...(features as Partial<Features>), ...switches })
  })
}

export async function saveFeatures(change: Change, features: Partial<Features>): Promise<Features> {
  await saveSettings(change, { features: JSON.stringify(features) })
  touchContent(change, ['live', 'test'], 'config.updated')
  return allFeatures(features)
}

/** What guards people and content beyond the documents. Processes that serve the workspace hear of it before this resolves. */
export async function setProtections(ctx: Context, by: Actor, switches: Partial<Protections>): Promise<Protections> {
  return ctx.change(by, async (change) => {
    const row = await queries.lockSettings(change.tx, change.workspaceId)
    const protections = { ...(row.protections as Partial<Protections>), ...switches }
    await saveSettings(change, { protections: JSON.stringify(protections) })
    return allProtections(protections)
  })
}

/** Which links are taken that are written from now on. Clients are told of nothing; links that are filled for a person are judged anew. */
export async function setLinkSchemes(ctx: Context, by: Actor, schemes: LinkSchemes): Promise<void> {
  await ctx.change(by, async (change) => {
    await queries.lockSettings(change.tx, change.workspaceId)
    await saveLinkSchemes(change, schemes)
  })
}

export async function saveLinkSchemes(change: Change, schemes: LinkSchemes): Promise<void> {
  forgetLinkSchemes(change)
  await saveSettings(change, { link_schemes: schemes && JSON.stringify(schemes) })
  touchContent(change, ['live', 'test'], null)
}

/** Who gets no messages from its start on. Clients are told of nothing; what they are shown is judged anew. */
export async function setHoldout(ctx: Context, by: Actor, choice: HoldoutChoice): Promise<Holdout> {
  return ctx.change(by, async (change) => {
    const { holdout } = await queries.lockSettings(change.tx, change.workspaceId)
    return saveHoldout(change, holdout as Holdout | null, choice)
  })
}

/** `before`: of the row, which is held. */
export async function saveHoldout(change: Change, before: Holdout | null, choice: HoldoutChoice): Promise<Holdout> {
  const next = nextHoldout(before, choice, randomUUID(), change.now.getTime())
  await saveSettings(change, { holdout: JSON.stringify(next) })
  await planReading(change, next)
  touchContent(change, ['live'], null)
  return next
}

/** Switching derived keys off needs a live publishable key, or the apps of the workspace would have none (G-10). */
export async function refuseWithoutLiveKey({ tx, workspaceId }: Change): Promise<void> {
  const keys = await queries.listKeys(tx, workspaceId, ['publishable'])
  if (!keys.some((key) => key.environment === 'live')) fail('LIVE_PUBLISHABLE_KEY_REQUIRED')
}

export async function setKeyPolicy(ctx: Context, by: Actor, derivedKeysEnabled: boolean): Promise<void> {
  await ctx.change(by, async (change) => {
    const { tx, workspaceId } = change
    await queries.lockSettings(tx, workspaceId)
    if (!derivedKeysEnabled) await refuseWithoutLiveKey(change)
    await saveSettings(change, { derived_keys_enabled: derivedKeysEnabled })
  })
}

/**
 * G-11: a workspace of its own with the same members, block types, segments, locales, strings, mails of the library and topics,
 * which then serves the parent's test keys.
 */
export async function createSandbox(ctx: Context, by: Actor): Promise<{ workspaceId: string; name: string }> {
  return ctx.change(by, async (change) => {
    const { tx, workspaceId, now } = change
    const parent = await queries.lockSettings(tx, workspaceId)
    if (parent.sandbox_id) failWith(409, 'This workspace has a sandbox')
    if (parent.is_sandbox) fail('SANDBOX_NESTED')
    // One that is unlinked stays a workspace, so making and unlinking them is opening workspaces.
    await refuseTooManyWorkspaces(ctx, tx, by.actor)
    const sandbox = await insertEmptyWorkspace(ctx, tx, {
      name: `${parent.name} (sandbox)`,
      sourceLocale: parent.source_locale,
      isSandbox: true,
      calendar: parent.calendar as WorkspaceCalendar | null,
      openedBy: by.actor,
    })
    await copyRoles(tx, workspaceId, sandbox.id, now)
    await copyMembers(tx, workspaceId, sandbox.id, now)
    await copyDefinitions(tx, workspaceId, sandbox.id, now)
    await copySegments(tx, workspaceId, sandbox.id, now)
    await copyStrings(tx, workspaceId, sandbox.id, now)
    await copyMails(tx, workspaceId, sandbox.id, change)
    await copyTopics(tx, workspaceId, sandbox.id, now)
    const schemes = parent.link_schemes as LinkSchemes
    const guards = {
      protections: JSON.stringify(parent.protections),
      link_schemes: schemes && JSON.stringify(schemes),
      brand: parent.brand === null ? null : JSON.stringify(parent.brand),
      // Of whom something is counted is a promise to people, who may be tested with there too.
      message_tracking: parent.message_tracking === null ? null : JSON.stringify(parent.message_tracking),
      preference_page: parent.preference_page === null ? null : JSON.stringify(parent.preference_page),
    }
    await queries.updateSettings(tx, sandbox.id, guards, now)
    await saveSettings(change, { sandbox_id: sandbox.id })
    return { workspaceId: sandbox.id, name: sandbox.name }
  })
}

/** The sandbox stays as a workspace; it only serves the parent's test keys no longer. */
export async function unlinkSandbox(ctx: Context, by: Actor): Promise<void> {
  const settings = await queries.getSettings(ctx.db, by.workspaceId)
  if (!settings.sandbox_id) failWith(404, 'This workspace has no sandbox')
  await changeSettings(ctx, by, { sandbox_id: null })
}

export async function findSandbox(ctx: Context, workspaceId: string): Promise<{ workspaceId: string; name: string } | null> {
  const { sandbox_id } = await queries.getSettings(ctx.db, workspaceId)
  const sandbox = sandbox_id && (await queries.getSettings(ctx.db, sandbox_id))
  return sandbox ? { workspaceId: sandbox.id, name: sandbox.name } : null
}

/** Whether a write with a test key of this workspace has somewhere to go, asked of the database each time (C-SBX-10, C-SBX-11). */
export async function confirmTestRoute(ctx: Context, workspaceId: string): Promise<'open' | 'sandbox-required'> {
  ctx.faults.check('sandbox_route')
  const settings = await queries.getSettings(ctx.db, workspaceId)
  return settings.test_retired && !settings.is_sandbox && !settings.sandbox_id ? 'sandbox-required' : 'open'
}

export async function changeSettings(ctx: Context, by: Actor, settings: queries.SettingsChange): Promise<SettingsRow> {
  return ctx.change(by, (change) => saveSettings(change, settings))
}

/** What the audit log calls each setting: as its route does. The others are of the workspace itself. */
const AUDITED_AS: Partial<Record<keyof queries.SettingsChange, string>> = {
  derived_keys_enabled: 'sdk-key-policy',
  test_retired: 'test-environment',
  sandbox_id: 'sandbox',
  features: 'features',
  protections: 'protections',
  link_schemes: 'link-schemes',
  identity_verification: 'identity-verification',
  calendar: 'calendar',
  web_address: 'web-address',
  brand: 'brand',
  message_tracking: 'message-tracking',
  preference_page: 'preference-page',
  holdout: 'holdout',
}

/** One entry for each setting, and one for the workspace with all that it is given. */
function auditSettings(
  change: Change,
  columns: readonly (keyof queries.SettingsChange)[],
  { before, after }: { before: SettingsRow; after: SettingsRow },
): void {
  const ofWorkspace = columns.filter((column) => AUDITED_AS[column] === undefined)
  const part = (row: SettingsRow) => Object.fromEntries(ofWorkspace.map((column) => [column, row[column]]))
  if (ofWorkspace.length > 0) change.audited('workspace', change.workspaceId, part(before), part(after))
  for (const column of columns) {
    const name = AUDITED_AS[column]
    if (name !== undefined) change.audited('setting', name, stateOf(column, before), stateOf(column, after))
  }
}

/** Of an object its members, so that the log names them; of anything else the value under its name. */
function stateOf(column: keyof queries.SettingsChange, row: SettingsRow): unknown {
  const value: unknown = row[column]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { [column]: value }
}

/** G-02, G-93. What became due while it rested goes on at once. */
export async function setSuspended(ctx: Context, by: Actor, suspended: boolean): Promise<SettingsRow> {
  return ctx.change(by, async (change) => {
    if (!suspended) for (const kind of ctx.due.restingKinds()) change.nudge(kind)
    const row = await saveSettings(change, { suspended })
    // Its sandbox rests with it: processes look at the keys of that again too.
    if (row.sandbox_id) await saveSettings({ ...change, workspaceId: row.sandbox_id }, {})
    return row
  })
}

/** Every process reads the settings again; also for what lies beside the row, such as keys. */
export async function saveSettings(change: Change, settings: queries.SettingsChange): Promise<SettingsRow> {
  const { tx, workspaceId, now, emit } = change
  emit({ kind: 'settings', workspaceId })
  const changed = Object.keys(settings) as (keyof queries.SettingsChange)[]
  const before = changed.length > 0 ? await queries.lockSettings(tx, workspaceId) : undefined
  const after = await queries.updateSettings(tx, workspaceId, settings, now)
  if (before) auditSettings(change, changed, { before, after })
  return after
}
