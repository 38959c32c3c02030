import { Button, Group, Stack, Table, Text } from '@mantine/core'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { call } from '../../../api.ts'
import { usePages } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { mailApi, type MailRevision } from '../api.ts'
import { useTexts } from '../texts.ts'

type RevisionsProps = {
  id: string
  onClose: () => void
  /** Undefined: it is only read. */
  onTake: ((version: number, document: MailDocument) => void) | undefined
}

/** The versions that are kept, the newest first; one of them can be taken into the editor. */
export function Revisions({ id, onClose, onTake }: RevisionsProps) {
  const t = useTexts()
  const format = useFormat()
  const { workspace } = useSession()
  const path = `${mailApi(id)}/revisions`
  const pages = usePages<MailRevision>(path, 'revisions')
  const take = async (version: number) => {
    const { data } = await call<{ document: MailDocument }>(`${path}/${version}`, { workspaceId: workspace.id })
    onTake?.(version, data.document)
  }
  return (
    <Dialog opened onClose={onClose} title={t('revisions')} size="lg">
      <Stack>
        <Text size="sm" c="dimmed">
          {t('revisionsText')}
        </Text>
        {pages.error && <Failure error={pages.error} onRetry={pages.retry} />}
        <Table aria-label={t('revisions')}>
          <Table.Tbody>
            {pages.items.map(({ version, madeAt }, index) => (
              <Table.Tr key={version}>
                <Table.Td>{t('revision', { version: format.number(version) })}</Table.Td>
                <Table.Td>
                  <Moment at={madeAt} />
                </Table.Td>
                <Table.Td>
                  <Group justify="flex-end">
                    {onTake && index > 0 && (
                      <Button variant="default" size="xs" onClick={() => void take(version)}>
                        {t('useRevision')}
                      </Button>
                    )}
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {pages.hasMore && (
          <Button variant="default" onClick={pages.loadMore} loading={pages.isMoreLoading}>
            …
          </Button>
        )}
      </Stack>
    </Dialog>
  )
}
