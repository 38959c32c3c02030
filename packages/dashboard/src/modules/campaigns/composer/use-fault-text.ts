import { useFormat } from '../../../format.ts'
import { useComposer } from './composer-context.tsx'
import { faultAt, type Fault } from './faults.ts'
import { useMailTexts } from './mail/mail-texts.ts'
import { useTexts } from './texts.ts'

export function useFaultWords(): (fault: Fault) => string {
  const t = useTexts()
  const mail = useMailTexts()
  const format = useFormat()
  return ({ kind, locale = '', reason = '' }) =>
    kind === 'mailStop' || kind === 'mailWrong'
      ? mail(`fault_${kind}`, { language: format.language(locale), reason })
      : t(`fault_${kind}`, { language: format.language(locale) })
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
