import { ActionIcon, Button, Menu, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { StepType } from '@contentflow/core/journeys/journey.ts'
import { findStep, type Place } from '../draft/step-tree.ts'
import { useEditor } from '../editor-context.tsx'
import { useTexts } from '../texts.ts'
import { stepTitle } from './step-words.ts'
import classes from '../journeys.module.css'

const TYPES: readonly StepType[] = ['wait', 'send', 'in_app', 'condition', 'exit']

/** The button between two steps. `isWide`: with its words, where there is nothing else. */
export function AddStep({ place, isWide }: { place: Place; isWide?: boolean }) {
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
        {TYPES.map((type) => (
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

function usePlaceWords({ parent, index }: Place): string {
  const t = useTexts()
  const { draft } = useEditor()
  const condition = parent && findStep(draft.steps, parent.id)
  const list = parent ? (condition?.type === 'condition' ? condition[parent.branch] : []) : draft.steps
  const before = list[index - 1]
  if (before) return t('placeAfter', { step: stepTitle(before, t) })
  return parent ? t('placeBranch', { branch: t(parent.branch === 'then' ? 'met' : 'otherwise') }) : t('placeFirst')
}
