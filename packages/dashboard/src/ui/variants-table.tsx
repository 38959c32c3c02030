import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFormat } from '../format.ts'
import { Wide } from './wide.tsx'

type Named = { variantId: string | null; locale: string | null }
type VariantsTableProps<Numbers> = {
  label: string
  rows: readonly (Named & Numbers)[]
  /** What stands in the columns behind variant and language, each with its title. */
  columns: readonly { title: string; cell: (numbers: Numbers) => ReactNode }[]
  /** Of all rows together; shown where there are several. */
  total?: Numbers
  words: { variant: string; language: string; noLanguage: string; noVariant?: string; all?: string }
}

/** Numbers by variant and language, and of all of them. */
export function VariantsTable<Numbers>({ label, rows, columns, total, words }: VariantsTableProps<Numbers>) {
  const format = useFormat()
  const cells = (numbers: Numbers) =>
    columns.map(({ title, cell }) => (
      <Table.Td key={title} ta="end">
        {cell(numbers)}
      </Table.Td>
    ))
  return (
    <Wide label={label}>
      <Table aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.variant}</Table.Th>
            <Table.Th>{words.language}</Table.Th>
            {columns.map(({ title }) => (
              <Table.Th key={title} ta="end">
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={JSON.stringify([row.variantId, row.locale])}>
              <Table.Th scope="row">{row.variantId === null ? words.noVariant : <bdi>{row.variantId}</bdi>}</Table.Th>
              <Table.Td>{row.locale === null ? words.noLanguage : format.language(row.locale)}</Table.Td>
              {cells(row)}
            </Table.Tr>
          ))}
        </Table.Tbody>
        {total && rows.length > 1 && (
          <Table.Tfoot>
            <Table.Tr>
              <Table.Th scope="row" colSpan={2}>
                {words.all}
              </Table.Th>
              {cells(total)}
            </Table.Tr>
          </Table.Tfoot>
        )}
      </Table>
    </Wide>
  )
}
