import { MAIL_CHECKS, type MailCheck } from '@contentflow/core/mail/checks.ts'
import { useFormat } from '../../../../format.ts'
import { useTexts } from '../texts.ts'

/** What a check says, with its number or address; one that this page does not know is still shown. */
export function useCheckWords(): (check: MailCheck) => string {
  const t = useTexts()
  const format = useFormat()
  return ({ code, value = '' }) => {
    const shown = /^\d+$/.test(value) ? format.number(Number(value)) : value
    return MAIL_CHECKS.includes(code) ? t(`check_${code}`, { value: shown }) : t('unknownCheck', { value: shown || code })
  }
}
