import { Anchor, Paper, Stack, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { useSession } from '../../../session.tsx'
import { UseList } from '../../segments/use-list.tsx'
import type { Import } from '../api.ts'
import { useImportTexts } from './texts.ts'

/** The segments that may get other members by it, and the campaigns and journeys that go by these. */
export function Affected({ held: { affectedSegments } }: { held: Import }) {
  const t = useImportTexts()
  const { workspace } = useSession()
  if (!affectedSegments) return null
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2}>{t('affected')}</Title>
        <Text size="sm">{t(affectedSegments.length === 0 ? 'affectedNone' : 'affectedText')}</Text>
        {affectedSegments.length > 0 && (
          <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('affected')}>
            {affectedSegments.map(({ id, name, usedBy }) => (
              <li key={id}>
                <Anchor component={Link} to={`/w/${workspace.id}/segments/${id}`} size="sm" fw={600} dir="auto" className="cf-foreign">
                  {name}
                </Anchor>
                <UseList usedBy={{ instances: [], instanceCount: 0, segments: [], ...usedBy }} isWhole />
              </li>
            ))}
          </Stack>
        )}
      </Stack>
    </Paper>
  )
}
