import { Anchor, Table } from '@mantine/core'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { usePages } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { typePath, type BlockType } from '../content/api.ts'
import { useAll } from '../content/use-all.ts'
import type { Analytics } from './activity.ts'
import { useTexts } from './texts.ts'

/** `waiting`: shown until the names of the types are known. */
export function TopBlocksTable({ blocks, waiting }: { blocks: Analytics['blocks']; waiting: ReactNode }) {
  const t = useTexts()
  const format = useFormat()
  const { workspace } = useSession()
  const types = useAll(usePages<BlockType>('/blocks', 'blocks', { limit: 200 }), LIMITS.definitionsPerManifest)
  const names = new Map(types.items.map(({ key, name }) => [key, name]))
  const isUnknown = blocks.some(({ key }) => !names.has(key))
  // Their counts stay when a type is archived; such a type has no page.
  const archived = usePages<BlockType>('/blocks', 'blocks', { limit: 200, archived: true }, { when: !types.isLoading && isUnknown })
  const archivedNames = new Map(archived.items.map(({ key, name }) => [key, name]))
  if (types.isLoading) return waiting
  return (
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
        {blocks.map(({ key, impressions, clicks, clickRate }) => (
          <Table.Tr key={key}>
            <Table.Td>
              {names.has(key) ? (
                <Anchor component={Link} to={typePath(workspace.id, key)} size="sm" c="inherit">
                  {names.get(key)}
                </Anchor>
              ) : (
                (archivedNames.get(key) ?? <span className="cf-code">{key}</span>)
              )}
            </Table.Td>
            <Table.Td ta="end">{format.number(impressions)}</Table.Td>
            <Table.Td ta="end">{format.number(clicks)}</Table.Td>
            <Table.Td ta="end">{format.percent(clickRate)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
