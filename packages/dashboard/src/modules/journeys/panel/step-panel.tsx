import { ActionIcon, Button, CloseButton, Group, Stack, Text, Title, Tooltip } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import { hasBranches, type Step } from '@contentflow/core/journeys/journey.ts'
import { useEffect, useRef } from 'react'
import { findStep, moveStep, removeStep } from '../draft/step-tree.ts'
import { TRIGGER, useEditor } from '../editor-context.tsx'
import { stepTitle } from '../steps/step-words.ts'
import { useTexts } from '../texts.ts'
import { ExitFields } from './exit-fields.tsx'
import { FaultList } from './fault-list.tsx'
import { GoalFields } from './goal-fields.tsx'
import { StepFields } from './step-fields.tsx'
import { TriggerFields } from './trigger-fields.tsx'

/** Edits the selected step. `hasHead`: shows its name and a close button; a drawer has its own. */
export function StepPanel({ hasHead }: { hasHead: boolean }) {
  const t = useTexts()
  const { draft, selected, select, faults, isLocked } = useEditor()
  const step = selected === undefined ? undefined : findStep(draft.steps, selected)
  const head = useRef<HTMLHeadingElement>(null)
  // The focus moves here when a step was chosen with the keyboard, and returns to it afterwards.
  useEffect(() => head.current?.focus({ preventScroll: true }), [selected])
  const close = () => {
    if (selected !== undefined) document.querySelector<HTMLElement>(`[data-step="${CSS.escape(selected)}"]`)?.focus()
    select(undefined)
  }
  if (!step && selected !== TRIGGER)
    return (
      <Text size="sm" c="dimmed">
        {t('chooseStep')}
      </Text>
    )
  return (
    <Stack gap="md">
      {hasHead && (
        <Group justify="space-between" wrap="nowrap">
          <Title order={2} size="h3" tabIndex={-1} ref={head} style={{ outline: 'none' }}>
            <PanelTitle />
          </Title>
          <CloseButton aria-label={t('closePanel')} onClick={close} />
        </Group>
      )}
      <FaultList faults={faults.get(selected ?? '') ?? []} />
      <div key={selected}>
        {step ? (
          <StepFields step={step} />
        ) : (
          <Stack gap="lg">
            <TriggerFields />
            <GoalFields />
            <ExitFields />
          </Stack>
        )}
      </div>
      {step && !isLocked && <StepActions step={step} />}
    </Stack>
  )
}

export function PanelTitle() {
  const t = useTexts()
  const { draft, selected } = useEditor()
  const step = selected === undefined ? undefined : findStep(draft.steps, selected)
  return step ? stepTitle(step, t) : t('trigger')
}

function StepActions({ step }: { step: Step }) {
  const t = useTexts()
  const { draft, edit, select } = useEditor()
  const moved = { earlier: moveStep(draft.steps, step.id, -1), later: moveStep(draft.steps, step.id, 1) }
  const move = (steps: Step[] | undefined) => steps && edit({ ...draft, steps })
  const remove = () => {
    edit({ ...draft, steps: removeStep(draft.steps, step.id) })
    select(undefined)
  }
  const isFull = hasBranches(step) && step.then.length + step.else.length > 0
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Group gap={4}>
          <Tooltip label={t('moveEarlier')}>
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={t('moveEarlier')}
              disabled={!moved.earlier}
              onClick={() => move(moved.earlier)}
            >
              <IconArrowUp size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t('moveLater')}>
            <ActionIcon variant="default" size="lg" aria-label={t('moveLater')} disabled={!moved.later} onClick={() => move(moved.later)}>
              <IconArrowDown size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Group>
        <Button variant="subtle" color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={remove}>
          {t('removeStep')}
        </Button>
      </Group>
      {isFull && (
        <Text size="xs" c="dimmed">
          {t('removeBranches')}
        </Text>
      )}
    </Stack>
  )
}
