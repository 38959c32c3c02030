import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useWrite } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Failure } from '../../ui/failure.tsx'
import type { Segment } from './api.ts'
import { useTexts } from './texts.ts'

/** Asks; what uses the segment is named first, and a second yes deletes it all the same. */
export function DeleteSegment({ segment, isOpen, onClose }: { segment: Segment; isOpen: boolean; onClose: () => void }) {
  const t = useTexts()
  const format = useFormat()
  const { workspace } = useSession()
  const navigate = useNavigate()
  const [uses, setUses] = useState<string>()
  const remove = useWrite<{ force: boolean }>(
    ({ force }) => ({ path: `/segments/${encodeURIComponent(segment.id)}`, method: 'DELETE', query: { force } }),
    { stale: [], done: t('removed'), showsError: true },
  )
  const close = () => {
    setUses(undefined)
    remove.reset()
    onClose()
  }
  const confirm = () =>
    remove.mutate(
      { force: uses !== undefined },
      {
        onSuccess: () => void navigate(`/w/${workspace.id}/segments`),
        onError: ({ status, message }) => status === 409 && setUses(message.replace(/; delete it all the same.*$/, '')),
      },
    )
  return (
    <Confirm
      isOpen={isOpen}
      onClose={close}
      onConfirm={confirm}
      title={t('removeTitle')}
      action={t(uses === undefined ? 'remove' : 'removeAnyway')}
      isDangerous
      isBusy={remove.isPending}
    >
      <Stack gap="sm">
        <Text size="sm">{t('removeText', { people: format.number(segment.memberCount) })}</Text>
        {uses !== undefined && (
          <div role="alert">
            <Text size="sm" fw={600}>
              {uses}
            </Text>
            <Text size="sm">{t('removeUsedText')}</Text>
          </div>
        )}
        {remove.error && remove.error.status !== 409 && <Failure error={remove.error} />}
      </Stack>
    </Confirm>
  )
}
