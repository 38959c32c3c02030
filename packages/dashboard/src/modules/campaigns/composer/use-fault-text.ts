import { useFormat } from '../../../format.ts'
import { useComposer } from './composer-context.tsx'
import { faultAt, type Fault } from './faults.ts'
import { useMailTexts } from './mail/mail-texts.ts'
import { useTexts } from './texts.ts'

export function useFaultWords(): (fault: Fault) => string {
  const t = useTexts()
  const mail = useMailTexts()
  const format = useFormat()
  const { draft } = useComposer()
  return ({ kind, locale = '', reason = '', variant }) => {
    const language = format.language(locale)
    if (kind === 'mailStop' && variant !== undefined)
      return mail('fault_mailStopVariant', { language, variant: draft.variants[variant]?.id ?? '' })
    return kind === 'mailStop' || kind === 'mailWrong' ? mail(`fault_${kind}`, { language, reason }) : t(`fault_${kind}`, { language })
  }
}

/** The text at a field: a wrong value at once, a missing one once somebody asked to continue. */
export function useFaultText(): (at: Partial<Fault>) => string | undefined {
  const { faults, isChecked } = useComposer()
  const words = useFaultWords()
  return (at) => {
    const fault = faultAt(faults, at)
    const isShown = isChecked || (fault?.isWrong && fault.kind !== 'name')
    return fault && isShown ? words(fault) : undefined
  }
}
