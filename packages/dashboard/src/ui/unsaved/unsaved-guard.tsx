import { Button, Group, Text } from '@mantine/core'
import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { isUnsavedGivenUp, noteUnsaved } from '../../unsaved.ts'
import { Dialog } from '../dialog.tsx'
import { useTexts } from '../texts.ts'

/** Asks before a page with unsaved changes is left, inside the dashboard or by closing the tab. `onLeave`: they are given up. */
export function UnsavedGuard({ isDirty, onLeave }: { isDirty: boolean; onLeave?: () => void }) {
  const t = useTexts()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && !isUnsavedGivenUp() && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (!isDirty) return undefined
    const owner = {}
    noteUnsaved(owner, true)
    const ask = (event: BeforeUnloadEvent) => {
      if (!isUnsavedGivenUp()) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => {
      noteUnsaved(owner, false)
      removeEventListener('beforeunload', ask)
    }
  }, [isDirty])
  return (
    <Dialog opened={blocker.state === 'blocked'} onClose={() => blocker.reset?.()} title={t('unsavedTitle')}>
      <Text size="sm">{t('unsavedText')}</Text>
      <Group justify="flex-end" mt="md">
        <Button
          variant="default"
          onClick={() => {
            onLeave?.()
            blocker.proceed?.()
          }}
        >
          {t('leave')}
        </Button>
        <Button data-autofocus onClick={() => blocker.reset?.()}>
          {t('stay')}
        </Button>
      </Group>
    </Dialog>
  )
}
