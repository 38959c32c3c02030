import { Button, Chip, Group, Select, Stack, Switch, Text } from '@mantine/core'
import type { WorkspaceCalendar } from '@contentflow/core/calendar/workspace-calendar.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { browserCalendar } from '../../../calendar.ts'
import { useRead, useWrite } from '../../../data.ts'
import { formatOf, useFormat } from '../../../format.ts'
import { useLanguage } from '../../../i18n.ts'
import { ME, useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Section } from '../../../ui/section.tsx'
import { UnsavedGuard } from '../../../ui/unsaved/unsaved-guard.tsx'
import type { CalendarSetting } from '../api.ts'
import { ForApps, OnlyFor } from '../notes.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { useCalendarTexts } from './texts-calendar.ts'

const PATH = '/settings/calendar'

/** The time zone and week of the workspace, and whether Hijri dates are shown (G-83). */
export function CalendarTab() {
  const t = useCalendarTexts()
  const { mayAdmin } = useSession()
  const setting = useRead<CalendarSetting>(PATH)
  return (
    <Section title={t('calendar')} text={t('calendarText')}>
      <ForApps text={t('calendarEffect')} />
      <Loaded read={setting} height={420}>
        {({ isSet, ...stored }) => (
          <>
            {!isSet && <Text size="sm">{t(mayAdmin ? 'notSet' : 'notSetYet')}</Text>}
            {mayAdmin ? (
              <CalendarForm key={JSON.stringify(stored)} stored={isSet ? stored : browserCalendar()} isSet={isSet} />
            ) : (
              isSet && <CalendarFacts calendar={stored} />
            )}
          </>
        )}
      </Loaded>
      {!mayAdmin && <OnlyFor who="admins" />}
    </Section>
  )
}

function CalendarForm({ stored, isSet }: { stored: WorkspaceCalendar; isSet: boolean }) {
  const t = useCalendarTexts()
  const client = useQueryClient()
  const [calendar, setCalendar] = useState(stored)
  const change = (part: Partial<WorkspaceCalendar>) => setCalendar((before) => ({ ...before, ...part }))
  const isChanged = JSON.stringify(calendar) !== JSON.stringify(stored)
  const save = useWrite<WorkspaceCalendar, CalendarSetting>((body) => ({ method: 'PUT', path: PATH, body }), {
    stale: [PATH],
    done: t('saved'),
    showsError: true,
  })
  const days = useWeekdays(calendar.firstDayOfWeek)
  const { timeZone, firstDayOfWeek, weekend, hijri } = calendar
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(calendar, { onSuccess: () => void client.invalidateQueries({ queryKey: ME }) })
      }}
    >
      <UnsavedGuard isDirty={isChanged && !save.isPending && !save.isSuccess} />
      <Stack gap="md" maw={560}>
        <ZoneSelect value={timeZone} onChange={(zone) => change({ timeZone: zone })} />
        <Select
          label={t('firstDay')}
          data={useWeekdays(1).map(({ day, long }) => ({ value: String(day), label: long }))}
          value={String(firstDayOfWeek)}
          onChange={(day) => change({ firstDayOfWeek: Number(day ?? firstDayOfWeek) })}
          allowDeselect={false}
          maw={280}
        />
        <Stack gap={6} role="group" aria-labelledby="weekend">
          <Text size="sm" fw={500} id="weekend">
            {t('weekend')}
          </Text>
          <Chip.Group
            multiple
            value={weekend.map(String)}
            onChange={(chosen) => change({ weekend: chosen.map(Number).toSorted((a, b) => a - b) })}
          >
            <Group gap={6}>
              {days.map(({ day, long }) => (
                <Chip key={day} value={String(day)} size="sm" radius="sm" disabled={weekend.length === 6 && !weekend.includes(day)}>
                  {long}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        </Stack>
        <Switch
          label={t('hijri')}
          description={t('hijriText')}
          checked={hijri}
          onChange={({ currentTarget }) => change({ hijri: currentTarget.checked })}
        />
        <Now calendar={calendar} />
        {save.error && <Failure error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending} disabled={isSet && !isChanged}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Every zone of the browser's database, with its clock just now; found by the place in either order of its parts. */
function ZoneSelect({ value, onChange }: { value: string; onChange: (zone: string) => void }) {
  const t = useCalendarTexts()
  const language = useLanguage()
  const zones = useMemo(() => {
    const now = new Date()
    const known = new Set([value, 'UTC', ...Intl.supportedValuesOf('timeZone')])
    return [...known].map((zone) => {
      const words = (style: 'long' | 'shortOffset') =>
        new Intl.DateTimeFormat(language === 'ar' ? 'ar-u-nu-latn' : 'en-GB', { timeZone: zone, timeZoneName: style })
          .formatToParts(now)
          .find(({ type }) => type === 'timeZoneName')?.value ?? ''
      return { value: zone, label: `${zone.replaceAll('_', ' ')} · ${words('long')} · ${words('shortOffset')}` }
    })
  }, [value, language])
  return (
    <Select
      label={t('zone')}
      description={t('zoneText')}
      data={zones}
      value={value}
      onChange={(zone) => onChange(zone ?? value)}
      searchable
      selectFirstOptionOnChange
      allowDeselect={false}
      limit={50}
      nothingFoundMessage={t('noZone')}
      // The list floats where it finds room, so a phone's keyboard does not cover it.
      comboboxProps={{ shadow: 'md' }}
    />
  )
}

/** How the dashboard would show this moment. */
function Now({ calendar: { timeZone, hijri } }: { calendar: WorkspaceCalendar }) {
  const t = useCalendarTexts()
  const format = formatOf(useLanguage(), timeZone, hijri)
  const now = new Date()
  return (
    <Text size="sm" c="dimmed">
      {t('now', { moment: format.moment(now) })}
      {hijri && ` · ${format.hijriDate(now)}`}
    </Text>
  )
}

function CalendarFacts({ calendar }: { calendar: WorkspaceCalendar }) {
  const t = useCalendarTexts()
  const format = useFormat()
  const days = useWeekdays(calendar.firstDayOfWeek)
  const { timeZone, firstDayOfWeek, weekend, hijri } = calendar
  const named = (wanted: readonly number[]) => days.filter(({ day }) => wanted.includes(day)).map(({ long }) => long)
  return (
    <Stack gap="xs">
      {(
        [
          ['zone', timeZone.replaceAll('_', ' ')],
          ['firstDay', format.list(named([firstDayOfWeek]))],
          ['weekend', weekend.length === 0 ? t('noWeekend') : format.list(named(weekend))],
          ['hijri', t(hijri ? 'yes' : 'no')],
        ] as const
      ).map(([name, value]) => (
        <Text key={name} size="sm">
          <Text span c="dimmed" inherit>
            {t(name)}:
          </Text>{' '}
          <bdi>{value}</bdi>
        </Text>
      ))}
      <Now calendar={calendar} />
    </Stack>
  )
}

/** The seven days from this one on. 2026-11-01 was a Sunday. */
function useWeekdays(first: number): { day: number; long: string }[] {
  const format = useFormat()
  return Array.from({ length: 7 }, (_, index) => {
    const day = (first + index) % 7
    return { day, long: format.longWeekday(`2026-11-0${day + 1}`) }
  })
}
