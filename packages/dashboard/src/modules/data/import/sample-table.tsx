import { Badge, Table, Text } from '@mantine/core'
import { Wide } from '../../../ui/wide.tsx'
import { useFormat } from '../../../format.ts'
import type { Import } from '../api.ts'
import { useReasonWords } from '../reason-words.ts'
import { useTexts } from '../texts.ts'
import { wordsOfValue } from '../value-words.ts'
import { useImportTexts } from './texts.ts'

const COLOURS = { matched: 'green', unmatched: 'gray', rejected: 'red' } as const

/** The first rows and what happens to each. Identities are masked, and so is personal data. */
export function SampleTable({ held: { sample, mapping } }: { held: Import }) {
  const t = useImportTexts()
  const data = useTexts()
  const format = useFormat()
  const say = useReasonWords(mapping.columns)
  const names = mapping.columns.filter(({ include }) => include).map(({ name }) => name)
  return (
    <Wide label={t('sample')}>
      <Table aria-label={t('sample')} fz="sm" verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th ta="end" w={70}>
              {data('row')}
            </Table.Th>
            <Table.Th>{data('identifier')}</Table.Th>
            <Table.Th>{t('outcome')}</Table.Th>
            {names.map((name) => (
              <Table.Th key={name} dir="auto" className="cf-foreign" style={{ whiteSpace: 'nowrap' }}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sample?.map(({ row, status, reason, identifier, values }) => (
            <Table.Tr key={row}>
              <Table.Td ta="end">{format.number(row)}</Table.Td>
              <Table.Td>
                <bdi>{identifier}</bdi>
              </Table.Td>
              <Table.Td maw={320}>
                <Badge color={COLOURS[status]} variant="light" tt="none" radius="sm" styles={{ label: { overflow: 'visible' } }}>
                  {t(`row_${status}`)}
                </Badge>
                {reason !== undefined && (
                  <Text size="xs" c="dimmed" miw={160}>
                    {say(reason)}
                  </Text>
                )}
              </Table.Td>
              {names.map((name) => (
                <Table.Td key={name} dir="auto" className="cf-foreign" style={{ whiteSpace: 'nowrap' }}>
                  {Object.hasOwn(values, name) ? wordsOfValue(values[name as keyof typeof values], data, format) : '–'}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Wide>
  )
}
