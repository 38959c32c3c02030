import { Alert } from '@mantine/core'
import { IconPlayerPause } from '@tabler/icons-react'
import { useSession } from '../session.tsx'
import { useTexts } from './texts.ts'

/** Shown above every page of a suspended workspace, because most actions there are refused. */
export function SuspendedNotice() {
  const t = useTexts()
  const { workspace } = useSession()
  return (
    <div role="status">
      {workspace.isSuspended && (
        <Alert color="orange" icon={<IconPlayerPause aria-hidden />} title={t('suspendedTitle')} mb="md">
          {t('suspendedText')}
        </Alert>
      )}
    </div>
  )
}
