import { Group, Stack, Text } from '@mantine/core'
import { DatesProvider, DateTimePicker } from '@mantine/dates'
import '@mantine/dates/styles.css'
import 'dayjs/locale/ar.js'
import { useFormat, ZONE } from '../../../../format.ts'
import { useLanguage } from '../../../../i18n.ts'
import { Section } from '../../../../ui/section.tsx'
import { useEditor } from '../editor-context.tsx'
import { useFaultText } from '../changes/fault-text.ts'
import { faultAt } from '../changes/faults.ts'
import { toLocalText, toUtc } from './local-time.ts'
import { StripCalendar } from './strip-calendar.tsx'
import { useTexts } from '../texts.ts'

/** When it shows. Without a start it shows as soon as it is published, without an end until it is taken out. */
export function ScheduleSection() {
  const t = useTexts()
  const language = useLanguage()
  const { content, faults } = useEditor()
  const faultText = useFaultText()
  const fault = faultAt(faults.saving, { setting: 'endTime' })
  return (
    <Section title={t('when')} text={t('zone', { zone: ZONE })}>
      <DatesProvider settings={{ locale: language, firstDayOfWeek: language === 'ar' ? 0 : 1, weekendDays: [5, 6] }}>
        <Group align="flex-start" grow preventGrowOverflow={false} gap="md">
          <Moment setting="startTime" label={t('start')} empty={t('startEmpty')} />
          <Moment setting="endTime" label={t('end')} empty={t('endEmpty')} error={fault && faultText(fault)} />
        </Group>
      </DatesProvider>
      <StripCalendar schedule={content.schedule} />
    </Section>
  )
}

type MomentProps = { setting: 'startTime' | 'endTime'; label: string; empty: string; error?: string | undefined }

function Moment({ setting, label, empty, error }: MomentProps) {
  const t = useTexts()
  const format = useFormat()
  const { content, change, isReadOnly } = useEditor()
  const value = content.schedule?.[setting]
  return (
    <Stack gap={4} miw={200}>
      <DateTimePicker
        label={label}
        placeholder={empty}
        value={value ? toLocalText(value) : null}
        valueFormat={(text) => format.moment(text.replace(' ', 'T'))}
        onChange={(text) => change({ setting }, text ? toUtc(text) : undefined)}
        error={error}
        clearable={!isReadOnly}
        readOnly={isReadOnly}
        highlightToday
        popoverProps={{ withinPortal: true }}
        timePickerProps={{ 'aria-label': t('time'), hoursInputLabel: t('hours'), minutesInputLabel: t('minutes') }}
        submitButtonProps={{ 'aria-label': t('takeTime') }}
        clearButtonProps={{ 'aria-label': t('clearTime', { label }) }}
        nextLabel={t('nextMonth')}
        previousLabel={t('previousMonth')}
      />
      {value && (
        <Text size="xs" c="dimmed" className="cf-code">
          {t('inUtc', { time: value.slice(0, 16).replace('T', ' ') })}
        </Text>
      )}
    </Stack>
  )
}
