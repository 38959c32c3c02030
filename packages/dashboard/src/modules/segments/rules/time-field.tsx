import { DateTimePicker, type DayOfWeek } from '@mantine/dates'
import '@mantine/dates/styles.css'
import dayjs from 'dayjs'
import 'dayjs/locale/ar.js'
import { momentOf, toClock } from '@contentflow/core/calendar/zoned-time.ts'
import { useCalendar } from '../../../calendar.ts'
import { useFormat } from '../../../format.ts'
import { useLanguage } from '../../../i18n.ts'
import { useTexts as useUiTexts } from '../../../ui/texts.ts'
import { useHijriDays } from '../../../ui/moments/use-hijri-days.tsx'
import { useTexts } from '../texts.ts'

const SHOWN = 'D MMM YYYY HH:mm'

/** A moment, chosen in the zone of the workspace and kept in UTC. Loaded only where a rule asks for one. */
export function TimeField({ value, onChange }: { value: string | undefined; onChange: (value: string | undefined) => void }) {
  const t = useTexts()
  const ui = useUiTexts()
  const language = useLanguage()
  const format = useFormat()
  const hijriDays = useHijriDays()
  const { timeZone, firstDayOfWeek, weekend } = useCalendar()
  const shown = value === undefined ? '' : dayjs(toClock(value, timeZone)).locale(language).format(SHOWN)
  return (
    <DateTimePicker
      aria-label={`${t('time')}: ${shown}`}
      placeholder={t('time')}
      locale={language}
      valueFormat={SHOWN}
      clearable
      firstDayOfWeek={firstDayOfWeek as DayOfWeek}
      weekendDays={weekend as DayOfWeek[]}
      clearButtonProps={{ 'aria-label': ui('clear') }}
      value={value === undefined ? null : toClock(value, timeZone)}
      onChange={(next) => onChange(next === null ? undefined : momentOf(next, timeZone)?.toISOString())}
      description={[t('zone', { zone: timeZone }), value && format.hijriDate(value)].filter(Boolean).join(' · ')}
      inputWrapperOrder={['input', 'description', 'error']}
      {...hijriDays}
    />
  )
}
