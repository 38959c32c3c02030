import { applyPatch, type InstanceContent } from '@contentflow/core/blocks/instance.ts'
import {
  planManifest,
  resolveSeedReferences,
  type EntryError,
  type ManifestPlan,
  type Seed,
  type SeedStatus,
} from '@contentflow/core/blocks/plan-manifest.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { ApiError, ERRORS, failWith } from '../../errors.ts'
import type { Environment, Tell } from '../../infra/signals.ts'
import { archiveDefinitions, declaredOver, upsertDefinition } from './definitions.ts'
import * as queries from './queries.ts'
import * as instanceQueries from './queries-instances.ts'
import type { StoredDefinition } from './queries.ts'
import type { Instance } from './queries-instances.ts'
import { draftContent, insertDraft, readPatch, refuseUnpublishable, saveContent, setPublished, type Maker } from './save-instance.ts'

export type SyncReport = {
  created: string[]
  updated: string[]
  unchanged: string[]
  archived: string[]
  errors: EntryError[]
  instances: { created: number; updated: number }
}

/** Declares the complete set of block types: what the manifest does not name is archived, whatever `prune` says (M-SYNC-04, M-SYNC-05). */
export async function syncManifest(ctx: Context, workspaceId: string, body: unknown, keyId: string): Promise<SyncReport> {
  const planned = planManifest(body)
  if (!planned.ok) failWith(400, planned.error)
  const { plan } = planned
  return ctx.signals.transact(async (tx, tell) => {
    await queries.lockContent(tx, workspaceId)
    const report: SyncReport = {
      created: [],
      updated: [],
      unchanged: [],
      archived: [],
      errors: plan.errors,
      instances: { created: 0, updated: 0 },
    }
    const stored = new Map((await queries.listDefinitions(tx, workspaceId)).map((definition) => [definition.key, definition]))
    for (const definition of plan.definitions) {
      const before = stored.get(definition.key)
      const outcome = await upsertDefinition(ctx, tx, tell, workspaceId, declaredOver(definition, before), before)
      report[outcome].push(definition.key)
    }
    report.archived = [...stored.values()].filter(({ key, archivedAt }) => !archivedAt && !plan.named.has(key)).map(({ key }) => key)
    await archiveDefinitions(ctx, tx, tell, workspaceId, report.archived)
    if (plan.seeds.length > 0) await new Seeder(ctx, tx, tell, workspaceId, { id: keyId, source: 'manifest' }, report).run(plan)
    report.errors.sort((a, b) => a.index - b.index)
    return report
  })
}

/** Writes the seeded instances of one manifest. It holds what is stored, so that a repeat of the manifest reads once and writes nothing. */
class Seeder {
  readonly #ctx: Context
  readonly #tx: Db
  readonly #tell: Tell
  readonly #workspaceId: string
  readonly #maker: Maker
  readonly #report: SyncReport
  readonly #instances: Instance[] = []
  readonly #definitions = new Map<string, StoredDefinition>()

  constructor(ctx: Context, tx: Db, tell: Tell, workspaceId: string, maker: Maker, report: SyncReport) {
    this.#ctx = ctx
    this.#tx = tx
    this.#tell = tell
    this.#workspaceId = workspaceId
    this.#maker = maker
    this.#report = report
  }

  /** A seed may name one that stands later in the manifest: those that fail are tried again while others succeed. */
  async run(plan: ManifestPlan): Promise<void> {
    this.#instances.push(...(await instanceQueries.listAllInstances(this.#tx, this.#workspaceId)))
    for (const definition of await queries.listDefinitions(this.#tx, this.#workspaceId)) this.#definitions.set(definition.key, definition)
    let waiting = plan.seeds
    for (;;) {
      const failed: { seed: Seed; error: string }[] = []
      for (const seed of waiting) {
        const error = await this.#tryOne(seed)
        if (error !== undefined) failed.push({ seed, error })
      }
      if (failed.length === 0) return
      if (failed.length === waiting.length) {
        for (const { seed, error } of failed)
          this.#report.errors.push({
            index: seed.index,
            key: seed.blockKey,
            error: `instance ${seed.externalId ?? (seed.title || 'without a title')}: ${error}`,
          })
        return
      }
      waiting = failed.map(({ seed }) => seed)
    }
  }

  /** The fault of a seed that cannot be stored; nothing of it is then written. */
  async #tryOne(seed: Seed): Promise<string | undefined> {
    const definition = this.#definitions.get(seed.blockKey)
    if (!definition) return 'its block type is not active'
    try {
      await this.#store(seed, definition)
      return undefined
    } catch (error) {
      if (error instanceof ApiError && error.status === 400) return error.message
      throw error
    }
  }

  async #store(seed: Seed, definition: StoredDefinition): Promise<void> {
    const found = this.#find(seed)
    // Without an externalId a seed is made once, by its title, and never touched again (G-36).
    if (found && seed.externalId === null) return
    const { name: _, ...body } = resolveSeedReferences(seed.body, definition, (keys, externalId) => this.#idOf(keys, externalId))
    const patch = readPatch(body, definition)
    const content = found ? applyPatch(found, patch) : await draftContent(this.#tx, this.#workspaceId, definition, patch)
    const status = seed.status ?? (found ? undefined : 'draft')
    // Judged before anything of the seed is written.
    if (status === 'live' || status === 'test') refuseUnpublishable(definition, content)
    if (status === 'test' && !found?.testPublishedAt && (await queries.isTestRetired(this.#tx, this.#workspaceId)))
      failWith(400, ERRORS.TEST_ENV_RETIRED[1])
    const saved = found ? await this.#save(definition, found, content) : await this.#insert(definition, seed, content)
    const instance = await this.#setStatus(definition, saved, status)
    if (!found) {
      this.#report.instances.created++
      this.#instances.push(instance)
    } else if (instance !== found) {
      this.#report.instances.updated++
      this.#instances.splice(this.#instances.indexOf(found), 1, instance)
    }
  }

  #insert(definition: StoredDefinition, { externalId }: Seed, content: InstanceContent): Promise<Instance> {
    return insertDraft(this.#ctx, this.#tx, this.#workspaceId, definition, { externalId, content }, this.#maker)
  }

  #save(definition: StoredDefinition, found: Instance, content: InstanceContent): Promise<Instance> {
    return saveContent(this.#ctx, this.#tx, this.#tell, this.#workspaceId, definition, found, content, this.#maker)
  }

  async #setStatus(definition: StoredDefinition, instance: Instance, status: SeedStatus | undefined): Promise<Instance> {
    if (status === undefined) return instance
    const set = (targets: readonly Environment[], isPublished: boolean) =>
      setPublished(this.#ctx, this.#tx, this.#tell, this.#workspaceId, definition, instance, targets, isPublished)
    return status === 'draft' ? set(['live', 'test'], false) : set([status], true)
  }

  #find(seed: Seed): Instance | undefined {
    return this.#instances.find(
      (instance) =>
        instance.blockKey === seed.blockKey &&
        (seed.externalId === null ? instance.title === (seed.title ?? '') : instance.externalId === seed.externalId),
    )
  }

  #idOf(blockKeys: readonly string[], externalId: string): string | undefined {
    return this.#instances.find((instance) => instance.externalId === externalId && blockKeys.includes(instance.blockKey))?.id
  }
}
