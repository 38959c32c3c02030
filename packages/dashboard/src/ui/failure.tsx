import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { ApiError } from '../api.ts'
import { useAwaySince } from '../away.ts'
import { useFormat } from '../format.ts'
import { useRefusal } from '../refusals.ts'
import { useTexts } from './texts.ts'

/** An error in the server's words, and how to go on. */
export function Failure({ error, title, onRetry }: { error: Error; title?: string; onRetry?: () => void }) {
  const t = useTexts()
  const say = useRefusal()
  const format = useFormat()
  const since = useAwaySince()
  const isAway = error instanceof ApiError && error.isAway
  // A code says more than that, and before signing in there is no role yet.
  const isForbidden = error instanceof ApiError && error.status === 403 && error.code === undefined && !/ \/auth\//.test(error.asked)
  return (
    <Alert
      role="alert"
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title={title ?? (isAway ? t('offlineTitle') : t('failedTitle'))}
      maw={720}
    >
      <Stack align="flex-start" gap="xs">
        <Text size="sm">
          {isAway
            ? onRetry
              ? t('awayText', { time: format.clock(since ?? Date.now()) })
              : t('offlineText')
            : isForbidden
              ? t('forbiddenText')
              : say(error)}
        </Text>
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('retry')}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
