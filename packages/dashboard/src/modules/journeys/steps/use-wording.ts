import { useFormat } from '../../../format.ts'
import { useLanguage } from '../../../i18n.ts'
import { usePlaceName } from '../../../ui/places/places.ts'
import { useRuleTexts } from '../../segments/rules/rule-texts.ts'
import { useTexts } from '../texts.ts'
import type { Around } from '../use-around.ts'
import type { StepWording } from './step-words.ts'

export function useWording({ segments, fences, endpoints }: Pick<Around, 'segments' | 'fences' | 'endpoints'>): StepWording {
  const t = useTexts()
  const format = useFormat()
  const nameOf = (id: string) => segments?.get(id) ?? fences?.get(id) ?? endpoints?.get(id)?.name ?? id
  const rules = { t: useRuleTexts(), format }
  return { t, format, rules, language: useLanguage(), nameOf, placeName: usePlaceName() }
}
