/**
 * Until when a request of a person has to be answered, as data: the law, its article, how long, how much longer. Days are whole
 * (`2026-03-31`) and count from the day on which the request came. No legal advice: which law applies is the organisation's to say.
 */
import { DAY_MS } from '../units.ts'

export const REQUEST_KINDS = ['access', 'erasure', 'correction', 'restriction', 'objection', 'portability', 'grievance'] as const
export type RequestKind = (typeof REQUEST_KINDS)[number]
export const REQUEST_LAWS = ['pdpl_ksa', 'gdpr', 'dpdp'] as const
export type RequestLaw = (typeof REQUEST_LAWS)[number]

/** A time that a law gives. */
type Period = { days: number } | { months: number }

type Deadline = {
  /** Where it stands. */
  article: string
  period: Period
  /** The whole time where it is extended, once, the person being told why before the period ends; null: it may not be. */
  extended: Period | null
  /** The most days where the organisation publishes its own period; null: the law says it. */
  published: { most: number } | null
}

/** DPDP Rules 2025 say no days for these rights, only that the organisation publishes its period. */
const DPDP_DAYS = 30
const GRIEVANCE_DAYS = 90

const SAUDI: Deadline = {
  article: 'PDPL Implementing Regulation, Art. 3',
  period: { days: 30 },
  extended: { days: 60 },
  published: null,
}
const EUROPEAN: Deadline = { article: 'GDPR Art. 12(3)', period: { months: 1 }, extended: { months: 3 }, published: null }

/** The deadline of a request (decision 0069). */
export function deadlineOf(law: RequestLaw, kind: RequestKind): Deadline {
  switch (law) {
    case 'pdpl_ksa':
      return SAUDI
    case 'gdpr':
      return EUROPEAN
    case 'dpdp': {
      const days = kind === 'grievance' ? GRIEVANCE_DAYS : DPDP_DAYS
      return { article: 'DPDP Rules 2025, rule 14', period: { days }, extended: null, published: { most: GRIEVANCE_DAYS } }
    }
    default:
      return law satisfies never
  }
}

/** `publishedDays`: the period that the organisation publishes, where the law leaves it to it. */
type Asked = { law: RequestLaw; kind: RequestKind; receivedOn: string; publishedDays?: number | undefined }

/** The last day for the answer; undefined where `publishedDays` is none that the law allows. */
export function dueOn({ law, kind, receivedOn, publishedDays }: Asked): string | undefined {
  const { period, published } = deadlineOf(law, kind)
  if (publishedDays === undefined) return after(receivedOn, period)
  return published && publishedDays >= 1 && publishedDays <= published.most ? after(receivedOn, { days: publishedDays }) : undefined
}

/** The last day of a request whose time is extended; undefined where the law knows no extension. */
export function extendedTo({ law, kind, receivedOn }: Omit<Asked, 'publishedDays'>): string | undefined {
  const { extended } = deadlineOf(law, kind)
  return extended ? after(receivedOn, extended) : undefined
}

/** Whole days from `today` to `due`; below 0 when it is over. */
export function daysLeft(due: string, today: string): number {
  return Math.round((Date.parse(due) - Date.parse(today)) / DAY_MS)
}

/** From this many days on a request is shown as urgent. */
export const URGENT_DAYS = 5

/** Of months: the same day of the month, or its last one (Regulation 1182/71, Art. 3(2)(c)). */
function after(day: string, period: Period): string {
  if ('days' in period) return new Date(Date.parse(day) + period.days * DAY_MS).toISOString().slice(0, 10)
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month - 1 + period.months + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + period.months, Math.min(date, last))).toISOString().slice(0, 10)
}
