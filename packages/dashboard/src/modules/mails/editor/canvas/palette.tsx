import { useDraggable } from '@dnd-kit/core'
import { Button, Group, Menu, Text } from '@mantine/core'
import {
  IconColumns1,
  IconColumns2,
  IconColumns3,
  IconLayoutColumns,
  IconPuzzle,
  IconShoppingBag,
  type TablerIcon,
} from '@tabler/icons-react'
import { useState } from 'react'
import { NODE_TYPES } from '@contentflow/core/mail/document.ts'
import { usePages } from '../../../../data.ts'
import { MAILS, type ListedMail } from '../../api.ts'
import { indexBehind, placeBehind } from '../document/places.ts'
import type { Layout } from '../document/new-parts.ts'
import { useEditing } from '../editing-context.ts'
import { NODE_ICONS } from '../kinds.tsx'
import { useTexts } from '../texts.ts'
import { addNode, addPart, addProducts, addSection, type Dragged } from './drag.tsx'
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
          return (
            <Item
              key={layout}
              id={`layout-${layout}`}
              icon={LAYOUT_ICONS[layout]}
              dragged={{ kind: 'section', layout, name }}
              onAdd={add}
            />
          )
        })}
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconShoppingBag size={16} stroke={1.6} aria-hidden />}
          onClick={() => {
            addProducts(editing, indexBehind(document, selected))
            announce(t('added', { name: t('type_products') }))
          }}
        >
          {t('type_products')}
        </Button>
        <SharedParts />
      </Group>
    </div>
  )
}

/** Parts that are kept in the library, to be put in whole. */
function SharedParts() {
  const t = useTexts()
  const editing = useEditing()
  const [isOpen, setOpen] = useState(false)
  const pages = usePages<ListedMail>(MAILS, 'mails', { kind: 'part' }, { when: isOpen })
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-start" shadow="md" returnFocus={false}>
      <Menu.Target>
        <Button variant="default" size="compact-sm" leftSection={<IconPuzzle size={16} stroke={1.6} aria-hidden />}>
          {t('type_part')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {pages.items.map(({ id, name }) => (
          <Menu.Item
            key={id}
            onClick={() => {
              addPart(editing, id, indexBehind(editing.document, editing.selected))
              editing.announce(t('added', { name }))
            }}
          >
            <bdi>{name}</bdi>
          </Menu.Item>
        ))}
        {!pages.isLoading && pages.items.length === 0 && <Menu.Label>{t('noParts')}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
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
