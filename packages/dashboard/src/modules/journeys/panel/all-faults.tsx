import { List, Stack, Text } from '@mantine/core'
import { findStep } from '../draft/step-tree.ts'
import { useEditor } from '../editor-context.tsx'
import { stepTitle } from '../steps/step-words.ts'
import { useFaultTexts } from '../texts-faults.ts'
import { useTexts } from '../texts.ts'
import { useFaultWords } from './fault-list.tsx'

/** The title of the thing that a fault is about, by its id. */
export function usePlaceTitle(): (id: string) => string {
  const t = useTexts()
  const { draft } = useEditor()
  return (id) => {
    const step = findStep(draft.steps, id)
    return step ? stepTitle(step, t) : t(id === 'trigger' ? 'trigger' : 'tabSteps')
  }
}

/** Everything that the checks found, with the step it is about. */
export function AllFaults() {
  const t = useTexts()
  const texts = useFaultTexts()
  const words = useFaultWords()
  const { faults } = useEditor()
  const titleOf = usePlaceTitle()
  if (faults.size === 0)
    return (
      <Text size="sm" c="dimmed">
        {texts('allGood')}
      </Text>
    )
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {t('activateChecks')}
      </Text>
      <List size="sm" spacing={4}>
        {[...faults].flatMap(([id, found]) =>
          found.map((fault) => (
            <List.Item key={`${id} ${JSON.stringify(fault)}`}>
              <b>{titleOf(id)}</b>: {words(fault)}
            </List.Item>
          )),
        )}
      </List>
    </Stack>
  )
}
