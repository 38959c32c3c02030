import { Select, Stack } from '@mantine/core'
import { EVENT_TYPES, type Goal } from '@contentflow/core/journeys/journey.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useEditor } from '../editor-context.tsx'
import { useTexts } from '../texts.ts'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { Lockable } from './lockable.tsx'

/** The goal: people who do it in time count as converted. */
export function GoalFields() {
  const t = useTexts()
  const { draft, edit } = useEditor()
  const { goal } = draft
  const change = (next: Goal | null, mark?: string) => edit({ ...draft, goal: next }, mark)
  return (
    <Lockable>
      <Stack gap="sm">
        <Select
          label={t('goal')}
          description={t('goalHelp')}
          placeholder={t('noGoal')}
          data={EVENT_TYPES.map((value) => ({ value, label: t(`event_${value}`) }))}
          value={goal?.eventType ?? null}
          onChange={(value) => {
            const eventType = EVENT_TYPES.find((each) => each === value)
            change(eventType ? { eventType, days: goal?.days ?? LIMITS.journeyGoalDays.default } : null)
          }}
          clearable
        />
        {goal && (
          <NumberField
            label={t('goalDays')}
            value={goal.days}
            onChange={(value) => change({ ...goal, days: value ?? Number.NaN }, 'goal days')}
            min={LIMITS.journeyGoalDays.min}
            max={LIMITS.journeyGoalDays.max}
            isWhole
            isNeeded
          />
        )}
      </Stack>
    </Lockable>
  )
}
