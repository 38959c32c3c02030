import { Button, Group, Paper, Skeleton, Stack, Table, Text } from '@mantine/core'
import type { MouseEvent, ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { Pages } from '../data.ts'
import { useFormat } from '../format.ts'
import { Failure } from './failure.tsx'
import { NothingFound } from './nothing-found.tsx'
import { useTexts } from './texts.ts'
import { Wide } from './wide.tsx'

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
  /** The name of the list, for screen readers. */
  label: string
  pages: Pages<T>
  columns: Column<T>[]
  idOf: (item: T) => string
  /** The page that a click anywhere in a row opens; a link in it does the same for the keyboard. */
  pathOf?: (item: T) => string
  /** Shown when the list is empty and no filter is set. */
  empty: ReactNode
  /** The text that was searched for. */
  search?: string | undefined
  /** Whether anything but the search leaves some out. */
  isFiltered?: boolean
  onClearFilters?: () => void
}

/** A list of the server: first load, failure, nothing yet, nothing that matches, and paging. */
export function Listing<T>({ label, pages, columns, idOf, empty, search = '', isFiltered, onClearFilters, pathOf }: ListingProps<T>) {
  const t = useTexts()
  const format = useFormat()
  const open = useRowOpening()
  if (pages.error && pages.items.length === 0) return <Failure error={pages.error} onRetry={pages.retry} />
  if (pages.isLoading) return <LoadingRows label={t('loading')} />
  if (pages.items.length === 0)
    return (
      <Paper withBorder p="md">
        {isFiltered || search !== '' ? <NothingFound search={search} isFiltered={isFiltered} onClear={onClearFilters} /> : empty}
      </Paper>
    )
  return (
    <Stack gap="sm">
      <Wide label={label} withBorder>
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
              <Table.Tr key={idOf(item)} {...(pathOf && { style: { cursor: 'pointer' }, onClick: (event) => open(event, pathOf(item)) })}>
                {columns.map(({ id, cell, align, isExtra }) => (
                  <Table.Td key={id} ta={align ?? 'start'} pe={endPadding(columns, id)} {...(isExtra && { visibleFrom: 'sm' })}>
                    {cell(item)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Wide>
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
    <Paper withBorder p="md" role="status" aria-busy aria-label={label}>
      <Stack gap="md">
        {Array.from({ length: 6 }, (_, row) => (
          <Skeleton key={row} height={20} width={`${90 - row * 7}%`} />
        ))}
      </Stack>
    </Paper>
  )
}

/** A click in a row, unless it is for something in it or ends a selection of text. With Ctrl or the middle button links open elsewhere. */
function useRowOpening() {
  const navigate = useNavigate()
  return (event: MouseEvent<HTMLElement>, path: string) => {
    const isForOther = event.target instanceof Element && event.target.closest('a, button, input, label, [role="menu"]') !== null
    if (isForOther || getSelection()?.isCollapsed === false) return
    if (event.ctrlKey || event.metaKey) window.open(path, '_blank', 'noopener')
    else void navigate(path)
  }
}
