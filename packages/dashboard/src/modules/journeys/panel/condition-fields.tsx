import { Stack, Text } from '@mantine/core'
import { canonicalJson } from '@contentflow/core/json/canonical-json.ts'
import { useState } from 'react'
import { useOccurringFields } from '../../segments/api.ts'
import { RuleGroup } from '../../segments/rules/rule-group.tsx'
import { toDraft, toRules, type DraftGroup } from '../../segments/rules/rule-tree.ts'
import type { Condition } from '../draft/step-tree.ts'
import { useTexts } from '../texts.ts'

/** The rules of a segment, asked of one person when they come here. */
export function ConditionFields({ step, onChange }: { step: Condition; onChange: (step: Condition, mark?: string) => void }) {
  const t = useTexts()
  const { fields } = useOccurringFields('')
  const [held, setHeld] = useState<DraftGroup>(() => toDraft(step.rule))
  // The rows keep their keys while they are typed in; after an undo they are those of the step again.
  // The database gives members in an order of its own.
  const isSame = canonicalJson(toRules(held)) === canonicalJson(step.rule)
  const root = isSame ? held : toDraft(step.rule)
  if (!isSame) setHeld(root)
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {t('whoGoes')}
      </Text>
      <RuleGroup
        group={root}
        depth={0}
        root={root}
        onChange={(next) => {
          setHeld(next)
          onChange({ ...step, rule: toRules(next) }, 'rule')
        }}
        fields={fields}
        refused={undefined}
        isChecked
      />
    </Stack>
  )
}
