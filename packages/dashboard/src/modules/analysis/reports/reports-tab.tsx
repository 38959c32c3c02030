import { ActionIcon, Anchor, Group, Tooltip } from '@mantine/core'
import { IconPin, IconPinFilled, IconReportAnalytics, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { usePages, useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Listing, type Column } from '../../../ui/listing.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { REPORTS, type Report } from '../api.ts'
import { useTexts } from '../texts.ts'

/** The questions that are kept. */
export function ReportsTab() {
  const t = useTexts()
  const { workspace } = useSession()
  const pages = usePages<Report>(REPORTS, 'reports')
  return (
    <Listing
      label={t('view_reports')}
      pages={pages}
      columns={useColumns()}
      idOf={({ id }) => id}
      pathOf={({ id, kind }) => `/w/${workspace.id}/analysis?${new URLSearchParams({ view: kind, report: id })}`}
      empty={<EmptyState icon={IconReportAnalytics} title={t('noReportsTitle')} text={t('noReportsText')} />}
    />
  )
}

function useColumns(): Column<Report>[] {
  const t = useTexts()
  const { mayEdit } = useSession()
  return [
    {
      id: 'name',
      title: t('name'),
      cell: ({ id, kind, name }) => (
        <Anchor component={Link} to={`?${new URLSearchParams({ view: kind, report: id })}`} fw={600} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{name}</bdi>
        </Anchor>
      ),
    },
    { id: 'kind', title: t('kind'), cell: ({ kind }) => t(`view_${kind}`) },
    { id: 'changed', title: t('changed'), isExtra: true, cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
    ...(mayEdit ? [{ id: 'actions', title: t('actions'), cell: (report: Report) => <Actions report={report} /> }] : []),
  ]
}

function Actions({ report: { id, name, version, isPinned } }: { report: Report }) {
  const t = useTexts()
  const [isDeleting, setDeleting] = useState(false)
  const path = `${REPORTS}/${id}`
  const pin = useWrite<boolean>((wanted) => ({ method: 'PUT', path, version, body: { isPinned: wanted } }), {
    stale: [REPORTS],
    done: t('saved'),
  })
  const remove = useWrite<void>(() => ({ method: 'DELETE', path, version }), { stale: [REPORTS], done: t('deleted') })
  const pinText = `${isPinned ? t('unpin') : t('pin')}: ${name}`
  return (
    <Group gap={4} wrap="nowrap">
      <Tooltip label={isPinned ? t('unpin') : t('pin')}>
        <ActionIcon variant="subtle" color="gray" aria-label={pinText} onClick={() => pin.mutate(!isPinned)} loading={pin.isPending}>
          {isPinned ? <IconPinFilled size={16} aria-hidden /> : <IconPin size={16} aria-hidden />}
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t('delete')}>
        <ActionIcon variant="subtle" color="red" aria-label={`${t('delete')}: ${name}`} onClick={() => setDeleting(true)}>
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Confirm
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => setDeleting(false) })}
        title={t('deleteTitle')}
        action={t('delete')}
        isDangerous
        isBusy={remove.isPending}
      >
        {t('deleteText')}
      </Confirm>
    </Group>
  )
}
