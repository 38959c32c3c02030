import { Button, Center } from '@mantine/core'
import { IconMoodSad } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { EmptyState } from '../ui/empty-state.tsx'
import { useTexts } from './texts.ts'

/** What is shown when a page breaks, or its files are gone because a newer version was installed. */
export function PageFailure() {
  const t = useTexts()
  const error = useRouteError()
  useEffect(() => reportError(error), [error])
  return (
    <Center mih="60vh" p="md">
      <EmptyState isPage icon={IconMoodSad} title={t('failedTitle')} text={t('failedText')}>
        <Button onClick={() => location.reload()}>{t('reload')}</Button>
      </EmptyState>
    </Center>
  )
}
