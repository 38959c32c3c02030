import { canonicalJson } from '@contentflow/core/json/canonical-json.ts'
import { contentCode, readContent, type InstanceCode } from '@contentflow/core/as-code/instance-code.ts'
import type { InstanceContent } from '@contentflow/core/blocks/instance.ts'
import { failWith } from '../../../errors.ts'
import type { Change } from '../../../infra/change.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import { refuseRetired } from '../publication/carry-out.ts'
import { reviveInstance } from '../publication/deleted.ts'
import { dropInstance } from '../publication/drop-instance.ts'
import { contentOfRevision } from '../revisions/move-pointers.ts'
import { askForReview } from '../publication/reviews.ts'
import { pointerOf } from '../revisions/served.ts'
import * as queries from '../revisions/queries.ts'
import type { StoredDefinition } from '../revisions/queries.ts'
import { findInstance, type Instance } from '../revisions/queries-instances.ts'
import { insertDraft, saveContent, setPublished } from '../revisions/save-instance.ts'
import { listDeleted } from './queries-code.ts'

type Written = {
  /** Instances, sorted so that each comes after those that its collections hold. */
  written: readonly InstanceCode[]
  deleted: readonly string[]
  /** Whether publishing to live takes a second person. */
  isReviewed: boolean
}

/** Makes instances what a document says, by the ways the dashboard has: drafts, publishing, reviews, deleting for a while. */
export async function applyInstances(change: Change, { written, deleted, isReviewed }: Written): Promise<void> {
  const { tx, workspaceId } = change
  // Before anything is created, because an external id may move to another instance.
  for (const id of deleted) {
    const instance = await findInstance(tx, workspaceId, id)
    if (instance) await dropInstance(change, instance)
  }
  const dropped = await listDeleted(
    tx,
    workspaceId,
    written.map(({ id }) => id),
  )
  for (const code of written) await applyOne(change, code, { dropped: dropped.get(code.id), isReviewed })
}

async function applyOne(
  change: Change,
  code: InstanceCode,
  { dropped, isReviewed }: { dropped: Instance | undefined; isReviewed: boolean },
): Promise<void> {
  const { tx, workspaceId } = change
  const definition = await queries.getActiveDefinition(tx, workspaceId, code.block)
  const newest = contentIn(definition, code)
  const first = [code.live, code.test].find((served) => typeof served === 'object')
  let instance = dropped
    ? await bringBack(change, dropped, code)
    : ((await findInstance(tx, workspaceId, code.id)) ??
      (await insertDraft(
        change,
        definition,
        { id: code.id, externalId: code.externalId, content: first ? contentIn(definition, first) : newest },
        'create',
      )))
  for (const environment of ['live', 'test'] as const) {
    const served = code[environment]
    if (typeof served !== 'object' || (await isServed(change, definition, instance, { environment, content: served }))) continue
    instance = await saveContent(change, definition, instance, contentIn(definition, served), { source: 'edit', isDraft: true })
    instance = await serve(change, definition, instance, { environment, isReviewed })
  }
  instance = await saveContent(change, definition, instance, newest, { source: 'edit', isDraft: true })
  for (const environment of ['live', 'test'] as const) {
    if (code[environment] === true) instance = await serve(change, definition, instance, { environment, isReviewed })
    if (code[environment] === false) instance = await setPublished(change, definition, instance, { targets: [environment], revision: null })
  }
}

/** Brings a deleted instance back as a draft; the document is then applied to it. */
async function bringBack(change: Change, dropped: Instance, { id, block, externalId }: InstanceCode): Promise<Instance> {
  if (dropped.blockKey !== block) failWith(400, `document: instance ${JSON.stringify(id)} was a ${dropped.blockKey} before it was deleted`)
  return reviveInstance(change, { ...dropped, externalId })
}

/** Publishes the newest revision; where that takes a second person it is requested, and the instance stays a draft until then. */
async function serve(
  change: Change,
  definition: StoredDefinition,
  instance: Instance,
  { environment, isReviewed }: { environment: Environment; isReviewed: boolean },
): Promise<Instance> {
  if (pointerOf(instance, environment) === instance.version) return instance
  if (environment === 'test') await refuseRetired(change)
  if (environment === 'test' || !isReviewed) return setPublished(change, definition, instance, { targets: [environment] })
  await askForReview(change, instance, { action: 'publish', targets: ['live'], revision: instance.version })
  return instance
}

async function isServed(
  change: Change,
  { fields }: StoredDefinition,
  instance: Instance,
  { environment, content }: { environment: Environment; content: InstanceContent },
): Promise<boolean> {
  const revision = pointerOf(instance, environment)
  if (revision === null) return false
  const served = contentCode(fields, await contentOfRevision(change, instance, revision), () => true)
  return canonicalJson(served) === canonicalJson(content)
}

function contentIn({ fields }: StoredDefinition, code: InstanceContent): InstanceContent {
  const read = readContent(fields, code)
  return read.ok ? read.value : failWith(400, `document: ${read.error}`)
}
