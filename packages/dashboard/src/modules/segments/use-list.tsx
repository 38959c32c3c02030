import { Anchor, List, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useSession } from '../../session.tsx'
import { useBlockNames } from '../../ui/use-block-names.ts'
import type { UsedBy } from './api.ts'
import { useTexts } from './texts.ts'

/** Places shown in a row of the list; the rest is counted. */
const SHOWN = 2

/** The uses of a segment, with links to them. */
export function UseList({ usedBy, isWhole }: { usedBy: UsedBy; isWhole?: boolean }) {
  const { instances, instanceCount, segments, campaigns, journeys, messages = [] } = usedBy
  const t = useTexts()
  const { workspace } = useSession()
  const root = `/w/${workspace.id}`
  const blockNames = useBlockNames()
  const links = [
    ...instances.map(({ id, blockKey, title }) => ({
      id,
      to: `${root}/content/${encodeURIComponent(blockKey)}/${encodeURIComponent(id)}`,
      label: t('usedByInstance', { name: title || id.slice(0, 8), block: blockNames.get(blockKey) ?? blockKey }),
    })),
    ...segments.map(({ id, name }) => ({ id, to: `${root}/segments/${id}`, label: t('usedBySegment', { name }) })),
    ...campaigns.map(({ id, name }) => ({ id, to: `${root}/campaigns/${id}`, label: t('usedByCampaign', { name }) })),
    ...journeys.map(({ id, name }) => ({ id, to: `${root}/journeys/${id}`, label: t('usedByJourney', { name }) })),
    ...messages.map(({ id, name }) => ({ id, to: undefined, label: t('usedByMessage', { name }) })),
  ]
  const count = instanceCount + segments.length + campaigns.length + journeys.length + messages.length
  const shown = isWhole ? links : links.slice(0, SHOWN)
  if (count === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('notUsed')}
      </Text>
    )
  return (
    <List listStyleType="none" size="sm">
      {shown.map(({ id, to, label }) => (
        <List.Item key={id}>
          {to === undefined ? (
            label
          ) : (
            <Anchor component={Link} to={to} size="sm" style={{ overflowWrap: 'anywhere' }}>
              {label}
            </Anchor>
          )}
        </List.Item>
      ))}
      {count > shown.length && <List.Item>{t('usedByCount', { count: count - shown.length })}</List.Item>}
    </List>
  )
}
