/** Filters of the catalog. All of them are in the address, so that a view can be shared. */
import type { Query } from '../../../api.ts'
import type { Status } from '../api.ts'

export const STATUSES = ['ok', 'review', 'missing'] as const satisfies Status[]

export type Filters = {
  q: string
  namespace: string
  status: Status | ''
  sensor: 'true' | 'false' | ''
  hidden: 'true' | 'false' | ''
  /** Codes of the columns, as the address names them. Empty: the page chooses. */
  locales: string[]
}

/** How many languages get a column by default. */
const COLUMNS_UNASKED = 3

export function readFilters(params: URLSearchParams): Filters {
  const status = params.get('status')
  return {
    q: params.get('q') ?? '',
    namespace: params.get('namespace') ?? '',
    status: STATUSES.find((known) => known === status) ?? '',
    sensor: readFlag(params.get('sensor')),
    hidden: readFlag(params.get('hidden')),
    locales: (params.get('locales') ?? '').split(',').filter(Boolean),
  }
}

function readFlag(text: string | null): 'true' | 'false' | '' {
  return text === 'true' || text === 'false' ? text : ''
}

/** `params` with what `change` says; what else is in the address stays. */
export function writeFilters(params: URLSearchParams, change: Partial<Filters>): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(change)) {
    const text = Array.isArray(value) ? value.join(',') : value
    if (text) next.set(name, text)
    else next.delete(name)
  }
  return next
}

/** Columns say how the list is shown; they leave nothing out. */
export function isFiltered({ q, namespace, status, sensor, hidden }: Filters): boolean {
  return [q, namespace, status, sensor, hidden].some((value) => value !== '')
}

/** The languages that have a column: those asked for that there are, or the first ones of the workspace. */
export function chooseColumns<L extends { code: string }>(translated: readonly L[], asked: readonly string[]): L[] {
  const chosen = translated.filter(({ code }) => asked.includes(code))
  if (chosen.length > 0) return chosen
  return translated.length <= COLUMNS_UNASKED ? [...translated] : translated.slice(0, 1)
}

/**
 * What the list is asked for. With one column the status is that in its language; with several it is that in any
 * language of the workspace, because the server knows no other choice.
 */
export function listQuery({ q, namespace, status, sensor, hidden }: Filters, columns: readonly { code: string }[]): Query {
  const [only] = columns
  return { q, namespace, status, sensor, hidden, locale: columns.length === 1 ? only?.code : undefined }
}
