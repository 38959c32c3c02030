import type { Block, BlockField } from '../types.ts'

/** A block as it would be delivered, of its type and values; what else it has may be named. Types of fields follow from tags and values. */
export function testBlock(
  key: string,
  values: Readonly<Record<string, unknown>> = {},
  more: Partial<Omit<Block, 'key' | 'values'>> = {},
): Block {
  const fields = Object.entries(values).map(([tag, value]): BlockField => ({ tag, type: typeOf(tag, value) }))
  return { key, name: key, screen: '', instanceId: `${key}-1`, version: 1, values, fields, visible: true, ...more }
}

function typeOf(tag: string, value: unknown): string {
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'toggle'
  if (Array.isArray(value)) return 'collection'
  if (/url$|link$/.test(tag)) return 'url'
  return /image$|picture$|icon$/.test(tag) ? 'image' : 'text'
}
