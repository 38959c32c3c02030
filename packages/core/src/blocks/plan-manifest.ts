import { LIMITS } from '../limits.ts'
import { blockKeyFault, parseDefinition, type Definition } from './definition.ts'
import { isPlainObject, type Json, type JsonObject } from './field.ts'

export type EntryError = { index: number; key: string | null; error: string }
/** One `instances[]` entry of a manifest; its content is read against the definition later. */
export type SeedInstance = {
  index: number
  blockKey: string
  externalId: string | null
  title: string | undefined
  status: SeedStatus | undefined
  body: JsonObject
}
export type SeedStatus = 'draft' | 'live' | 'test'
export type ManifestPlan = {
  definitions: Definition[]
  seeds: SeedInstance[]
  /** Keys the manifest names, valid or not: none of these is archived (M-SYNC-12). */
  named: ReadonlySet<string>
  /** Where in the manifest each of the definitions stands, by its key. */
  places: ReadonlyMap<string, number>
  errors: EntryError[]
}

/**
 * Reads a whole manifest (M-SYNC). A fault in one entry is reported for it and the rest lands; what makes the
 * manifest as a whole unusable is the returned `error`, and nothing may then be written.
 */
export function planManifest(input: unknown): { ok: true; plan: ManifestPlan } | { ok: false; error: string } {
  if (!isPlainObject(input)) return { ok: false, error: 'the manifest must be a JSON object {blocks: [...]}' }
  const blocks = input['blocks'] === undefined ? input['cards'] : input['blocks']
  const mayBeEmpty = input['prune'] === true
  if (blocks !== undefined && !Array.isArray(blocks)) return { ok: false, error: 'blocks must be an array of block definitions' }
  const entries = blocks ?? []
  if (entries.length > LIMITS.definitionsPerManifest)
    return { ok: false, error: `blocks must have at most ${LIMITS.definitionsPerManifest} entries` }
  if (entries.length === 0 && !mayBeEmpty)
    return { ok: false, error: 'the manifest names no block type; send prune: true to archive every block type' }
  const plan = planEntries(entries)
  if (plan.definitions.length === 0 && !mayBeEmpty)
    return { ok: false, error: `the manifest names no valid block type: ${plan.errors[0]?.error ?? ''}` }
  return { ok: true, plan }
}

/** Without what only the store can show to be at fault, by key: reported as any other fault of an entry, and its seeds are left out with it. */
export function withoutEntries(plan: ManifestPlan, faults: ReadonlyMap<string, string>): ManifestPlan {
  const errors = [...faults].map(([key, error]): EntryError => ({ index: plan.places.get(key) ?? 0, key, error }))
  return {
    ...plan,
    definitions: plan.definitions.filter(({ key }) => !faults.has(key)),
    seeds: plan.seeds.filter(({ blockKey }) => !faults.has(blockKey)),
    errors: [...plan.errors, ...errors],
  }
}

function planEntries(entries: readonly Json[]): ManifestPlan {
  const named = new Set<string>()
  const taken = new Set<string>()
  const places = new Map<string, number>()
  const plan: ManifestPlan = { definitions: [], seeds: [], named, places, errors: [] }
  for (const [index, entry] of entries.entries()) {
    const key = isPlainObject(entry) && typeof entry['key'] === 'string' ? entry['key'] : null
    const parsed = parseDefinition(entry)
    if (!parsed.ok) plan.errors.push({ index, key, error: parsed.error })
    else if (taken.has(parsed.value.key)) plan.errors.push({ index, key, error: 'key is named twice in this manifest' })
    else {
      taken.add(parsed.value.key)
      plan.definitions.push(parsed.value)
      places.set(parsed.value.key, index)
      planSeeds(plan, index, parsed.value.key, entry as JsonObject)
    }
    if (key !== null && blockKeyFault(key) === undefined) named.add(key)
  }
  return plan
}

function planSeeds(plan: ManifestPlan, index: number, blockKey: string, entry: JsonObject): void {
  const seeds = entry['instances'] ?? entry['items'] ?? []
  const report = (error: string) => void plan.errors.push({ index, key: blockKey, error })
  if (!Array.isArray(seeds)) return report('instances must be an array')
  const told = new Set<string>()
  for (const [position, seed] of seeds.entries()) {
    const where = `instances[${position}]`
    if (!isPlainObject(seed)) {
      report(`${where} must be an object`)
      continue
    }
    const { externalId, status, ...body } = seed
    const word = seedStatus(status)
    const title = typeof body['title'] === 'string' ? body['title'] : undefined
    // What a later run finds the instance by; two seeds with the same one would be one instance. Those without either are told apart by their number.
    const identity = externalId == null && !title ? undefined : JSON.stringify(externalId ?? [title])
    if (externalId != null && (typeof externalId !== 'string' || externalId === '' || externalId.length > LIMITS.externalIdLength))
      report(`${where}.externalId must be a non-empty string of at most ${LIMITS.externalIdLength} characters`)
    else if (identity !== undefined && told.has(identity))
      report(`${where} has the same externalId, or without one the same title, as an entry before it`)
    else if (word === null) report(`${where}.status must be draft, published, live or test`)
    else {
      plan.seeds.push({ index, blockKey, externalId: externalId ?? null, title, status: word, body })
      if (identity !== undefined) told.add(identity)
    }
  }
}

/** The words of G-36; undefined when none is given, null when it is another word. */
function seedStatus(word: Json | undefined): SeedStatus | undefined | null {
  if (word == null) return undefined
  if (word === 'published' || word === 'live') return 'live'
  return word === 'draft' || word === 'test' ? word : null
}

/** In a seed a collection may name other seeds by `externalId`, because ids are not known before they are made. */
export function resolveSeedReferences(
  body: JsonObject,
  definition: Pick<Definition, 'fields'>,
  idOf: (blockKeys: readonly string[], externalId: string) => string | undefined,
): JsonObject {
  const values = body['values']
  const collections = definition.fields.filter((field) => field.type === 'collection')
  if (!isPlainObject(values) || collections.length === 0) return body
  const resolved = Object.entries(values).map(([tag, value]): [string, Json] => {
    const field = collections.find((collection) => collection.tag === tag)
    if (!field || !Array.isArray(value)) return [tag, value]
    return [tag, value.map((item) => (typeof item === 'string' ? (idOf(field.allowedBlockKeys ?? [], item) ?? item) : item))]
  })
  return { ...body, values: Object.fromEntries(resolved) }
}
