/** Dragging: parts of the mail and new ones, dropped between others by pointer or by keys. */
import {
  DndContext,
  DragOverlay,
  KeyboardSensor,
  PointerSensor,
  useDroppable,
  useSensor,
  useSensors,
  type Active,
  type Announcements,
  type ClientRect,
  type CollisionDetection,
  type DroppableContainer,
  type KeyboardCoordinateGetter,
  type UniqueIdentifier,
} from '@dnd-kit/core'
import { useRef, useState, type ReactNode } from 'react'
import type { NodeType } from '@contentflow/core/mail/document.ts'
import type { Place } from '../document/places.ts'
import { insertNode, insertSection, moveNode, moveSection } from '../document/change-mail.ts'
import { setText } from '../document/change-texts.ts'
import { newNode, newProducts, newSection, newText, type Layout } from '../document/new-parts.ts'
import { useEditing, type MailEditing } from '../editing-context.ts'
import { useTexts } from '../texts.ts'
import classes from '../editor.module.css'

/** What is dragged, with its name. */
export type Dragged = { name: string } & (
  { kind: 'node'; id?: string; type?: NodeType } | { kind: 'section'; id?: string; layout?: Layout }
)
/** Where it may be dropped. */
type Slot = { kind: 'node'; place: Place } | { kind: 'section'; index: number }

function draggedOf(active: Active): Dragged | undefined {
  return active.data.current as Dragged | undefined
}

function slotOf(container: Pick<DroppableContainer, 'data'>): Slot | undefined {
  return container.data.current as Slot | undefined
}

export function DragArea({ children }: { children: ReactNode }) {
  const t = useTexts()
  const editing = useEditing()
  const [dragged, setDragged] = useState<Dragged>()
  const chosen = useRef<UniqueIdentifier>(undefined)
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 6 } }),
    useSensor(KeyboardSensor, { coordinateGetter: nextSlot(chosen) }),
  )
  const wordsOf = (slot: Slot | undefined, name: string) => {
    if (slot?.kind === 'section') return t('dragOverSection', { name, place: slot.index + 1 })
    if (slot?.kind !== 'node') return ''
    const section = editing.document.sections.findIndex(({ id }) => id === slot.place.section) + 1
    return t('dragOverNode', { name, place: slot.place.index + 1, column: slot.place.column + 1, section })
  }
  const nameOf = (active: Active) => draggedOf(active)?.name ?? ''
  const announcements: Announcements = {
    onDragStart: ({ active }) => t('dragStart', { name: nameOf(active) }),
    onDragOver: ({ active, over }) => wordsOf(over ? slotOf(over) : undefined, nameOf(active)),
    onDragEnd: ({ active, over }) => t(over ? 'dragEnd' : 'dragCancel', { name: nameOf(active) }),
    onDragCancel: ({ active }) => t('dragCancel', { name: nameOf(active) }),
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={nearestSlot(chosen)}
      accessibility={{ announcements, screenReaderInstructions: { draggable: t('dragHelp') } }}
      onDragStart={({ active }) => {
        chosen.current = undefined
        editing.write(undefined)
        setDragged(draggedOf(active))
      }}
      onDragCancel={() => setDragged(undefined)}
      onDragEnd={({ active, over }) => {
        setDragged(undefined)
        const [what, slot] = [draggedOf(active), over ? slotOf(over) : undefined]
        if (what && slot) drop(editing, what, slot)
      }}
    >
      {children}
      <DragOverlay dropAnimation={null}>{dragged && <div className={classes.dragged}>{dragged.name}</div>}</DragOverlay>
    </DndContext>
  )
}

function drop(editing: MailEditing, what: Dragged, slot: Slot): void {
  const { document, change, select } = editing
  if (what.kind === 'node' && slot.kind === 'node') {
    if (what.type !== undefined) return addNode(editing, what.type, slot.place)
    if (what.id === undefined) return
    change(moveNode(document, what.id, slot.place))
    select(what.id, { takesFocus: true })
  } else if (what.kind === 'section' && slot.kind === 'section') {
    if (what.layout !== undefined) return addSection(editing, what.layout, slot.index)
    if (what.id === undefined) return
    change(moveSection(document, what.id, slot.index))
    select(what.id, { takesFocus: true })
  }
}

/** A new node is selected; without a section for it, one is made. */
export function addNode({ document, change, select, locale, makeId }: MailEditing, type: NodeType, place: Place | undefined): void {
  const node = newNode(type, makeId)
  let next = document
  let at = place
  if (!at) {
    const section = newSection(1, makeId)
    next = insertSection(next, section, 0)
    at = { section: section.id, column: 0, index: 0 }
  }
  next = insertNode(next, node, at)
  const text = newText(type)
  change(text ? setText(next, locale, node.id, text) : next)
  select(node.id, { takesFocus: true })
}

/** A saved part, by its id in the library. */
export function addPart({ document, change, select, makeId }: MailEditing, part: string, index: number): void {
  const id = makeId()
  change(insertSection(document, { id, type: 'part', part }, index))
  select(id, { takesFocus: true })
}

export function addProducts({ document, change, select, makeId }: MailEditing, index: number): void {
  const section = newProducts(makeId)
  change(insertSection(document, section, index))
  select(section.id, { takesFocus: true })
}

export function addSection({ document, change, select, makeId }: MailEditing, layout: Layout, index: number): void {
  const section = newSection(layout, makeId)
  change(insertSection(document, section, index))
  select(section.id, { takesFocus: true })
}

/** Slots that take what is dragged, in the order of reading. */
function slotsFor(active: Active, containers: readonly DroppableContainer[]): DroppableContainer[] {
  const kind = draggedOf(active)?.kind
  return containers.filter((container) => !container.disabled && slotOf(container)?.kind === kind)
}

/** The slot nearest to the pointer; with keys, the one that was stepped to. */
function nearestSlot(chosen: { current: UniqueIdentifier | undefined }): CollisionDetection {
  return ({ active, droppableContainers, droppableRects, pointerCoordinates }) => {
    const slots = slotsFor(active, droppableContainers)
    if (!pointerCoordinates) return slots.filter(({ id }) => id === chosen.current).map(({ id }) => ({ id }))
    const measured = slots.flatMap(({ id }) => {
      const rect = droppableRects.get(id)
      return rect ? [{ id, data: { value: distance(pointerCoordinates, rect) } }] : []
    })
    return measured.toSorted((a, b) => a.data.value - b.data.value).slice(0, 1)
  }
}

function distance({ x, y }: { x: number; y: number }, { left, right, top, bottom }: ClientRect): number {
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom))
}

/** An arrow key leads from slot to slot, however far they are. */
function nextSlot(chosen: { current: UniqueIdentifier | undefined }): KeyboardCoordinateGetter {
  return (event, { context: { active, droppableContainers, droppableRects } }) => {
    const step = event.code === 'ArrowDown' ? 1 : event.code === 'ArrowUp' ? -1 : 0
    if (step === 0 || !active) return undefined
    event.preventDefault()
    const slots = slotsFor(active, droppableContainers.getEnabled())
      .flatMap(({ id, data, node }) => ({ id, slot: slotOf({ data }), element: node.current }))
      .toSorted((a, b) => (a.element && b.element && a.element.compareDocumentPosition(b.element) & 2 ? 1 : -1))
    const id = draggedOf(active)?.id
    const here = chosen.current === undefined ? slots.findIndex(({ element }) => element?.dataset['before'] === id) : -1
    const from = chosen.current === undefined ? here + (step === 1 ? 1 : 0) : slots.findIndex((each) => each.id === chosen.current)
    const next = slots[Math.min(slots.length - 1, Math.max(0, from + step))]
    if (!next) return undefined
    chosen.current = next.id
    const rect = droppableRects.get(next.id)
    return rect && { x: rect.left, y: rect.top }
  }
}

/** `before`: the id of the node behind it. */
export function NodeSlot({ place, before, isWhole = false }: { place: Place; before?: string | undefined; isWhole?: boolean }) {
  const t = useTexts()
  const { section, column, index } = place
  const { setNodeRef, isOver, active } = useDroppable({ id: `node ${section} ${column} ${index}`, data: { kind: 'node', place } })
  const isOpen = active !== null && draggedOf(active)?.kind === 'node'
  return (
    <div
      ref={setNodeRef}
      className={classes.slot}
      data-over={(isOver && isOpen) || undefined}
      data-whole={isWhole || undefined}
      data-before={before}
    >
      {isWhole && t('dropHere')}
    </div>
  )
}

/** `before`: the id of the section behind it. */
export function SectionSlot({ index, before }: { index: number; before?: string | undefined }) {
  const { setNodeRef, isOver, active } = useDroppable({ id: `section ${index}`, data: { kind: 'section', index } })
  const isOpen = active !== null && draggedOf(active)?.kind === 'section'
  return <div ref={setNodeRef} className={classes.sectionSlot} data-over={(isOver && isOpen) || undefined} data-before={before} />
}
