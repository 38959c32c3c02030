import { NativeSelect, Text } from '@mantine/core'
import { readDate, type DateReading } from '@contentflow/core/imports/date-reading.ts'
import { useCalendar } from '../../../calendar.ts'
import { useFormat } from '../../../format.ts'
import type { DraftColumn } from './draft.ts'
import { useImportTexts } from './texts.ts'
import classes from './import.module.css'

type DateOrderProps = { column: DraftColumn; samples: readonly string[]; onChange: (part: Partial<DraftColumn>) => void }

const idOf = ({ order, calendar }: DateReading) => `${order}_${calendar}` as const

/** How the dates of a column are written, where that is a question, and as which day its first one is read. */
export function DateOrder({ column: { column, readings, reading }, samples, onChange }: DateOrderProps) {
  const t = useImportTexts()
  const format = useFormat()
  const { timeZone } = useCalendar()
  const [sample = ''] = samples
  const read = reading && readDate(sample, reading, timeZone)
  if (readings.length === 0) return null
  return (
    <div className={classes.wide}>
      <NativeSelect
        label={t('dateOrder')}
        aria-label={t('dateOrderOf', { column })}
        maw={420}
        value={reading ? idOf(reading) : ''}
        data={[
          ...(readings.length > 1 ? [{ value: '', label: t('chooseDateOrder') }] : []),
          ...readings.map((one) => ({ value: idOf(one), label: t(`dates_${idOf(one)}`) })),
        ]}
        onChange={({ currentTarget: { value } }) => onChange({ reading: readings.find((one) => idOf(one) === value) })}
      />
      <Text size="xs" c="dimmed" role="status" mt={4}>
        {read === undefined ? t('dateUnclear') : t('dateRead', { from: sample, to: format.calendarDate(read.slice(0, 10)) })}
      </Text>
    </div>
  )
}
