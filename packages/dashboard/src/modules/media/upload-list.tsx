import { CloseButton, Group, Paper, Progress, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useTexts } from './texts.ts'
import type { Uploads } from './use-uploads.ts'

/** The progress of each upload. It stays until it is closed, so that a failure is not missed. */
export function UploadList({ uploads: { items, dismiss } }: { uploads: Uploads }) {
  const t = useTexts()
  if (items.length === 0) return null
  const sending = items.filter(({ state }) => state === 'sending').length
  return (
    <Paper withBorder p="sm" role="status" aria-label={t('uploads')}>
      <Group justify="space-between" mb="xs">
        <Text size="sm" fw={600}>
          {sending > 0 ? t('uploading', { count: sending }) : t('uploads')}
        </Text>
        {sending === 0 && <CloseButton size="sm" aria-label={t('dismiss')} onClick={dismiss} />}
      </Group>
      <Stack gap="xs">
        {items.map(({ id, name, state, part, error }) => (
          <div key={id}>
            <Group gap="xs" wrap="nowrap" justify="space-between">
              <Text size="sm" truncate>
                <bdi>{name}</bdi>
              </Text>
              {state === 'done' && <IconCheck size={16} color="var(--mantine-color-teal-filled)" aria-label={t('uploadDone')} />}
              {state === 'failed' && <IconAlertTriangle size={16} color="var(--mantine-color-red-filled)" aria-label={t('uploadFailed')} />}
            </Group>
            {state === 'sending' && <Progress value={part * 100} size="sm" aria-label={name} />}
            {error !== undefined && (
              <Text size="xs" style={{ color: 'var(--mantine-color-error)' }}>
                {error}
              </Text>
            )}
          </div>
        ))}
      </Stack>
    </Paper>
  )
}
