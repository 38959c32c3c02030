import { Anchor, Group, Text } from '@mantine/core'
import { IconSpeakerphone } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useRead } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { campaignPath, type Campaign } from '../campaigns/api.ts'
import { CampaignState } from '../campaigns/campaign-state.tsx'
import classes from './home.module.css'

const SHOWN = 5
const SOON_MS = 14 * 86_400_000

/** Campaigns that start within these days, the soonest first. */
export function NextCampaigns() {
  const format = useFormat()
  const { workspace } = useSession()
  const { data } = useRead<{ campaigns: Campaign[] }>('/campaigns', { status: 'scheduled', limit: 50 }, { every: 60_000 })
  const next = (data?.campaigns ?? [])
    .filter((campaign) => startOf(campaign) < Date.now() + SOON_MS)
    .toSorted((a, b) => startOf(a) - startOf(b))
    .slice(0, SHOWN)
  return (
    <ul className={classes.rows}>
      {next.map(({ id, name, status, schedule: { startTime } }) => (
        <li key={id}>
          <Group justify="space-between" wrap="nowrap" gap="sm">
            <Group gap="xs" wrap="nowrap" miw={0}>
              <IconSpeakerphone size={16} aria-hidden style={{ flexShrink: 0 }} />
              <div style={{ minWidth: 0 }}>
                <Anchor
                  component={Link}
                  to={campaignPath(workspace.id, id)}
                  c="inherit"
                  size="sm"
                  fw={600}
                  dir="auto"
                  className="cf-foreign"
                >
                  {name}
                </Anchor>
                <Text size="sm" c="dimmed">
                  <time dateTime={startTime}>{format.moment(startTime)}</time>
                </Text>
              </div>
            </Group>
            <CampaignState status={status} />
          </Group>
        </li>
      ))}
    </ul>
  )
}

function startOf({ schedule: { startTime } }: Campaign): number {
  return Date.parse(startTime)
}
