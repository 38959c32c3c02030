import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconPlayerPause } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useWrite } from '../data.ts'
import { useFormat } from '../format.ts'
import { useEndingTexts } from '../modules/settings/workspace/texts-ending.ts'
import { ME, useSession } from '../session.tsx'
import { useTexts } from './texts.ts'

/** Shown above every page of a suspended workspace, because most actions there are refused, and of one that an admin deleted. */
export function SuspendedNotice() {
  const t = useTexts()
  const { workspace } = useSession()
  return (
    <div role="status">
      {workspace.endsAt ? (
        <EndingNotice endsAt={workspace.endsAt} />
      ) : (
        workspace.isSuspended && (
          <Alert color="orange" icon={<IconPlayerPause aria-hidden />} title={t('suspendedTitle')} mb="md">
            {t('suspendedText')}
          </Alert>
        )
      )}
    </div>
  )
}

function EndingNotice({ endsAt }: { endsAt: string }) {
  const t = useEndingTexts()
  const format = useFormat()
  const client = useQueryClient()
  const { workspace, mayAdmin } = useSession()
  const restore = useWrite<void>(() => ({ method: 'POST', path: `/workspaces/${workspace.id}/restore`, body: {} }), {
    stale: [],
    done: t('restored'),
  })
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={t('ends', { date: format.date(endsAt) })} mb="md">
      <Stack align="flex-start" gap="sm">
        <Text size="sm">{t('endsText')}</Text>
        {mayAdmin && (
          <Button
            variant="default"
            loading={restore.isPending}
            onClick={() => restore.mutate(undefined, { onSuccess: () => void client.invalidateQueries({ queryKey: ME }) })}
          >
            {t('restore')}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
