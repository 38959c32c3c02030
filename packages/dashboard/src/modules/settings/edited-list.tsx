import { Button } from '@mantine/core'
import { IconPlus, type Icon } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useSession } from '../../session.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'

type EditedListProps<Item> = {
  texts: { title: string; text: string; add: string; emptyTitle: string; emptyText: string }
  icon: Icon
  read: { data: readonly Item[] | undefined; error: Error | null; refetch: () => unknown }
  /** `onEdit` is undefined for whoever may not change them. */
  renderTable(items: readonly Item[], onEdit: ((item: Item) => void) | undefined): ReactNode
  /** The window in which one is changed, or made where there is no `item`. */
  renderForm(item: Item | undefined, onClose: () => void): ReactNode
  /** Shown below the list. */
  children?: ReactNode
}

/** A section of the settings with a list that admins add to and edit in a window. */
export function EditedList<Item>({ texts, icon, read, renderTable, renderForm, children }: EditedListProps<Item>) {
  const { mayAdmin } = useSession()
  const [edited, setEdited] = useState<{ item: Item | undefined }>()
  const add = mayAdmin && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited({ item: undefined })}>
      {texts.add}
    </Button>
  )
  const hasSome = (read.data?.length ?? 0) > 0
  return (
    <Section title={texts.title} text={texts.text} aside={hasSome && add}>
      <Loaded read={read} height={160}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState icon={icon} title={texts.emptyTitle} text={texts.emptyText}>
              {add}
            </EmptyState>
          ) : (
            renderTable(items, mayAdmin ? (item) => setEdited({ item }) : undefined)
          )
        }
      </Loaded>
      {children}
      {edited && renderForm(edited.item, () => setEdited(undefined))}
    </Section>
  )
}
