import { Group, Stack, Text } from '@mantine/core'
import { useCalendar } from '../../../../calendar.ts'
import { MomentField } from '../../../../ui/moments/moment-field.tsx'
import { Section } from '../../../../ui/section.tsx'
import { useEditor } from '../editor-context.tsx'
import { useFaultText } from '../changes/fault-text.ts'
import { faultAt } from '../changes/faults.ts'
import { StripCalendar } from './strip-calendar.tsx'
import { useTexts } from '../texts.ts'
import { ANCHORS } from './setting-bar.tsx'

/** When it shows. Without a start it shows as soon as it is published, without an end until it is taken out. */
export function ScheduleSection() {
  const t = useTexts()
  const { timeZone } = useCalendar()
  const { content, faults } = useEditor()
  const faultText = useFaultText()
  const fault = faultAt(faults.saving, { setting: 'endTime' })
  return (
    <Section anchor={ANCHORS.when} title={t('when')} text={t('zone', { zone: timeZone })}>
      <Group align="flex-start" grow preventGrowOverflow={false} gap="md">
        <Moment setting="startTime" label={t('start')} empty={t('startEmpty')} />
        <Moment setting="endTime" label={t('end')} empty={t('endEmpty')} error={fault && faultText(fault)} />
      </Group>
      <StripCalendar schedule={content.schedule} />
    </Section>
  )
}

type MomentProps = { setting: 'startTime' | 'endTime'; label: string; empty: string; error?: string | undefined }

function Moment({ setting, label, empty, error }: MomentProps) {
  const t = useTexts()
  const { content, change, isReadOnly } = useEditor()
  const value = content.schedule?.[setting]
  return (
    <Stack gap={4} miw={200}>
      <MomentField
        label={label}
        placeholder={empty}
        value={value}
        onChange={(moment) => change({ setting }, moment)}
        error={error}
        isReadOnly={isReadOnly}
      />
      {value && (
        <Text size="xs" c="dimmed" className="cf-code">
          {t('inUtc', { time: value.slice(0, 16).replace('T', ' ') })}
        </Text>
      )}
    </Stack>
  )
}
