import { Button, Checkbox, Group, Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useMembersTexts } from './texts-members.ts'

/** A secret that is shown once: the window closes when it was passed on. */
export function PassedOn({ children, onClose }: { children: ReactNode; onClose: () => void }) {
  const t = useMembersTexts()
  const [isStored, setStored] = useState(false)
  return (
    <Stack>
      {children}
      <Checkbox label={t('passwordStored')} checked={isStored} onChange={({ currentTarget }) => setStored(currentTarget.checked)} />
      <Group justify="flex-end">
        <Button disabled={!isStored} onClick={onClose}>
          {t('done')}
        </Button>
      </Group>
    </Stack>
  )
}
