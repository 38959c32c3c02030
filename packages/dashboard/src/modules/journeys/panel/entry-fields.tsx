/** How often a person enters by an event. */
import { Group, Select, Stack } from '@mantine/core'
import { ENTRY_POLICIES, type Entry } from '@contentflow/core/journeys/journey.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { useEditor } from '../editor-context.tsx'
import { useEventTexts } from '../texts-events.ts'

const REPEATS = ['ignore', 'restart'] as const

export function EntryFields() {
  const t = useEventTexts()
  const { draft, edit } = useEditor()
  const entry: Entry = draft.entry ?? { policy: 'once' }
  const change = (next: Entry, mark?: string) => edit({ ...draft, entry: next.policy === 'once' ? null : next }, mark)
  /** A member that was emptied goes. */
  const set = (name: 'minGapMinutes' | 'maxActive', value: number | undefined) => {
    const { [name]: _, ...others } = entry
    change(value === undefined ? others : { ...others, [name]: value }, name)
  }
  const setEntries = (count: number | undefined, days: number) => {
    const { maxEntries: _, ...others } = entry
    change(count === undefined ? others : { ...others, maxEntries: { count, days } }, 'maxEntries')
  }
  return (
    <Stack gap="sm">
      <Select
        label={t('policy')}
        description={t(`policyHelp_${entry.policy}`)}
        data={ENTRY_POLICIES.map((value) => ({ value, label: t(`policy_${value}`) }))}
        value={entry.policy}
        onChange={(value) => change({ policy: ENTRY_POLICIES.find((each) => each === value) ?? 'once' })}
        allowDeselect={false}
      />
      {entry.policy === 'every_event' && (
        <>
          <Select
            label={t('onRepeat')}
            data={REPEATS.map((value) => ({ value, label: t(`onRepeat_${value}`) }))}
            value={entry.onRepeat ?? 'ignore'}
            onChange={(value) => change({ ...entry, onRepeat: REPEATS.find((each) => each === value) ?? 'ignore' })}
            allowDeselect={false}
          />
          <NumberField
            label={t('maxActive')}
            value={entry.maxActive ?? LIMITS.journeyMaxActive.default}
            onChange={(value) => set('maxActive', value ?? undefined)}
            min={LIMITS.journeyMaxActive.min}
            max={LIMITS.journeyMaxActive.max}
            isWhole
          />
        </>
      )}
      {entry.policy !== 'once' && (
        <>
          <NumberField
            label={t('minGap')}
            value={entry.minGapMinutes ?? 0}
            onChange={(value) => set('minGapMinutes', value || undefined)}
            {...LIMITS.journeyMinGapMinutes}
            isWhole
          />
          <Group gap="xs" align="flex-end" grow>
            <NumberField
              label={t('maxEntries')}
              value={entry.maxEntries?.count ?? 0}
              onChange={(value) => setEntries(value || undefined, entry.maxEntries?.days ?? 30)}
              min={0}
              max={LIMITS.journeyMaxEntries.max}
              isWhole
            />
            {entry.maxEntries && (
              <NumberField
                label={t('maxEntriesDays')}
                value={entry.maxEntries.days}
                onChange={(value) => setEntries(entry.maxEntries?.count, value ?? Number.NaN)}
                {...LIMITS.journeyMaxEntriesDays}
                isWhole
                isNeeded
              />
            )}
          </Group>
        </>
      )}
    </Stack>
  )
}
