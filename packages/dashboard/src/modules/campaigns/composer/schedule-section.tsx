import { Group, Radio, Select, Stack, Switch, TextInput } from '@mantine/core'
import type { PrayerBlackout } from '@contentflow/core/messages/window.ts'
import { useCalendar } from '../../../calendar.ts'
import { MomentField } from '../../../ui/moments/moment-field.tsx'
import { PlaceFields } from '../../../ui/places/place-fields.tsx'
import { FIRST_PLACE } from '../../../ui/places/places.ts'
import { Section } from '../../../ui/section.tsx'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { useComposer } from './composer-context.tsx'
import { useTexts } from './texts.ts'
import { useFaultText } from './use-fault-text.ts'

/** When it is sent, and when nothing is sent. */
export function ScheduleSection() {
  const t = useTexts()
  const { draft, change } = useComposer()
  const faultAt = useFaultText()
  const { start, schedule } = draft
  const tomorrow = () => new Date(Math.ceil((Date.now() + 86_400_000) / 3_600_000) * 3_600_000).toISOString()
  return (
    <Section title={t('schedule')} anchor="schedule">
      <Radio.Group
        label={t('start')}
        value={start === null ? 'launch' : 'time'}
        onChange={(choice) => change({ start: choice === 'launch' ? null : tomorrow() })}
      >
        <Group gap="lg" mt={6}>
          <Radio value="launch" label={t('startAtLaunch')} />
          <Radio value="time" label={t('startAt')} />
        </Group>
      </Radio.Group>
      <Group align="flex-start" grow preventGrowOverflow={false} gap="md">
        {start !== null && <MomentField label={t('start')} value={start} onChange={(at) => change({ start: at ?? null })} isRequired />}
        <MomentField
          label={t('end')}
          placeholder={t('endEmpty')}
          value={schedule.endTime}
          onChange={(endTime) => {
            const { endTime: _, ...rest } = schedule
            change({ schedule: endTime === undefined ? rest : { ...rest, endTime } })
          }}
          error={faultAt({ kind: 'endFirst' }) ?? faultAt({ kind: 'endPassed' })}
        />
      </Group>
      <Zone />
      <QuietHours />
      <PrayerPause />
    </Section>
  )
}

function Zone() {
  const t = useTexts()
  const { timeZone } = useCalendar()
  const { draft, change } = useComposer()
  const value = draft.schedule.timezone ?? null
  const zones = [...new Set([timeZone, ...(value === null ? [] : [value]), 'UTC', ...Intl.supportedValuesOf('timeZone')])]
  return (
    <Select
      label={t('zone')}
      description={t('zoneHelp')}
      data={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
      value={value}
      onChange={(timezone) => timezone !== null && change({ schedule: { ...draft.schedule, timezone } })}
      searchable
      allowDeselect={false}
      limit={50}
      nothingFoundMessage={t('zoneNotFound')}
      maw={320}
    />
  )
}

function QuietHours() {
  const t = useTexts()
  const { draft, change } = useComposer()
  const faultAt = useFaultText()
  const { quietHours, ...rest } = draft.schedule
  const set = (part: { from?: string; to?: string }) =>
    change({ schedule: { ...rest, quietHours: { from: '22:00', to: '08:00', ...quietHours, ...part } } })
  return (
    <Stack gap="xs">
      <Switch
        label={t('quietHours')}
        description={t('quietText')}
        checked={quietHours !== undefined}
        onChange={({ currentTarget }) => (currentTarget.checked ? set({}) : change({ schedule: rest }))}
      />
      {quietHours && (
        <Group align="flex-start" gap="sm">
          {(['from', 'to'] as const).map((side) => (
            <TextInput
              key={side}
              type="time"
              label={t(side === 'from' ? 'quietFrom' : 'quietTo')}
              aria-label={`${t('quietHours')}: ${t(side === 'from' ? 'quietFrom' : 'quietTo')}`}
              value={quietHours[side]}
              onChange={({ currentTarget }) => set({ [side]: currentTarget.value })}
              error={side === 'from' && faultAt({ kind: 'quietHours' })}
              w={140}
            />
          ))}
        </Group>
      )}
    </Stack>
  )
}

const BLACKOUT: PrayerBlackout = { enabled: true, ...FIRST_PLACE, minutesBefore: 15, minutesAfter: 15 }

function PrayerPause() {
  const t = useTexts()
  const { draft, change } = useComposer()
  const faultAt = useFaultText()
  const blackout = draft.schedule.prayerBlackout
  const isOn = blackout?.enabled === true
  const set = (part: Partial<PrayerBlackout>) =>
    change({ schedule: { ...draft.schedule, prayerBlackout: { ...BLACKOUT, ...blackout, ...part } } })
  const minutes = (name: 'minutesBefore' | 'minutesAfter') => ({
    label: t(name),
    value: blackout?.[name] ?? 15,
    onChange: (typed: number | undefined) => set({ [name]: typed ?? Number.NaN }),
    min: 0,
    max: 60,
    isWhole: true,
    isNeeded: true,
    w: 140,
  })
  return (
    <Stack gap="xs">
      <Switch
        label={t('prayer')}
        description={t('prayerText')}
        checked={isOn}
        onChange={({ currentTarget }) => set({ enabled: currentTarget.checked })}
      />
      {isOn && (
        <Group align="flex-start" gap="sm">
          <PlaceFields
            place={{ ...BLACKOUT, ...blackout }}
            onChange={({ latitude, longitude }) => set({ latitude, longitude })}
            error={faultAt({ kind: 'noPlace' })}
          />
          <NumberField {...minutes('minutesBefore')} />
          <NumberField {...minutes('minutesAfter')} />
        </Group>
      )}
    </Stack>
  )
}
