import { Select, Stack } from '@mantine/core'
import { EVENT_TYPES, isEventGoal, type Goal } from '@contentflow/core/journeys/journey.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useEditor } from '../editor-context.tsx'
import { useTexts } from '../texts.ts'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { KeyedFields } from './event-fields.tsx'
import { Lockable } from './lockable.tsx'

/** The choice of an event by its own name. */
const ANY = 'custom'

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
          data={[
            ...EVENT_TYPES.map((value) => ({ value: value as string, label: t(`event_${value}`) })),
            { value: ANY, label: t('trigger_custom_event') },
          ]}
          value={goal && (isEventGoal(goal) ? ANY : goal.eventType)}
          onChange={(value) => {
            if (value === ANY) return change({ event: '', days: goal?.days ?? LIMITS.journeyGoalDays.default })
            const eventType = EVENT_TYPES.find((each) => each === value)
            change(eventType ? { eventType, days: goal?.days ?? LIMITS.journeyGoalDays.default } : null)
          }}
          clearable
        />
        {goal && isEventGoal(goal) && <KeyedFields pattern={goal} onChange={(next, mark) => change(next, `goal ${mark ?? ''}`)} />}
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
