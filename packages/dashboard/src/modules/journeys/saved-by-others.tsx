import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTexts } from './texts.ts'

/** Whoever saves over the other does so on purpose. */
export function SavedByOthers({ onMine, onTheirs }: { onMine: () => void; onTheirs: () => void }) {
  const t = useTexts()
  return (
    <Alert color="yellow" role="alert" icon={<IconAlertTriangle aria-hidden />} title={t('changedTitle')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t('changedText')}</Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={onMine}>
            {t('saveMine')}
          </Button>
          <Button size="xs" onClick={onTheirs}>
            {t('loadTheirs')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
