/** Turns what the server sent into types that can be relied on. Malformed values that would break a reader are left out. */
import { asObject, isObject, type JsonObject } from './answer.ts'
import type { Block, Config, StringsCatalog } from '../types.ts'

/** C-STREAM-10, C-LIMIT-19: what holds until the server says otherwise. */
export const DEFAULTS: Config = { features: {}, pollIntervalSeconds: 30, popupDefaultFrequency: { per: 'day', max: 1 } }

/** The payload of GET /sync; undefined when it cannot be read. Unknown members stay as they are: a newer server may send more. */
export function readSync({ blocks, config }: JsonObject): { blocks: readonly Block[]; config: Config } | undefined {
  return Array.isArray(blocks) ? { blocks: readBlocks(blocks), config: { ...DEFAULTS, ...asObject(config) } } : undefined
}

export function readBlocks(blocks: readonly unknown[]): readonly Block[] {
  return blocks.filter(isBlock).map((block) => withChildren(block, readBlocks))
}

/** The block with something done to each of its collections. A list under a tag is one (C-BLK-42); other values are taken as they are. */
export function withChildren(block: Block, change: (children: readonly Block[]) => readonly Block[]): Block {
  const values = Object.entries(block.values).map(([tag, value]) => [tag, Array.isArray(value) ? change(value) : value])
  return { ...block, values: Object.fromEntries(values) }
}

/** The hidden form has no instance. */
function isBlock(value: unknown): value is Block {
  return isObject(value) && typeof value['key'] === 'string' && typeof value['instanceId'] === 'string' && isObject(value['values'])
}

/** The payload of GET /strings; undefined when it cannot be read. */
export function readCatalog({ locale, strings, smartKeys, withheldKeys, version }: JsonObject): StringsCatalog | undefined {
  if (typeof locale !== 'string' || !isObject(strings)) return undefined
  const texts = Object.fromEntries(Object.entries(strings).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  return { locale, strings: texts, smartKeys: textsOf(smartKeys), withheldKeys: textsOf(withheldKeys), version: String(version) }
}

/** The texts of a list. */
function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
