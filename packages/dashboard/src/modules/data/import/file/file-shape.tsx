import { Alert, Group, NativeSelect, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { Wide } from '../../../../ui/wide.tsx'
import { ENCODINGS, type Encoding } from '../../../../files/decode-text.ts'
import { useFormat } from '../../../../format.ts'
import type { OpenFile } from './open-file.ts'
import { SEPARATORS, type Choice, type Separator } from './read-table.ts'
import { useImportTexts } from '../texts.ts'

const SEPARATOR_WORDS = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' } as const

type FileShapeProps = { file: OpenFile; isReading: boolean; onChoice: (choice: Choice) => void }

/** How a file was read, to be put right where that was a wrong guess, and its first rows. */
export function FileShape({ file: { name, shape }, isReading, onChoice }: FileShapeProps) {
  const t = useImportTexts()
  const format = useFormat()
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Group gap="xs" wrap="nowrap">
          <IconFileSpreadsheet size={20} aria-hidden style={{ flex: 'none' }} />
          <Title order={2} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Title>
        </Group>
        <Text size="sm">{t('rows', { count: shape.rows, rows: format.number(shape.rows) })}</Text>
        <Group gap="sm" align="end">
          {shape.encoding && (
            <NativeSelect
              label={t('encoding')}
              disabled={isReading}
              value={shape.encoding}
              data={ENCODINGS.map((value) => ({ value, label: t(`encoding_${value}`) }))}
              onChange={({ currentTarget }) => onChoice({ encoding: currentTarget.value as Encoding })}
            />
          )}
          {shape.separator && (
            <NativeSelect
              label={t('separator')}
              disabled={isReading}
              value={shape.separator}
              data={SEPARATORS.map((value) => ({ value, label: t(`separator_${SEPARATOR_WORDS[value]}`) }))}
              onChange={({ currentTarget }) => onChoice({ separator: currentTarget.value as Separator })}
            />
          )}
          {shape.sheets.length > 1 && (
            <NativeSelect
              label={t('sheet')}
              disabled={isReading}
              value={shape.sheet}
              data={shape.sheets.map((label, index) => ({ value: String(index), label }))}
              onChange={({ currentTarget }) => onChoice({ sheet: Number(currentTarget.value) })}
            />
          )}
        </Group>
        {shape.timeZone && (
          <Text size="sm" c="dimmed">
            {t('timesOf', { zone: format.zoneName })}
          </Text>
        )}
        <FirstRows header={shape.header} rows={shape.first} />
        {shape.overfull.count > 0 && (
          <Alert color="orange">
            {t('overfull', {
              count: shape.overfull.count,
              number: format.number(shape.overfull.count),
              row: format.number(shape.overfull.first),
            })}
          </Alert>
        )}
      </Stack>
    </Paper>
  )
}

/** More columns would make the page slow, and would not be read. */
const SHOWN_COLUMNS = 30

function FirstRows({ header, rows }: { header: readonly string[]; rows: readonly string[][] }) {
  const t = useImportTexts()
  return (
    // Scrolled by keyboard as well.
    <Wide label={t('firstRows')}>
      <Table aria-label={t('firstRows')} verticalSpacing={4} fz="sm" withTableBorder withColumnBorders>
        <Table.Thead>
          <Table.Tr>
            {header.slice(0, SHOWN_COLUMNS).map((name) => (
              <Table.Th key={name} dir="auto" className="cf-foreign" style={{ whiteSpace: 'nowrap' }}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((cells, row) => (
            <Table.Tr key={row}>
              {cells.slice(0, SHOWN_COLUMNS).map((cell, at) => (
                <Table.Td
                  key={header[at]}
                  dir="auto"
                  className="cf-foreign"
                  maw={260}
                  style={{ whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis' }}
                >
                  {cell}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Wide>
  )
}
