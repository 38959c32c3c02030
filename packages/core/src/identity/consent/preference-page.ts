/** What a workspace chose of the page on which people choose what they get (decision 74). */
import type { Parsed } from '../../blocks/definition.ts'
import { isPlainObject, type Json } from '../../blocks/field.ts'
import { dueOn, REQUEST_LAWS, type RequestLaw } from '../deadlines.ts'

/** `with_topics`: mails link the page where the workspace has topics. */
export const PAGE_LINKS = ['with_topics', 'always'] as const
/**
 * `law`: whose days count for what people ask there about their data. `publishedDays`: the period that the organisation publishes,
 * where the law leaves it to it; null: what the law or, without one, common practice says.
 */
export type PreferencePage = { inMails: (typeof PAGE_LINKS)[number]; law: RequestLaw; publishedDays: number | null }

const DEFAULT: PreferencePage = { inMails: 'with_topics', law: 'pdpl_ksa', publishedDays: null }

/** What is stored holds what was chosen; null is a workspace that chose nothing. */
export function preferencePage(stored: Partial<PreferencePage> | null): PreferencePage {
  return { ...DEFAULT, ...stored }
}

/** A link that is older than so many days only lets people leave. */
export const PREFERENCE_LINK_DAYS = 180

export function readPreferencePage(input: Json): Parsed<PreferencePage> {
  const sent = isPlainObject(input) ? input : {}
  const inMails = PAGE_LINKS.find((each) => each === sent['inMails'])
  const law = REQUEST_LAWS.find((each) => each === sent['law'])
  const { publishedDays = null } = sent
  if (!inMails || !law)
    return { ok: false, error: `must have inMails, one of ${PAGE_LINKS.join(', ')}, and law, one of ${REQUEST_LAWS.join(', ')}` }
  if (publishedDays === null) return { ok: true, value: { inMails, law, publishedDays } }
  const isPeriod =
    typeof publishedDays === 'number' &&
    Number.isInteger(publishedDays) &&
    dueOn({ law, kind: 'access', receivedOn: '2026-01-01', publishedDays }) !== undefined
  return isPeriod
    ? { ok: true, value: { inMails, law, publishedDays } }
    : { ok: false, error: 'publishedDays is not a period that this law takes' }
}
