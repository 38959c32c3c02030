/** Instances as a document holds them: by the tags of their fields, with what is served where it is not the newest content. */
import { cutText } from '../cut-text.ts'
import type { Definition, Parsed } from '../blocks/definition.ts'
import { isPlainObject, type Field, type Json, type JsonObject } from '../blocks/field.ts'
import {
  applyPatch,
  listReferences,
  parseInstancePatch,
  publishFault,
  valuesByTag,
  type InstanceContent,
  type Translations,
} from '../blocks/instance.ts'
import { canonicalJson } from '../json/canonical-json.ts'
import { LIMITS } from '../limits.ts'

/** false: nothing is served; true: this content; else the content that is, while this one is a draft. */
export type ServedCode = boolean | InstanceContent
/** Named by its id, which collections hold. Values are keyed by tag. */
export type InstanceCode = { id: string; block: string; externalId: string | null } & InstanceContent & {
    live: ServedCode
    test: ServedCode
  }
export type FieldsByBlock = ReadonlyMap<string, readonly Field[]>

/** An instance of which nothing was said. */
const BLANK_CONTENT: InstanceContent = {
  title: '',
  seg: null,
  priority: 0,
  schedule: null,
  frequency: null,
  values: {},
  translations: {},
  variants: [],
}

const no = (error: string): { ok: false; error: string } => ({ ok: false, error })

export function fieldsByBlock(definitions: readonly Definition[]): FieldsByBlock {
  return new Map(definitions.map(({ key, fields }) => [key, fields]))
}

/** Content that is stored by field id, as a document has it. References to what is not there (`isThere`) are left out, as delivery does. */
export function contentCode(fields: readonly Field[], content: InstanceContent, isThere: (id: string) => boolean): InstanceContent {
  const { title, seg, priority, schedule, frequency } = content
  const collections = new Set(fields.filter(({ type }) => type === 'collection').map(({ tag }) => tag))
  const byTag = (values: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(valuesByTag(fields, values)).flatMap(([tag, value]): [string, Json][] => {
        if (value === '' || value === null) return []
        return [[tag, collections.has(tag) && Array.isArray(value) ? value.filter((id) => isThere(id as string)) : value]]
      }),
    )
  const translated = (translations: Translations): Translations =>
    Object.fromEntries(
      Object.keys(translations)
        .sort()
        .flatMap((locale) => {
          const values = byTag(translations[locale] ?? {})
          return Object.keys(values).length > 0 ? [[locale, values]] : []
        }),
    )
  return {
    title,
    seg,
    priority,
    schedule,
    frequency,
    values: byTag(content.values),
    translations: translated(content.translations),
    variants: content.variants.map(({ id, weight, values, translations }) => {
      const others = translated(translations ?? {})
      return { id, weight, values: byTag(values), ...(Object.keys(others).length > 0 && { translations: others }) }
    }),
  }
}

/** The content of a document by field id, checked against the fields of its type. */
export function readContent(fields: readonly Field[], entry: JsonObject, day?: string): Parsed<InstanceContent> {
  const patch = parseInstancePatch(entry, fields, day)
  return patch.ok ? { ok: true, value: applyPatch(BLANK_CONTENT, patch.value) } : patch
}

const MEMBERS: ReadonlySet<string> = new Set(['id', 'block', 'externalId', ...Object.keys(BLANK_CONTENT), 'live', 'test'])

export function readInstanceCode(entry: JsonObject, blocks: FieldsByBlock, day?: string): Parsed<InstanceCode> {
  const { id, block, externalId = null, live = false, test = false } = entry
  const unknown = Object.keys(entry).find((name) => !MEMBERS.has(name))
  if (unknown !== undefined) return no(`${cutText(unknown, 100)} is not a member of an instance`)
  if (typeof id !== 'string' || !/^[\w-]{1,40}$/.test(id)) return no('id must be 1 to 40 letters, digits, _ and -')
  const fields = typeof block === 'string' ? blocks.get(block) : undefined
  if (typeof block !== 'string' || !fields) return no('block must be the key of a block type that is there')
  const isName =
    externalId === null || (typeof externalId === 'string' && externalId !== '' && externalId.length <= LIMITS.externalIdLength)
  if (!isName) return no(`externalId must be a string of 1 to ${LIMITS.externalIdLength} characters, or null`)
  const content = readContent(fields, entry, day)
  if (!content.ok) return content
  const served: { live: ServedCode; test: ServedCode } = { live: false, test: false }
  for (const [name, sent] of [['live', live] as const, ['test', test] as const]) {
    const read = readServed(fields, content.value, sent, day)
    if (!read.ok) return no(`${name}: ${read.error}`)
    served[name] = read.value
  }
  return { ok: true, value: { id, block, externalId, ...inTags(fields, content.value), ...served } }
}

function readServed(fields: readonly Field[], content: InstanceContent, sent: Json, day?: string): Parsed<ServedCode> {
  if (sent === false) return { ok: true, value: false }
  if (sent !== true && !isPlainObject(sent)) return no('must be true, false, or the content that is served')
  const served: Parsed<InstanceContent> = sent === true ? { ok: true, value: content } : readContent(fields, sent, day)
  if (!served.ok) return served
  const fault = publishFault(fields, served.value)
  if (fault !== undefined) return no(`this cannot be served: ${fault}`)
  return { ok: true, value: sent === true ? true : inTags(fields, served.value) }
}

const inTags = (fields: readonly Field[], content: InstanceContent) => contentCode(fields, content, () => true)

/**
 * The instances so that each stands behind those its collections hold, or why that cannot be. External ids name one
 * instance of a type.
 */
export function orderInstances(instances: readonly InstanceCode[], blocks: FieldsByBlock): Parsed<InstanceCode[]> {
  const byId = new Map(instances.map((instance) => [instance.id, instance]))
  const taken = new Set<string>()
  const held = new Map<string, string[]>()
  for (const instance of instances) {
    const at = `instance ${JSON.stringify(instance.id)}`
    const name = JSON.stringify([instance.block, instance.externalId])
    if (instance.externalId !== null && taken.has(name)) return no(`${at}: another ${instance.block} has its externalId`)
    taken.add(name)
    const ids = new Set<string>()
    for (const { field, instanceId } of referencesOf(instance, blocks)) {
      const other = byId.get(instanceId)
      if (!other) return no(`${at}: ${field.tag} holds ${JSON.stringify(cutText(instanceId, 100))}, which is not in the document`)
      if (!field.allowedBlockKeys?.includes(other.block)) return no(`${at}: ${field.tag} may not hold a ${other.block}`)
      ids.add(instanceId)
    }
    held.set(instance.id, [...ids])
  }
  return inTurn(instances, held)
}

function inTurn(instances: readonly InstanceCode[], held: ReadonlyMap<string, readonly string[]>): Parsed<InstanceCode[]> {
  const done = new Map<string, InstanceCode>()
  for (let left = [...instances]; left.length > 0;) {
    const waiting = left.filter(({ id }) => held.get(id)?.some((other) => !done.has(other)))
    if (waiting.length === left.length) return no(`instances ${left.map(({ id }) => id).join(', ')} hold each other in a circle`)
    const ids = new Set(waiting.map(({ id }) => id))
    for (const instance of left) if (!ids.has(instance.id)) done.set(instance.id, instance)
    left = waiting
  }
  return { ok: true, value: [...done.values()] }
}

function referencesOf({ live, test, ...newest }: InstanceCode, blocks: FieldsByBlock) {
  const fields = (blocks.get(newest.block) ?? []).map((field) => ({ ...field, id: field.tag }))
  return [newest, ...[live, test].filter((served) => typeof served === 'object')].flatMap((content) => listReferences(fields, content))
}

/** Whether what this environment is served becomes another. */
export function isServedAnew(before: InstanceCode | undefined, after: InstanceCode | undefined, environment: 'live' | 'test'): boolean {
  const next = after && servedContent(after, environment)
  return next !== undefined && canonicalJson(next) !== canonicalJson(before && servedContent(before, environment))
}

function servedContent(instance: InstanceCode, environment: 'live' | 'test'): InstanceContent | undefined {
  const served = instance[environment]
  if (served === false) return undefined
  const { title, seg, priority, schedule, frequency, values, translations, variants } = served === true ? instance : served
  return { title, seg, priority, schedule, frequency, values, translations, variants }
}
