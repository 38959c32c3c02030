import { Alert, Button, Checkbox, Group, Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { useTexts } from './texts.ts'

type Props = { title: string; warning: ReactNode; onClose: () => void; children: ReactNode }

/** The only time a secret is seen: it cannot be left before its reader says that it is stored. */
export function SecretDialog({ title, warning, onClose, children }: Props) {
  const t = useTexts()
  const [isStored, setStored] = useState(false)
  return (
    <Dialog opened onClose={onClose} title={title} size="lg" closeOnClickOutside={false} closeOnEscape={false} withCloseButton={false}>
      <Stack>
        <Alert color="orange" variant="light" icon={<IconAlertTriangle aria-hidden />} title={t('secretOnce')}>
          {warning}
        </Alert>
        {children}
        <Checkbox label={t('secretStored')} checked={isStored} onChange={({ currentTarget }) => setStored(currentTarget.checked)} />
        <Group justify="flex-end">
          <Button disabled={!isStored} onClick={onClose}>
            {t('secretDone')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
