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

/** Why a row is not taken, in words. One that is not known is shown as it is. */
export function useReasonWords(): (reason: string) => string {
  const t = useTexts()
  return (reason) => {
    const plain = PLAIN.find((known) => known === reason)
    if (plain) return t(`reason_${plain}`)
    const naming = NAMING.find((known) => reason.startsWith(`${known}:`))
    return naming ? t(`reason_${naming}`, { name: isolate(reason.slice(naming.length + 1)) }) : reason
  }
}
