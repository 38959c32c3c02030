import { IconUsersGroup } from '@tabler/icons-react'
import { Stack, Text } from '@mantine/core'
import { usePages, type Pages } from '../../data.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Listing } from '../../ui/listing.tsx'
import { EnvironmentSwitch, useEnvironment } from '../../ui/environment.tsx'
import { PersonLink } from './preview-panel.tsx'
import { useTexts } from './texts.ts'

type Member = { userId: string | null; deviceId: string | null }

/** The stored members, by pages. One answer carries users and anonymous devices, so both readings share it. */
function useMembers(segmentId: string, environment: string): Pages<Member> {
  const path = `/segments/${encodeURIComponent(segmentId)}/members`
  const users = usePages<string>(path, 'userIds', { environment })
  const devices = usePages<string>(path, 'deviceIds', { environment })
  const items = [
    ...users.items.map((userId): Member => ({ userId, deviceId: null })),
    ...devices.items.map((deviceId): Member => ({ userId: null, deviceId })),
  ]
  return { ...users, items }
}

function linkOf(member: Member) {
  return <PersonLink {...member} />
}

export function Members({ segmentId }: { segmentId: string }) {
  const t = useTexts()
  const [environment, setEnvironment] = useEnvironment()
  const pages = useMembers(segmentId, environment)
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
        columns={[{ id: 'member', title: t('member'), cell: linkOf }]}
        idOf={({ userId, deviceId }) => `${userId} ${deviceId}`}
        empty={<EmptyState icon={IconUsersGroup} title={t('noMembersTitle')} text={t('noMembersText')} />}
      />
    </Stack>
  )
}
