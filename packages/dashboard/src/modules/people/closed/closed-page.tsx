import type { ClosedContact } from '@contentflow/server/wire.ts'
import { CLOSABLE } from '@contentflow/core/channels/channel.ts'
import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconMailOff } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { usePages, useWrite } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FilterSelect } from '../../../ui/fields/filter-select.tsx'
import { Listing, type Column } from '../../../ui/listing.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { Page } from '../../../ui/page.tsx'
import { useUrlState } from '../../../ui/url-state.ts'
import { useTexts } from '../texts.ts'
import { useClosedTexts } from './texts.ts'
import { personPath } from '../../../person-path.ts'

const STALE = ['/contacts', '/users', '/campaigns']
type Channel = ClosedContact['channel']

/** Contacts that providers said do not exist, and the way to write to them again (G-88). */
export function ClosedPage() {
  const t = useClosedTexts()
  const people = useTexts()
  const { workspace, mayEdit } = useSession()
  const [asked, setChannel] = useUrlState('channel')
  const channel = CLOSABLE.find((each) => each === asked)
  const pages = usePages<ClosedContact>('/contacts/closed', 'contacts', { channel })
  const columns = useColumns(mayEdit)
  return (
    <Page
      title={t('title')}
      subtitle={t('subtitle')}
      path={[{ label: people('title'), to: `/w/${workspace.id}/people` }]}
      actions={mayEdit && channel && pages.items.length > 0 ? <OpenAll channel={channel} /> : undefined}
    >
      <Stack>
        <Stack gap={4}>
          <Group gap="sm">
            <FilterSelect
              label={t('channel')}
              data={CLOSABLE.map((value) => ({ value, label: t(`channel_${value}`) }))}
              value={channel ?? ''}
              onChange={setChannel}
              width={200}
            />
          </Group>
          <Text size="xs" c="dimmed">
            {t('help')} {mayEdit && !channel && pages.items.length > 0 && t('whyChannel')}
          </Text>
        </Stack>
        <Listing
          label={t('title')}
          pages={pages}
          columns={columns}
          idOf={({ userId, deviceId, channel: of }) => `${userId} ${deviceId} ${of}`}
          empty={<EmptyState icon={IconMailOff} title={t('emptyTitle')} text={t('emptyText')} />}
          isFiltered={channel !== undefined}
          onClearFilters={() => setChannel('')}
        />
      </Stack>
    </Page>
  )
}

function OpenAll({ channel }: { channel: Channel }) {
  const t = useClosedTexts()
  const format = useFormat()
  const [isAsking, setIsAsking] = useState(false)
  const open = useWrite<void, { opened: number }>(() => ({ method: 'POST', path: '/contacts/open', body: { channel, all: true } }), {
    stale: STALE,
    done: ({ opened }) => t('openedAll', { formatted: format.number(opened) }),
  })
  const close = () => setIsAsking(false)
  return (
    <>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        {t('openAll')}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={close}
        onConfirm={() => open.mutate(undefined, { onSettled: close })}
        title={t('openAllTitle', { channel: t(`channel_${channel}`) })}
        action={t('openAll')}
        isBusy={open.isPending}
      >
        {t('openAllText')}
      </Confirm>
    </>
  )
}

function OpenOne({ contact }: { contact: ClosedContact }) {
  const t = useClosedTexts()
  const { channel, userId, deviceId, address } = contact
  const body = { channel, userIds: [userId ?? deviceId ?? ''] }
  const open = useWrite<void>(() => ({ method: 'POST', path: '/contacts/open', body }), { stale: STALE, done: t('opened') })
  return (
    <Button size="xs" variant="default" loading={open.isPending} onClick={() => open.mutate()} aria-label={t('openOne', { address })}>
      {t('open')}
    </Button>
  )
}

function useColumns(mayEdit: boolean): Column<ClosedContact>[] {
  const t = useClosedTexts()
  const { workspace } = useSession()
  const pathOf = (person: ClosedContact) => `/w/${workspace.id}${personPath(person)}`
  return [
    {
      id: 'address',
      title: t('address'),
      cell: (contact) => (
        <Stack gap={0}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            <bdi dir="ltr">{contact.address}</bdi>
          </Text>
          <Anchor component={Link} to={pathOf(contact)} size="xs" style={{ overflowWrap: 'anywhere' }}>
            <bdi>{contact.name ?? contact.userId ?? t('anonymous')}</bdi>
          </Anchor>
          <Text size="xs" c="dimmed" hiddenFrom="sm" style={{ overflowWrap: 'anywhere' }}>
            <bdi dir="ltr">{contact.reason}</bdi>
          </Text>
        </Stack>
      ),
    },
    { id: 'channel', title: t('channel'), isExtra: true, cell: ({ channel }) => t(`channel_${channel}`) },
    {
      id: 'said',
      title: t('said'),
      isExtra: true,
      cell: ({ reason }) => (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <bdi dir="ltr">{reason}</bdi>
        </Text>
      ),
    },
    { id: 'when', title: t('when'), isExtra: true, cell: ({ at }) => <Moment at={at} /> },
    ...(mayEdit
      ? [{ id: 'open', title: t('decision'), align: 'end' as const, cell: (contact: ClosedContact) => <OpenOne contact={contact} /> }]
      : []),
  ]
}
