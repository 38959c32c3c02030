import { Button, Center } from '@mantine/core'
import { IconMapQuestion } from '@tabler/icons-react'
import { Link } from 'react-router'
import { EmptyState } from '../ui/empty-state.tsx'
import { useTexts } from './texts.ts'

export function NotFound() {
  const t = useTexts()
  return (
    <Center mih="60vh" p="md">
      <EmptyState isPage icon={IconMapQuestion} title={t('notFoundTitle')} text={t('notFoundText')}>
        <Button component={Link} to="/">
          {t('goHome')}
        </Button>
      </EmptyState>
    </Center>
  )
}
