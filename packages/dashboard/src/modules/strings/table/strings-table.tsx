import { Badge, Checkbox, Group, Paper, Stack, Table, Text, Tooltip, useDirection } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconEyeOff, IconPointer } from '@tabler/icons-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { type Languages, type Locale, type StringItem } from '../api.ts'
import type { Approval } from '../approval.tsx'
import { actOf, cellOf, moved, nextInReview, type Cell, type Cursor, type TableAct } from './cursor.ts'
import type { Edits } from '../edits.ts'
import { KeyLink } from '../key-link.tsx'
import { useLanguageName } from '../language-name.ts'
import { MessageText } from '../message-forms.tsx'
import { useTexts } from '../texts.ts'
import { TranslationCell } from './translation-cell.tsx'
import classes from '../strings.module.css'

type StringsTableProps = {
  items: StringItem[]
  columns: Locale[]
  source: Languages['source']
  edits: Edits
  approval: Approval
  mayEdit: boolean
  selected: ReadonlySet<string>
  onSelect: (keys: string[], isSelected: boolean) => void
  onOpen: (key: string) => void
  onHelp: () => void
  /** A panel lies over the table. */
  isCovered: boolean
}

/** Strings beside their translations. One cell has the keyboard; `?` tells the keys. */
export function StringsTable(props: StringsTableProps) {
  const { items, columns, source, edits, approval, mayEdit, selected, onSelect, onOpen, onHelp, isCovered } = props
  const t = useTexts()
  const nameOf = useLanguageName()
  const { dir } = useDirection()
  const grid = useGridCursor(items, columns, isCovered)
  const allSelected = items.length > 0 && items.every(({ key }) => selected.has(key))

  const edit = ({ row, column }: Cell) => {
    const [item, locale] = [items[row], columns[column]]
    if (!mayEdit || !item || !locale) return
    grid.go({ row, column }, false)
    edits.open({ key: item.key, locale: locale.code }, item.translations[locale.code]?.text ?? '', item.translations[locale.code]?.etag)
  }
  const approve = ({ row, column }: Cell) => {
    const [item, locale] = [items[row], columns[column]]
    const translation = locale && item?.translations[locale.code]
    if (!mayEdit || approval.isBusy || translation?.status !== 'review' || translation.text === null) return
    approval.approve({
      key: item?.key ?? '',
      locale: locale?.code ?? '',
      sourceText: item?.sourceText ?? '',
      text: translation.text,
      etag: translation.etag,
    })
  }
  const goToNext = (from: Cell) => {
    const statuses = items.map(({ translations }) => columns.map(({ code }) => translations[code]?.status ?? 'missing'))
    const next = nextInReview(from, statuses)
    if (next) grid.go(next)
    else notifications.show({ message: t('noneInReview') })
  }
  const select = ({ row }: Cell) => {
    const key = items[row]?.key
    if (mayEdit && key !== undefined) onSelect([key], !selected.has(key))
  }
  const act = (name: TableAct, at: Cell) => {
    if (name === 'edit') edit(at)
    else if (name === 'approve') approve(at)
    else if (name === 'next') goToNext(at)
    else if (name === 'select') select(at)
    else if (name === 'open') onOpen(items[at.row]?.key ?? '')
    else if (name === 'help') onHelp()
    else grid.go(moved(at, name, items.length, columns.length))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>) => {
    // Only from a cell: buttons and boxes within the table keep their own keys.
    if (!grid.cell || !(event.target instanceof HTMLTableCellElement)) return
    const name = actOf(event, dir === 'rtl')
    if (!name) return
    event.preventDefault()
    act(name, grid.cell)
  }
  return (
    <Paper withBorder style={{ overflowX: 'auto' }}>
      <Table
        role="grid"
        aria-label={t('title')}
        aria-multiselectable
        className={classes.grid}
        style={{ '--columns': columns.length }}
        onKeyDown={onKeyDown}
      >
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {mayEdit && (
              <Table.Th role="columnheader" w={44}>
                <Checkbox
                  size="xs"
                  aria-label={t('selectShown')}
                  checked={allSelected}
                  indeterminate={!allSelected && items.some(({ key }) => selected.has(key))}
                  onChange={({ currentTarget }) =>
                    onSelect(
                      items.map(({ key }) => key),
                      currentTarget.checked,
                    )
                  }
                />
              </Table.Th>
            )}
            <Table.Th role="columnheader" w="22%">
              {t('key')}
            </Table.Th>
            <Table.Th role="columnheader">{source ? t('sourceIn', { language: nameOf(source) }) : t('source')}</Table.Th>
            {columns.map((locale) => (
              <Table.Th key={locale.code} role="columnheader">
                {nameOf(locale)}{' '}
                <Text span size="xs" c="dimmed" className="cf-code">
                  {locale.code}
                </Text>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {items.map((item, row) => (
            <Table.Tr key={item.key} role="row" bg={selected.has(item.key) ? 'var(--mantine-color-default-hover)' : undefined}>
              {mayEdit && (
                <Table.Td role="gridcell" className={`${classes.top} ${classes.check}`}>
                  <Checkbox
                    size="xs"
                    mt={2}
                    aria-label={t('selectKey', { key: item.key })}
                    checked={selected.has(item.key)}
                    onChange={({ currentTarget }) => onSelect([item.key], currentTarget.checked)}
                  />
                </Table.Td>
              )}
              <KeyCell item={item} onOpen={onOpen} />
              <Table.Td role="gridcell" className={classes.top}>
                <MessageText text={item.sourceText} locale={source} isClamped />
              </Table.Td>
              {columns.map((locale, column) => (
                <TranslationCell
                  key={locale.code}
                  item={item}
                  locale={locale}
                  edits={edits}
                  approval={approval}
                  mayEdit={mayEdit}
                  isCurrent={grid.cell?.row === row && grid.cell.column === column}
                  isCovered={isCovered}
                  cellRef={grid.cell?.row === row && grid.cell.column === column ? grid.cellRef : undefined}
                  onFocus={() => grid.go({ row, column }, false)}
                  onEdit={() => edit({ row, column })}
                  onEdited={() => grid.go({ row, column })}
                />
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}

function KeyCell({ item, onOpen }: { item: StringItem; onOpen: (key: string) => void }) {
  const t = useTexts()
  return (
    <Table.Td role="rowheader" className={`${classes.top} ${classes.key}`}>
      <Stack gap={4} align="flex-start">
        <KeyLink name={item.key} onOpen={onOpen} />
        <Group gap={6}>
          <Badge variant="default" size="sm" tt="none" fw={500} radius="sm" maw="100%">
            {item.namespace}
          </Badge>
          {item.sensor && (
            <Tooltip label={t('sensorOn')}>
              <IconPointer size={16} role="img" aria-label={t('sensorOn')} />
            </Tooltip>
          )}
          {item.hidden && (
            <Tooltip label={t('hiddenMark')}>
              <IconEyeOff size={16} role="img" aria-label={t('hiddenMark')} />
            </Tooltip>
          )}
        </Group>
      </Stack>
    </Table.Td>
  )
}

/** The cell that has the keyboard. It keeps the focus when the list under it is another one. */
function useGridCursor(items: StringItem[], columns: Locale[], isCovered: boolean) {
  const [cursor, setCursor] = useState<Cursor>()
  const cellRef = useRef<HTMLTableCellElement>(null)
  const wantsFocus = useRef(false)
  const keys = items.map(({ key }) => key)
  const locales = columns.map(({ code }) => code)
  const cell = cellOf(cursor, keys, locales)
  const go = ({ row, column }: Cell, isFocused = true) => {
    wantsFocus.current = isFocused
    setCursor({ key: keys[row] ?? '', locale: locales[column] ?? '', at: row })
  }
  useEffect(() => {
    // A row that left the list took the focus with it.
    const isLost = cursor !== undefined && !keys.includes(cursor.key) && !isCovered && document.activeElement === document.body
    if (!wantsFocus.current && !isLost) return
    wantsFocus.current = false
    cellRef.current?.focus()
    cellRef.current?.scrollIntoView({ block: 'nearest' })
  })
  return { cell, cellRef, go }
}
