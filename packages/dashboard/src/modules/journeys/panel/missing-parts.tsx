import { Anchor, Button, List, Popover, Stack, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { useFormat } from '../../../format.ts'
import { isStopping } from '../draft/faults.ts'
import { useEditor } from '../editor-context.tsx'
import { useTexts } from '../texts.ts'
import { usePlaceTitle } from './all-faults.tsx'
import { useFaultWords } from './fault-list.tsx'

/** How much is missing before it can be activated, and a way to each. */
export function MissingParts() {
  const t = useTexts()
  const format = useFormat()
  const words = useFaultWords()
  const titleOf = usePlaceTitle()
  const { faults, select } = useEditor()
  const [isOpen, setOpen] = useState(false)
  const missing = [...faults].flatMap(([id, found]) => found.filter(isStopping).map((fault) => ({ id, fault })))
  const count = { count: missing.length, formatted: format.number(missing.length) }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={320} shadow="md" trapFocus withRoles={false}>
      <Popover.Target>
        <Button
          variant="subtle"
          color="orange"
          leftSection={<IconAlertCircle size={16} aria-hidden />}
          aria-expanded={isOpen}
          aria-haspopup="dialog"
          onClick={() => setOpen(!isOpen)}
        >
          {t('missing', count)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={t('missing', count)}>
        <Stack gap={6}>
          <Text size="sm" c="dimmed">
            {t('missingText')}
          </Text>
          <List size="sm" spacing={4} listStyleType="none">
            {missing.map(({ id, fault }) => (
              <List.Item key={`${id} ${JSON.stringify(fault)}`}>
                <Anchor
                  component="button"
                  type="button"
                  size="sm"
                  ta="start"
                  onClick={() => {
                    setOpen(false)
                    select(id === 'journey' ? undefined : id)
                  }}
                >
                  <b>{fault.kind === 'nameMissing' ? t('name') : titleOf(id)}</b>: {words(fault)}
                </Anchor>
              </List.Item>
            ))}
          </List>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
