import { Anchor, List } from '@mantine/core'
import { Link } from 'react-router'
import { useSession } from '../../session.tsx'
import { Section } from '../../ui/section.tsx'
import { useReports } from './api.ts'
import { useTexts } from './texts-pinned.ts'

/** The reports that somebody put on the start page. */
export default function PinnedReports() {
  const t = useTexts()
  const { workspace } = useSession()
  const pinned = (useReports().data?.reports ?? []).filter(({ isPinned }) => isPinned)
  if (pinned.length === 0) return null
  return (
    <Section title={t('reports')}>
      <List spacing="xs">
        {pinned.map(({ id, name, kind }) => (
          <List.Item key={id}>
            <Anchor component={Link} to={`/w/${workspace.id}/analysis?${new URLSearchParams({ view: kind, report: id })}`}>
              <bdi>{name}</bdi>
            </Anchor>{' '}
            · {t(`view_${kind}`)}
          </List.Item>
        ))}
      </List>
    </Section>
  )
}
