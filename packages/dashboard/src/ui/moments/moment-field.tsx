import { DatesProvider, DateTimePicker, type DayOfWeek } from '@mantine/dates'
import '@mantine/dates/styles.css'
import 'dayjs/locale/ar.js'
import { momentOf, toClock } from '@contentflow/core/calendar/zoned-time.ts'
import { useCalendar } from '../../calendar.ts'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../i18n.ts'
import { useMomentTexts } from './texts-moment.ts'
import { useHijriDays } from './use-hijri-days.tsx'

type MomentFieldProps = {
  label: string
  /** What an empty field means. */
  placeholder?: string
  /** ISO 8601 in UTC. */
  value: string | undefined
  onChange: (value: string | undefined) => void
  error?: string | undefined
  isReadOnly?: boolean
  isRequired?: boolean
}

/** A moment by the clocks of the workspace, whatever clock the reader has; weeks go as the workspace counts them. */
export function MomentField({ label, placeholder, value, onChange, error, isReadOnly = false, isRequired = false }: MomentFieldProps) {
  const t = useMomentTexts()
  const format = useFormat()
  const { timeZone, firstDayOfWeek, weekend } = useCalendar()
  const hijriDays = useHijriDays()
  const read = (text: string | null) => (text === null ? undefined : momentOf(text, timeZone)?.toISOString())
  return (
    <DatesProvider settings={{ locale: useLanguage(), firstDayOfWeek: firstDayOfWeek as DayOfWeek, weekendDays: weekend as DayOfWeek[] }}>
      <DateTimePicker
        label={label}
        placeholder={placeholder}
        value={value ? toClock(value, timeZone) : null}
        valueFormat={(text) => format.moment(read(text) ?? text)}
        onChange={(text) => onChange(read(text))}
        error={error}
        clearable={!isReadOnly && !isRequired}
        readOnly={isReadOnly}
        required={isRequired}
        highlightToday
        // The meaning of an empty field has to be readable.
        styles={{ input: { '--input-placeholder-color': 'var(--mantine-color-dimmed)' } }}
        miw={220}
        description={value && format.hijriDate(value)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...hijriDays}
        popoverProps={{ withinPortal: true }}
        timePickerProps={{ 'aria-label': t('time'), hoursInputLabel: t('hours'), minutesInputLabel: t('minutes') }}
        submitButtonProps={{ 'aria-label': t('takeTime') }}
        clearButtonProps={{ 'aria-label': t('clearTime', { label }) }}
        nextLabel={t('nextMonth')}
        previousLabel={t('previousMonth')}
      />
    </DatesProvider>
  )
}
