import { DateTimePicker } from '@mantine/dates'
import '@mantine/dates/styles.css'
import dayjs from 'dayjs'
import 'dayjs/locale/ar.js'
import { ZONE } from '../../../format.ts'
import { useLanguage } from '../../../i18n.ts'
import { useTexts as useUiTexts } from '../../../ui/texts.ts'
import { toLocal, toMoment } from './local-time.ts'
import { useTexts } from '../texts.ts'

const SHOWN = 'D MMM YYYY HH:mm'

/** A moment, chosen in this browser's zone and kept in UTC. Loaded only where a rule asks for one. */
export function TimeField({ value, onChange }: { value: string | undefined; onChange: (value: string | undefined) => void }) {
  const t = useTexts()
  const ui = useUiTexts()
  const language = useLanguage()
  const shown = value === undefined ? '' : dayjs(toLocal(value)).locale(language).format(SHOWN)
  return (
    <DateTimePicker
      aria-label={`${t('time')}: ${shown}`}
      placeholder={t('time')}
      locale={language}
      valueFormat={SHOWN}
      clearable
      clearButtonProps={{ 'aria-label': ui('clear') }}
      value={value === undefined ? null : toLocal(value)}
      onChange={(next) => onChange(next === null ? undefined : toMoment(next))}
      description={t('zone', { zone: ZONE })}
      inputWrapperOrder={['input', 'description', 'error']}
    />
  )
}
