import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconInbox, IconMailOff, IconReceipt, IconUsers } from '@tabler/icons-react'
import { Link } from 'react-router'
import { usePages } from '../../data.ts'
import { useSession } from '../../session.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Listing, type Column } from '../../ui/listing.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { SearchField } from '../../ui/fields/search-field.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import type { PersonRow } from './api.ts'
import { EnvironmentSwitch, environmentQuery, useEnvironment, type Environment } from '../../ui/environment.tsx'
import { PlaceholderNotice } from './placeholders/placeholder-notice.tsx'
import { useTexts } from './texts.ts'
import { personPath } from '../../person-path.ts'

export function PeoplePage() {
  const t = useTexts()
  const { workspace } = useSession()
  const [search, setSearch] = useUrlState('search')
  const [environment, setEnvironment] = useEnvironment()
  const pages = usePages<PersonRow>('/users', 'users', { search, environment })
  const columns = useColumns(environment)
  return (
    <Page
      title={t('title')}
      subtitle={t('subtitle')}
      actions={
        <>
          <Button component={Link} to="closed-contacts" variant="default" leftSection={<IconMailOff size={16} aria-hidden />}>
            {t('closed')}
          </Button>
          <Button component={Link} to="requests" variant="default" leftSection={<IconInbox size={16} aria-hidden />}>
            {t('requests')}
          </Button>
          <Button component={Link} to="erasures" variant="default" leftSection={<IconReceipt size={16} aria-hidden />}>
            {t('erasures')}
          </Button>
        </>
      }
    >
      <Stack>
        <PlaceholderNotice environment={environment} />
        <Stack gap={4}>
          <Group gap="sm">
            <SearchField value={search} onChange={setSearch} label={t('search')} />
            <EnvironmentSwitch value={environment} onChange={setEnvironment} />
          </Group>
          <Text size="xs" c="dimmed">
            {t('searchHelp')}
          </Text>
        </Stack>
        <Listing
          label={t('title')}
          pages={pages}
          columns={columns}
          idOf={({ userId, deviceId }) => `${userId} ${deviceId}`}
          empty={<EmptyState icon={IconUsers} title={t('emptyTitle')} text={t(environment === 'test' ? 'emptyTestText' : 'emptyText')} />}
          search={search}
          pathOf={(person) => `/w/${workspace.id}${personPath(person)}${environmentQuery(environment)}`}
          onClearFilters={() => setSearch('')}
        />
      </Stack>
    </Page>
  )
}

function useColumns(environment: Environment): Column<PersonRow>[] {
  const t = useTexts()
  const { workspace } = useSession()
  const query = environmentQuery(environment)
  return [
    {
      id: 'person',
      title: t('person'),
      cell: ({ userId, deviceId, name }) => {
        const id = userId ?? deviceId ?? ''
        return (
          <Stack gap={0}>
            <Anchor
              component={Link}
              to={`/w/${workspace.id}${personPath({ userId, deviceId })}${query}`}
              fw={600}
              size="sm"
              style={{ overflowWrap: 'anywhere' }}
            >
              {name ?? (userId === null ? t('anonymous') : userId)}
            </Anchor>
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              <bdi className="cf-code">{id}</bdi>
            </Text>
          </Stack>
        )
      },
    },
    {
      id: 'email',
      title: t('email'),
      isExtra: true,
      cell: ({ email }) => (
        <bdi style={{ display: 'inline-block', minWidth: email ? 170 : undefined, overflowWrap: 'anywhere' }}>{email}</bdi>
      ),
    },
    { id: 'phone', title: t('phone'), isExtra: true, cell: ({ phone }) => <bdi dir="ltr">{phone}</bdi> },
    { id: 'lastSeen', title: t('lastSeen'), cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
    { id: 'firstSeen', title: t('firstSeen'), isExtra: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ]
}
