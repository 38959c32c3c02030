import { IconUsersGroup } from '@tabler/icons-react'
import { Stack, Text } from '@mantine/core'
import type { PersonRow } from '@contentflow/server/wire.ts'
import { usePages } from '../../data.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Listing, type Column } from '../../ui/listing.tsx'
import { EnvironmentSwitch, useEnvironment } from '../../ui/environment.tsx'
import { PersonLink } from './preview-panel.tsx'
import { useTexts } from './texts.ts'

type Member = Pick<PersonRow, 'userId' | 'deviceId' | 'name' | 'email' | 'phone'>

function useColumns(): Column<Member>[] {
  const t = useTexts()
  return [
    { id: 'member', title: t('member'), cell: (member) => <PersonLink {...member} /> },
    {
      id: 'contact',
      title: t('contact'),
      cell: ({ email, phone }) => (
        <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{email}</bdi>
          <bdi dir="ltr">{phone}</bdi>
        </Stack>
      ),
    },
  ]
}

export function Members({ segmentId }: { segmentId: string }) {
  const t = useTexts()
  const [environment, setEnvironment] = useEnvironment()
  const pages = usePages<Member>(`/segments/${encodeURIComponent(segmentId)}/members`, 'members', { environment })
  const columns = useColumns()
  return (
    <Stack maw={760}>
      <Text c="dimmed" size="sm">
        {t('membersNote')}
      </Text>
      <div>
        <EnvironmentSwitch value={environment} onChange={setEnvironment} />
      </div>
      <Listing
        label={t('membersTitle')}
        pages={pages}
        columns={columns}
        idOf={({ userId, deviceId }) => `${userId} ${deviceId}`}
        empty={<EmptyState icon={IconUsersGroup} title={t('noMembersTitle')} text={t('noMembersText')} />}
      />
    </Stack>
  )
}
