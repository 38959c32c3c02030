/** Events that end a run, wherever it stands. */
import { Button, Fieldset, Stack, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { KeyedPattern } from '@contentflow/core/journeys/journey.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useEditor } from '../editor-context.tsx'
import { useEventTexts } from '../texts-events.ts'
import { KeyedFields } from './event-fields.tsx'
import { Lockable } from './lockable.tsx'

export function ExitFields() {
  const t = useEventTexts()
  const { draft, edit } = useEditor()
  const exits = draft.exitOn ?? []
  const change = (next: KeyedPattern[], mark?: string) => edit({ ...draft, exitOn: next.length === 0 ? null : next }, mark)
  return (
    <Lockable>
      <Fieldset legend={t('exits')} variant="unstyled">
        <Stack gap="md" pt={4}>
          <Text size="xs" c="dimmed">
            {t('exitsHelp')}
          </Text>
          {exits.map((exit, index) => (
            <Stack key={index} gap="sm">
              <KeyedFields pattern={exit} onChange={(next, mark) => change(exits.with(index, next), `exit ${index} ${mark ?? ''}`)} />
              <Button
                size="compact-xs"
                variant="subtle"
                color="red"
                w="fit-content"
                leftSection={<IconTrash size={12} aria-hidden />}
                onClick={() => change(exits.toSpliced(index, 1))}
              >
                {t('removeExit')}
              </Button>
            </Stack>
          ))}
          {exits.length < LIMITS.journeyExits && (
            <Button
              size="compact-sm"
              variant="light"
              w="fit-content"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => change([...exits, { event: '' }])}
            >
              {t('addExit')}
            </Button>
          )}
        </Stack>
      </Fieldset>
    </Lockable>
  )
}
