import { Button, Group, Paper, Skeleton, Stack, Table, Text } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Pages } from '../data.ts'
import { useFormat } from '../format.ts'
import { EmptyState } from './empty-state.tsx'
import { Failure } from './failure.tsx'
import { useTexts } from './texts.ts'

export type Column<T> = {
  id: string
  title: ReactNode
  cell: (item: T) => ReactNode
  /** Left out on narrow screens. */
  isExtra?: boolean
  align?: 'end'
  width?: number | string
}

type ListingProps<T> = {
  /** What the list is of, for screen readers. */
  label: string
  pages: Pages<T>
  columns: Column<T>[]
  idOf: (item: T) => string
  /** What to show when there is nothing and no filter is set. */
  empty: ReactNode
  isFiltered?: boolean
  onClearFilters?: () => void
}

/** A list of the server: first load, failure, nothing yet, nothing that matches, and paging. */
export function Listing<T>({ label, pages, columns, idOf, empty, isFiltered, onClearFilters }: ListingProps<T>) {
  const t = useTexts()
  const format = useFormat()
  if (pages.error && pages.items.length === 0) return <Failure error={pages.error} onRetry={pages.retry} />
  if (pages.isLoading) return <LoadingRows label={t('loading')} />
  if (pages.items.length === 0)
    return (
      <Paper withBorder p="md">
        {isFiltered ? (
          <EmptyState icon={IconFilterOff} title={t('nothingMatches')} text={t('nothingMatchesText')}>
            {onClearFilters && (
              <Button variant="default" onClick={onClearFilters}>
                {t('clearFilters')}
              </Button>
            )}
          </EmptyState>
        ) : (
          empty
        )}
      </Paper>
    )
  return (
    <Stack gap="sm">
      <Paper withBorder tabIndex={0} style={{ overflowX: 'auto' }}>
        <Table aria-label={label} highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ id, title, align, width, isExtra }) => (
                <Table.Th key={id} ta={align ?? 'start'} w={width} pe={endPadding(columns, id)} {...(isExtra && { visibleFrom: 'sm' })}>
                  {title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {pages.items.map((item) => (
              <Table.Tr key={idOf(item)}>
                {columns.map(({ id, cell, align, isExtra }) => (
                  <Table.Td key={id} ta={align ?? 'start'} pe={endPadding(columns, id)} {...(isExtra && { visibleFrom: 'sm' })}>
                    {cell(item)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {pages.total !== undefined &&
            t('shown', { shown: format.number(pages.items.length), total: format.number(Math.max(pages.total, pages.items.length)) })}
        </Text>
        {pages.hasMore && (
          <Button variant="default" onClick={pages.loadMore} loading={pages.isMoreLoading}>
            {t('showMore')}
          </Button>
        )}
      </Group>
      {pages.error && <Failure error={pages.error} onRetry={pages.retry} />}
    </Stack>
  )
}

/** Numbers at the end of a column keep away from the words of the next one. */
function endPadding<T>(columns: Column<T>[], id: string): 'lg' | undefined {
  const index = columns.findIndex((column) => column.id === id)
  return columns[index]?.align === 'end' && index < columns.length - 1 ? 'lg' : undefined
}

function LoadingRows({ label }: { label: string }) {
  return (
    <Paper withBorder p="md" aria-busy aria-label={label}>
      <Stack gap="md">
        {Array.from({ length: 6 }, (_, row) => (
          <Skeleton key={row} height={20} width={`${90 - row * 7}%`} />
        ))}
      </Stack>
    </Paper>
  )
}
