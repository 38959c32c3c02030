import { Stack, Text } from '@mantine/core'
import { useNavigate } from 'react-router'
import { useWrite } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Failure } from '../../ui/failure.tsx'
import { useSegment, type Segment } from './api.ts'
import { useTexts } from './texts.ts'
import { UseList } from './use-list.tsx'

/** Asks; what uses the segment is named first, and a second yes deletes it all the same. */
export function DeleteSegment({ segment, isOpen, onClose }: { segment: Segment; isOpen: boolean; onClose: () => void }) {
  const t = useTexts()
  const format = useFormat()
  const { workspace } = useSession()
  const navigate = useNavigate()
  const { refetch } = useSegment(segment.id)
  const remove = useWrite<{ force: boolean }>(
    ({ force }) => ({ path: `/segments/${encodeURIComponent(segment.id)}`, method: 'DELETE', query: { force } }),
    { stale: [], done: t('removed'), showsError: true },
  )
  const isUsed = remove.error?.status === 409
  const close = () => {
    remove.reset()
    onClose()
  }
  const confirm = () =>
    remove.mutate(
      { force: isUsed },
      {
        onSuccess: () => void navigate(`/w/${workspace.id}/segments`),
        // The segment may have come into use since the page was opened.
        onError: ({ status }) => status === 409 && void refetch(),
      },
    )
  return (
    <Confirm
      isOpen={isOpen}
      onClose={close}
      onConfirm={confirm}
      title={t('removeTitle')}
      action={t(isUsed ? 'removeAnyway' : 'remove')}
      isDangerous
      isBusy={remove.isPending}
    >
      <Stack gap="sm">
        <Text size="sm">{t('removeText', { people: format.number(segment.memberCount) })}</Text>
        {isUsed && (
          <div role="alert">
            <Text size="sm" fw={600}>
              {t('usedBy')}
            </Text>
            <UseList usedBy={segment.usedBy} isWhole />
            <Text size="sm" mt="xs">
              {t('removeUsedText')}
            </Text>
          </div>
        )}
        {remove.error && !isUsed && <Failure error={remove.error} />}
      </Stack>
    </Confirm>
  )
}
