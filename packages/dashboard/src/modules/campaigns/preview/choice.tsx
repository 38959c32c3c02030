import { Choice } from '../../../ui/fields/choice.tsx'
import { useTexts } from './texts.ts'

const THEMES = ['light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export function ThemeChoice({ value, onChange }: { value: Theme; onChange: (theme: Theme) => void }) {
  const t = useTexts()
  return <Choice label={t('theme')} values={THEMES} nameOf={(theme) => t(theme)} value={value} onChange={onChange} />
}
