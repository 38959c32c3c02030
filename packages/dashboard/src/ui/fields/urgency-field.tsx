import { Select } from '@mantine/core'
import { URGENCIES, urgencyOf, type Urgency } from '@contentflow/core/messages/content.ts'
import { defineTexts } from '../../i18n.ts'

const useTexts = defineTexts('urgency-field', {
  en: {
    urgency: 'Urgency in browsers',
    urgencyHelp: 'A device that saves power gets what is less urgent later.',
    'very-low': 'Very low: news',
    low: 'Low: an offer',
    normal: 'Normal',
    high: 'High: a call or a security warning',
  },
  ar: {
    urgency: 'الأهمية في المتصفحات',
    urgencyHelp: 'يستلم الجهاز الموفّر للطاقة الأقل أهمية لاحقًا.',
    'very-low': 'منخفضة جدًا: أخبار',
    low: 'منخفضة: عرض',
    normal: 'عادية',
    high: 'عالية: مكالمة أو تنبيه أمني',
  },
})

type Content = { [locale: string]: { urgency?: Urgency } }

/** The same in every language; `normal` is not stored. `first`: the language that begins where nothing is written yet. */
export function withUrgency<T extends Content>(content: T, wanted: Urgency, first: string): T {
  const codes = Object.keys(content)
  const all = (codes.length === 0 && wanted !== 'normal' ? [first] : codes).map((code) => {
    const { urgency: _, ...others } = content[code] ?? {}
    return [code, wanted === 'normal' ? others : { ...others, urgency: wanted }]
  })
  return Object.fromEntries(all) as T
}

type UrgencyFieldProps = { content: Content; onChange: (urgency: Urgency) => void }

/** How soon a push message of a content has to arrive in browsers. */
export function UrgencyField({ content, onChange }: UrgencyFieldProps) {
  const t = useTexts()
  return (
    <Select
      label={t('urgency')}
      description={t('urgencyHelp')}
      data={URGENCIES.map((value) => ({ value, label: t(value) }))}
      value={urgencyOf(content) ?? 'normal'}
      onChange={(value) => onChange(URGENCIES.find((each) => each === value) ?? 'normal')}
      allowDeselect={false}
      maw={320}
    />
  )
}
