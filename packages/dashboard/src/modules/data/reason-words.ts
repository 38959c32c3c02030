import type { ColumnType } from '@contentflow/core/imports/mapping.ts'
import { isolate } from '../../i18n.ts'
import { useTexts } from './texts.ts'

const PLAIN = [
  'missing_identity',
  'invalid_email',
  'invalid_phone',
  'invalid_hash',
  'invalid_user_id',
  'no_values',
  'duplicate_identity',
  'ambiguous_identity',
  'too_many_cells',
  'too_many_values',
] as const
/** Reasons that name an attribute: `invalid_value:tier`. */
const NAMING = ['invalid_value', 'invalid_name'] as const

/** Types that say what their values look like; any text is a value of the others. */
const TOLD = new Set<ColumnType>(['number', 'boolean', 'date', 'enum'])

type TypedColumn = { name: string; type: ColumnType }

/** Why a row was refused, in words; for known columns with an example of a good value. An unknown reason is shown as it is. */
export function useReasonWords(columns: readonly TypedColumn[] = []): (reason: string) => string {
  const t = useTexts()
  return (reason) => {
    const plain = PLAIN.find((known) => known === reason)
    if (plain) return t(`reason_${plain}`)
    const naming = NAMING.find((known) => reason.startsWith(`${known}:`))
    if (!naming) return reason
    const name = reason.slice(naming.length + 1)
    const type = naming === 'invalid_value' ? columns.find((column) => column.name === name)?.type : undefined
    const told =
      type !== undefined && TOLD.has(type) ? (`reason_invalid_value_${type as 'number'}` as const) : (`reason_${naming}` as const)
    return t(told, { name: isolate(name) })
  }
}
