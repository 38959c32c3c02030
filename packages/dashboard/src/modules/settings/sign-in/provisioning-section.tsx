import { Anchor, Badge, Group, List, Stack, Text } from '@mantine/core'
import { IconUsersGroup } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { ProvisionedUser, Provisioning } from '@contentflow/server/wire.ts'
import { usePages, useRead } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { CopyField } from '../../../ui/fields/copy-field.tsx'
import { Listing, type Column } from '../../../ui/listing.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { Section } from '../../../ui/section.tsx'
import { PROVISIONING } from './paths.ts'
import { useProvisioningTexts } from './texts-provisioning.ts'

/** Where the directory sends people and groups, and what became of them. */
export function ProvisioningSection() {
  const t = useProvisioningTexts()
  const read = useRead<Provisioning>(PROVISIONING)
  const users = usePages<ProvisionedUser>(`${PROVISIONING}/users`, 'users', { limit: 25 })
  return (
    <Section title={t('title')} text={t('text')}>
      <Loaded read={read} height={240}>
        {(state) => (
          <Stack>
            <div>
              <Text size="sm" fw={600}>
                {t('address')}
              </Text>
              <CopyField value={state.address} label={t('address')} />
            </div>
            <SetUp />
            <Counts state={state} />
            <Listing
              label={t('label')}
              pages={users}
              idOf={({ id }) => id}
              columns={columnsOf(t)}
              empty={<EmptyState icon={IconUsersGroup} title={t('none')} text={t('noneText')} />}
            />
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}

function SetUp() {
  const t = useProvisioningTexts()
  const { workspace } = useSession()
  return (
    <List type="ordered" size="sm" spacing={4}>
      <List.Item>{t('step_provider')}</List.Item>
      <List.Item>
        {t('step_token')}{' '}
        <Anchor component={Link} to={`/w/${workspace.id}/settings/access`} size="sm" underline="always">
          {t('toAccess')}
        </Anchor>
      </List.Item>
      <List.Item>{t('step_enter')}</List.Item>
    </List>
  )
}

function Counts({ state: { users, groups, changedAt } }: { state: Provisioning }) {
  const t = useProvisioningTexts()
  const format = useFormat()
  const facts = [
    [t('users'), users.total],
    [t('state_waiting'), users.waiting],
    [t('state_member'), users.member],
    [t('state_inactive'), users.inactive],
    ...(users.noRole > 0 ? [[t('state_noRole'), users.noRole] as const] : []),
    ...(users.stays > 0 ? [[t('state_stays'), users.stays] as const] : []),
    [t('groups'), groups],
  ] as const
  return (
    <Group gap="lg" component="dl" m={0}>
      {facts.map(([name, count]) => (
        <div key={name}>
          <Text component="dt" size="sm" c="dimmed">
            {name}
          </Text>
          <Text component="dd" m={0} fw={600}>
            {format.number(count)}
          </Text>
        </div>
      ))}
      {changedAt !== null && (
        <div>
          <Text component="dt" size="sm" c="dimmed">
            {t('changedAt')}
          </Text>
          <Text component="dd" m={0} fw={600}>
            <Moment at={changedAt} />
          </Text>
        </div>
      )}
    </Group>
  )
}

const COLORS: Record<ProvisionedUser['state'], string> = {
  waiting: 'blue',
  member: 'teal',
  noRole: 'orange',
  inactive: 'gray',
  stays: 'orange',
}

function columnsOf(t: ReturnType<typeof useProvisioningTexts>): Column<ProvisionedUser>[] {
  return [
    {
      id: 'name',
      title: t('name'),
      cell: ({ displayName, userName }) => (
        <Stack gap={0}>
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            <bdi>{displayName ?? userName}</bdi>
          </Text>
          {displayName !== null && (
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              <bdi>{userName}</bdi>
            </Text>
          )}
        </Stack>
      ),
    },
    {
      id: 'state',
      title: t('state'),
      cell: ({ state }) => (
        <Stack gap={2} align="start">
          <Badge variant="light" color={COLORS[state]} tt="none">
            {t(`state_${state}`)}
          </Badge>
          {(state === 'stays' || state === 'noRole') && (
            <Text size="xs" c="dimmed">
              {t(`state_${state}Text`)}
            </Text>
          )}
        </Stack>
      ),
    },
  ]
}
