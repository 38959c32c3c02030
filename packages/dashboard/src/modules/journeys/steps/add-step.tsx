import { ActionIcon, Button, Menu, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { hasBranches, STEP_TYPES } from '@contentflow/core/journeys/journey.ts'
import { findStep, type StepPosition } from '../draft/step-tree.ts'
import { useEditor } from '../editor-context.tsx'
import { useTexts } from '../texts.ts'
import { branchWords, stepTitle } from './step-words.ts'
import classes from '../journeys.module.css'

/** The button between two steps. `isWide`: with its words, where there is nothing else. */
export function AddStep({ place, isWide }: { place: StepPosition; isWide?: boolean }) {
  const t = useTexts()
  const { add, isLocked } = useEditor()
  const label = t('addStepHere', { place: usePlaceWords(place) })
  if (isLocked) return null
  return (
    <Menu shadow="md" width={260} position="bottom">
      <Menu.Target>
        {isWide ? (
          <Button size="xs" variant="light" leftSection={<IconPlus size={14} aria-hidden />} aria-label={label}>
            {t('addStep')}
          </Button>
        ) : (
          <ActionIcon size={24} radius="xl" variant="default" className={`${classes.plus} nopan`} aria-label={label}>
            <IconPlus size={14} aria-hidden />
          </ActionIcon>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        {STEP_TYPES.map((type) => (
          <Menu.Item key={type} onClick={() => add(type, place)}>
            <Text size="sm" fw={600}>
              {t(`step_${type}`)}
            </Text>
            <Text size="xs" c="dimmed">
              {t(`help_${type}`)}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function usePlaceWords({ parent, index }: StepPosition): string {
  const t = useTexts()
  const { draft } = useEditor()
  const found = parent && findStep(draft.steps, parent.id)
  const branching = found && hasBranches(found) ? found : undefined
  const list = parent ? (branching?.[parent.branch] ?? []) : draft.steps
  const before = list[index - 1]
  if (before) return t('placeAfter', { step: stepTitle(before, t) })
  return parent && branching ? t('placeBranch', { branch: branchWords(branching, parent.branch, t) }) : t('placeFirst')
}
