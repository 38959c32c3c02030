import { Alert } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { useAwaySince } from '../away.ts'
import { useFormat } from '../format.ts'
import { useTexts } from './texts.ts'

/** Shown above every page while the server does not answer. */
export function AwayNotice() {
  const t = useTexts()
  const format = useFormat()
  const since = useAwaySince()
  return (
    <div role="status">
      {since !== undefined && (
        <Alert color="yellow" icon={<IconCloudOff aria-hidden />} mb="md">
          {t('awaySince', { time: format.clock(since) })}
        </Alert>
      )}
    </div>
  )
}
