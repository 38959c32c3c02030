import { useDraggable } from '@dnd-kit/core'
import { Button, Group, Text } from '@mantine/core'
import { IconColumns1, IconColumns2, IconColumns3, IconLayoutColumns, type TablerIcon } from '@tabler/icons-react'
import { NODE_TYPES } from '@contentflow/core/mail/document.ts'
import { indexBehind, placeBehind } from '../document/places.ts'
import type { Layout } from '../document/new-parts.ts'
import { useEditing } from '../editing-context.ts'
import { NODE_ICONS } from '../kinds.tsx'
import { useTexts } from '../texts.ts'
import { addNode, addSection, type Dragged } from './drag.tsx'
import classes from '../editor.module.css'

const LAYOUT_ICONS: { [layout in Layout]: TablerIcon } = { 1: IconColumns1, 2: IconColumns2, 3: IconColumns3, 4: IconLayoutColumns }

/** What can be added: pressed, it goes behind what is selected; dragged, where it is dropped. */
export function Palette() {
  const t = useTexts()
  const editing = useEditing()
  const { document, selected, announce } = editing
  return (
    <div role="group" aria-label={t('add')} className={classes.palette}>
      <Group gap={6} align="center" role="group" aria-label={t('parts')}>
        {NODE_TYPES.map((type) => {
          const name = t(`type_${type}`)
          const add = () => {
            addNode(editing, type, placeBehind(document, selected))
            announce(t('added', { name }))
          }
          return <Item key={type} id={type} icon={NODE_ICONS[type]} dragged={{ kind: 'node', type, name }} onAdd={add} />
        })}
      </Group>
      <Group gap={6} align="center" role="group" aria-label={t('sections')}>
        <Text size="xs" c="dimmed" aria-hidden>
          {t('sections')}
        </Text>
        {([1, 2, 3, 4] as const).map((layout) => {
          const name = t(`layout_${layout}`)
          const add = () => {
            addSection(editing, layout, indexBehind(document, selected))
            announce(t('added', { name }))
          }
          return <Item key={layout} id={`layout-${layout}`} icon={LAYOUT_ICONS[layout]} dragged={{ kind: 'section', layout, name }} onAdd={add} />
        })}
      </Group>
    </div>
  )
}

type ItemProps = { id: string; icon: TablerIcon; dragged: Dragged; onAdd: () => void }

/** Keys press it; only the pointer drags it. */
function Item({ id, icon: Icon, dragged, onAdd }: ItemProps) {
  const { listeners, setNodeRef } = useDraggable({ id: `new ${id}`, data: dragged })
  return (
    <Button
      ref={setNodeRef}
      variant="default"
      size="compact-sm"
      leftSection={<Icon size={16} stroke={1.6} aria-hidden />}
      onClick={onAdd}
      onPointerDown={listeners?.['onPointerDown'] as React.PointerEventHandler | undefined}
      className={classes.paletteItem}
    >
      {dragged.name}
    </Button>
  )
}
