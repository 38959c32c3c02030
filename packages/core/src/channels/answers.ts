/** Reads answers of providers, whatever they are: an error page, half a document, nothing. */
import { shorten } from '../cut-text.ts'
import { isPlainObject, type Json } from '../blocks/field.ts'
import { replaceOdd } from '../json/odd-characters.ts'
import type { ProviderOutcome, ProviderAnswer } from './channel.ts'

const RETRY_SECONDS = { least: 1, most: 3_600 }
const TEXT_LENGTH = 300

/** The body as an object; an empty one for whatever is none. */
export function objectOf({ body }: ProviderAnswer): { [member: string]: Json } {
  const value = jsonOf(body)
  return isPlainObject(value) ? value : {}
}

export function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

export function objectIn(value: Json | undefined): { [member: string]: Json } {
  return value !== undefined && isPlainObject(value) ? value : {}
}

/** A text or number as text; numbers are how some write their ids. */
export function wordIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? replaceOdd(String(value)) : undefined
}

/** What holds where the provider says nothing else; `said` are its own words. */
export function byStatus(answer: ProviderAnswer, said?: string): ProviderOutcome {
  const { status } = answer
  const text = said || `The provider answered ${status}`
  if (status >= 200 && status < 300) return { kind: 'sent', id: null }
  if ([408, 425, 429, 503].includes(status)) return retry(text, retryAfter(answer))
  if (status === 500) return retry(text)
  if (status === 502 || status === 504) return { kind: 'uncertain', text }
  return status === 401 || status === 402 || status === 403 ? paused(text) : failed(text)
}

export function sent(id: string | undefined): ProviderOutcome {
  return { kind: 'sent', id: id ?? null }
}
export function failed(text: string): ProviderOutcome {
  return { kind: 'failed', text }
}
/** Every message would fail alike. */
export function paused(text: string): ProviderOutcome {
  return { kind: 'failed', text, pauses: true }
}
export function gone(text: string): ProviderOutcome {
  return { kind: 'gone', text }
}
export function retry(text: string, after?: number): ProviderOutcome {
  return { kind: 'retry', text, ...(after !== undefined && { after: within(after) }) }
}

/** Whole seconds or a date; undefined when the answer does not say. */
export function retryAfter({ headers, at }: ProviderAnswer): number | undefined {
  const said = headers['retry-after']?.trim() ?? ''
  if (/^\d+$/.test(said)) return within(Number(said))
  const time = Date.parse(said)
  return Number.isNaN(time) ? undefined : within((time - at) / 1000)
}

function within(seconds: number): number {
  return Math.min(RETRY_SECONDS.most, Math.max(RETRY_SECONDS.least, Math.ceil(seconds)))
}

/** Words of a provider as people may read them: in one line, short, and without what was told it in confidence. */
export function redactText(text: string, hidden: readonly string[]): string {
  const told = hidden.filter((each) => each.length > 3).sort((a, b) => b.length - a.length)
  const bare = told.reduce((said, each) => said.replaceAll(each, '…'), text)
  const line = bare.replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
  return shorten(line, TEXT_LENGTH)
}
