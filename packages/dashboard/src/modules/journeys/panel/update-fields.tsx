import { Stack, Text } from '@mantine/core'
import type { Step } from '@contentflow/core/journeys/journey.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { useStepTexts } from '../texts-steps.ts'
import { ValueRows } from './values/value-rows.tsx'

type UpdateStep = Extract<Step, { type: 'update_profile' }>

export function UpdateFields({ step, onChange }: { step: UpdateStep; onChange: (next: Step, mark?: string) => void }) {
  const t = useStepTexts()
  return (
    <Stack gap="md">
      <ValueRows
        label={t('set')}
        description={t('setHelp')}
        addLabel={t('addAttribute')}
        values={step.set}
        hasTokens
        onChange={(set, mark) => onChange({ ...step, set }, `set ${mark}`)}
      />
      <NumberField
        label={t('expires')}
        description={t('expiresHelp')}
        value={step.expiresInDays}
        onChange={(days) => {
          const { expiresInDays: _, ...others } = step
          onChange(days === undefined ? others : { ...others, expiresInDays: days }, 'expires')
        }}
        min={1}
        max={LIMITS.enrichmentDaysMax}
        isWhole
      />
      <Text size="xs" c="dimmed">
        {t('setLater')}
      </Text>
    </Stack>
  )
}
