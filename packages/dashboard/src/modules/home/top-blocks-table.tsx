import { Anchor, Table } from '@mantine/core'
import { Link } from 'react-router'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { typePath } from '../content/api.ts'
import type { Analytics } from './activity.ts'
import { useTexts } from './texts.ts'

type Names = ReadonlyMap<string, string>

/** `archivedNames`: of types that are archived; they have no page. */
export function TopBlocksTable({ blocks, names, archivedNames }: { blocks: Analytics['blocks']; names: Names; archivedNames: Names }) {
  const t = useTexts()
  const format = useFormat()
  const { workspace } = useSession()
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
