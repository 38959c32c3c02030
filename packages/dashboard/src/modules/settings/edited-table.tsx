import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useWrite } from '../../data.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Failure } from '../../ui/failure.tsx'

type Named = { id: string }
/** Beside the name, where there is room. */
type Column<Item> = { head: string; cell(item: Item): ReactNode }

type Removal<Item> = {
  /** Of the list: each item is deleted below it. */
  path: string
  /** What is read again afterwards. */
  stale: string[]
  texts: { action: string; done: string; title(item: Item): string; text(item: Item): string }
  isDangerous?: boolean
  /** Whether something still needs it, so that it cannot go. */
  isNeeded?(item: Item): boolean
}

type EditedTableProps<Item extends Named> = {
  items: readonly Item[]
  texts: { name: string; edit: string }
  nameOf(item: Item): string
  /** Below the name. */
  renderDetail(item: Item): ReactNode
  columns: readonly Column<Item>[]
  /** Undefined for whoever may not change them. */
  onEdit: ((item: Item) => void) | undefined
  removal: Removal<Item>
  /** Buttons for everybody, before those that change. */
  renderActions?(item: Item): ReactNode
}

/** The table of an EditedList: who may change its items edits each, or takes it away after being asked. */
export function EditedTable<Item extends Named>(props: EditedTableProps<Item>) {
  const { items, texts, nameOf, renderDetail, columns, onEdit, removal, renderActions } = props
  const [leaving, setLeaving] = useState<Item>()
  const hasActions = onEdit !== undefined || renderActions !== undefined
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.name}</Table.Th>
            {columns.map(({ head }) => (
              <Table.Th key={head} visibleFrom="sm">
                {head}
              </Table.Th>
            ))}
            {hasActions && (
              <Table.Th>
                <span className="cf-visually-hidden">{texts.edit}</span>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((item) => (
            <Table.Tr key={item.id}>
              <Table.Td>
                <Stack gap={0}>
                  <Text size="sm" fw={600} dir="auto">
                    {nameOf(item)}
                  </Text>
                  {renderDetail(item)}
                </Stack>
              </Table.Td>
              {columns.map(({ head, cell }) => (
                <Table.Td key={head} visibleFrom="sm">
                  {cell(item)}
                </Table.Td>
              ))}
              {hasActions && (
                <Table.Td>
                  <Group gap="xs" justify="flex-end">
                    {renderActions?.(item)}
                    {onEdit && (
                      <>
                        <RowButton name={nameOf(item)} action={texts.edit} onClick={() => onEdit(item)} />
                        <RowButton
                          name={nameOf(item)}
                          action={removal.texts.action}
                          isDisabled={removal.isNeeded?.(item) ?? false}
                          onClick={() => setLeaving(item)}
                        />
                      </>
                    )}
                  </Group>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <ConfirmedRemoval item={leaving} removal={removal} onClose={() => setLeaving(undefined)} />
    </Table.ScrollContainer>
  )
}

type RowButtonProps = { name: string; action: string; isDisabled?: boolean; onClick: () => void }

/** A button of a row, which says to screen readers of which one. */
export function RowButton({ name, action, isDisabled = false, onClick }: RowButtonProps) {
  return (
    <Button size="xs" variant="default" aria-label={`${action}: ${name}`} disabled={isDisabled} onClick={onClick}>
      {action}
    </Button>
  )
}

type ConfirmedRemovalProps<Item> = { item: Item | undefined; removal: Removal<Item>; onClose: () => void }

function ConfirmedRemoval<Item extends Named>({ item, removal, onClose }: ConfirmedRemovalProps<Item>) {
  const { path, stale, texts, isDangerous = false } = removal
  const remove = useWrite<string>((id) => ({ method: 'DELETE', path: `${path}/${id}` }), { stale, done: texts.done, showsError: true })
  return (
    <Confirm
      isOpen={item !== undefined}
      onClose={onClose}
      title={item ? texts.title(item) : ''}
      action={texts.action}
      isBusy={remove.isPending}
      isDangerous={isDangerous}
      onConfirm={() => item && remove.mutate(item.id, { onSuccess: onClose })}
    >
      <Stack gap="xs">
        {item && texts.text(item)}
        {remove.error && <Failure error={remove.error} />}
      </Stack>
    </Confirm>
  )
}
