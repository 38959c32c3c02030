import type { Format } from '../../format.ts'
import type { useTexts } from './texts.ts'

/** A value as people read it. Texts stay as they are, dates among them: they are what rules compare with. */
export function wordsOfValue(value: unknown, t: ReturnType<typeof useTexts>, format: Format): string {
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  if (typeof value === 'number') return format.number(value)
  if (Array.isArray(value)) return format.list(value.map((item) => wordsOfValue(item, t, format)))
  return typeof value === 'string' ? value : JSON.stringify(value)
}
