import type { SegmentFields } from '@contentflow/server/wire.ts'
import type { TokenValues } from '@contentflow/core/messages/tokens.ts'
import { useRead } from '../../data.ts'

/** `sample`: a value that occurs; `people`: how many have one. */
export type TokenChoice = { token: string; sample: string | undefined; people: number | null }

const OF_EVERYBODY = ['name', 'email', 'phone', 'userId', 'preferencesUrl'] as const
/** Types of values that fit into a text. */
const TEXTS: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'date'])

/** Tokens about the person: those that everybody may have, and the attributes that occur in this workspace. */
export function useTokens(): TokenChoice[] {
  const { data } = useRead<SegmentFields>('/segments/fields', { limit: 100 })
  const attributes = (data?.fields ?? []).filter(({ field, type }) => /^(customAttributes|enrichment)\../.test(field) && TEXTS.has(type))
  return [
    ...OF_EVERYBODY.map((token) => ({ token, sample: undefined, people: null })),
    ...attributes.map(({ field, samples, people }) => ({ token: field, sample: textOf(samples[0]), people })),
  ]
}

/** Sample values of all tokens, to show a text with; a token without a known value stays as it is written. */
export function sampleValues(tokens: readonly TokenChoice[], used: readonly string[], name: string): TokenValues {
  const group = (kind: string) =>
    Object.fromEntries(
      [...used, ...tokens.map(({ token }) => token)]
        .filter((token) => token.startsWith(`${kind}.`))
        .map((token) => [token.slice(kind.length + 1), tokens.find((each) => each.token === token)?.sample ?? `{{${token}}}`]),
    )
  return {
    name,
    email: 'name@example.com',
    phone: '+966501234567',
    userId: 'user-1',
    preferencesUrl: () => `${window.location.origin}/api/v1/preferences/preview`,
    customAttributes: group('customAttributes'),
    enrichment: group('enrichment'),
  }
}

function textOf(sample: unknown): string | undefined {
  return typeof sample === 'string' || typeof sample === 'number' || typeof sample === 'boolean' ? String(sample) : undefined
}
