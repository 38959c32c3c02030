import { Anchor, Skeleton, Stack, Table, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from 'react-router'
import { LIMITS } from '@contentflow/core/limits.ts'
import { usePages } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { Section } from '../../ui/section.tsx'
import { typePath, type BlockType } from '../content/api.ts'
import { useAll } from '../content/use-all.ts'
import type { Analytics } from './activity.ts'
import { useTexts } from './texts.ts'

const SHOWN = 6

/** The blocks that were seen most in the span. */
export function TopBlocks({ analytics: { data } }: { analytics: UseQueryResult<Analytics> }) {
  const t = useTexts()
  const format = useFormat()
  const { workspace } = useSession()
  const types = useAll(usePages<BlockType>('/blocks', 'blocks', { limit: 200 }), LIMITS.definitionsPerManifest)
  const names = new Map(types.items.map(({ key, name }) => [key, name]))
  return (
    <Section title={t('topBlocks')}>
      {!data ? (
        <Stack gap="md">
          {Array.from({ length: 3 }, (_, row) => (
            <Skeleton key={row} height={24} />
          ))}
        </Stack>
      ) : data.blocks.length === 0 ? (
        <Text c="dimmed">{t('noBlocks')}</Text>
      ) : (
        <Table aria-label={t('topBlocks')} horizontalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('block')}</Table.Th>
              <Table.Th ta="end">{t('impressions')}</Table.Th>
              <Table.Th ta="end">{t('clicks')}</Table.Th>
              <Table.Th ta="end">{t('rate')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.blocks.slice(0, SHOWN).map(({ key, impressions, clicks, clickRate }) => (
              <Table.Tr key={key}>
                <Table.Td>
                  {names.has(key) ? (
                    <Anchor component={Link} to={typePath(workspace.id, key)} size="sm" c="inherit">
                      {names.get(key)}
                    </Anchor>
                  ) : (
                    <span className="cf-code">{key}</span>
                  )}
                </Table.Td>
                <Table.Td ta="end">{format.number(impressions)}</Table.Td>
                <Table.Td ta="end">{format.number(clicks)}</Table.Td>
                <Table.Td ta="end">{format.percent(clickRate)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Section>
  )
}
