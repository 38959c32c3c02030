import { Button, Group, Modal, Text } from '@mantine/core'
import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { useTexts } from './texts.ts'

/** Asks before a page with unsaved changes is left, inside the dashboard or by closing the tab. */
export function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const t = useTexts()
  const blocker = useBlocker(({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname)
  useEffect(() => {
    if (!isDirty) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isDirty])
  return (
    <Modal opened={blocker.state === 'blocked'} onClose={() => blocker.reset?.()} title={t('unsavedTitle')}>
      <Text size="sm">{t('unsavedText')}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={() => blocker.proceed?.()}>
          {t('leave')}
        </Button>
        <Button data-autofocus onClick={() => blocker.reset?.()}>
          {t('stay')}
        </Button>
      </Group>
    </Modal>
  )
}
