import { closestCenter, DndContext, KeyboardSensor, PointerSensor, useSensor, useSensors, type Announcements } from '@dnd-kit/core'
import { SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { ActionIcon, Anchor, Button, Group, Text, Title, Tooltip, UnstyledButton } from '@mantine/core'
import { IconGripVertical, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { instancePath, nameOf, typePath, type Summary } from './api.ts'
import { moveTo, type Group as Instances } from './board.ts'
import { DesignPicture } from './design-picture.tsx'
import { Who } from './instance-words.tsx'
import { useTexts } from './texts.ts'
import { Thumbnail } from './thumbnail.tsx'
import { useOrder } from './use-order.tsx'
import classes from './content.module.css'

/** Instances of a type that are shown before somebody asks for the rest. */
const SHOWN = 6
/** Instances whose order one request sets; of more, priorities are set one by one in the editor. */
const ORDERED_AT_ONCE = 200

/** One block type of a screen: its instances in the order of delivery, which dragging changes. */
export function TypeGroup({ group, onNew }: { group: Instances; onNew: ((blockKey: string) => void) | undefined }) {
  const t = useTexts()
  const format = useFormat()
  const { workspace, mayEdit } = useSession()
  const { type, isComplete } = group
  const { instances, reorder } = useOrder(type.key, group.instances)
  const [isOpen, setOpen] = useState(false)
  const hidden = isOpen ? 0 : Math.max(0, instances.length - SHOWN - 1)
  const shown = hidden > 0 ? instances.slice(0, SHOWN) : instances
  const ids = instances.map(({ id }) => id)
  const canMove = mayEdit && isComplete && instances.length > 1 && instances.length <= ORDERED_AT_ONCE
  return (
    <section aria-label={type.name}>
      <Group justify="space-between" wrap="nowrap" gap="xs" mb={6}>
        <Group gap={6} wrap="nowrap" miw={0}>
          <DesignPicture design={type.designType} size={16} />
          <Title order={3} size="sm" style={{ overflowWrap: 'anywhere' }}>
            <Anchor component={Link} to={typePath(workspace.id, type.key)} c="inherit" inherit>
              {type.name}
            </Anchor>
          </Title>
        </Group>
        {onNew && (
          <Tooltip label={t('newInstanceOf', { type: type.name })}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={t('newInstanceOf', { type: type.name })}
              onClick={() => onNew(type.key)}
            >
              <IconPlus size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
      {instances.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('noInstances')}
        </Text>
      )}
      <Sorting instances={instances} onMove={(moved, target) => reorder(moveTo(ids, moved, target))}>
        <SortableContext items={shown} strategy={verticalListSortingStrategy} disabled={!canMove}>
          <ol className={classes.list}>
            {shown.map((instance) => (
              <InstanceCard key={instance.id} instance={instance} canMove={canMove} />
            ))}
          </ol>
        </SortableContext>
      </Sorting>
      {(hidden > 0 || isOpen) && (
        <Button variant="subtle" size="compact-sm" mt={6} onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? t('showFewer') : t('showAll', { formatted: format.number(instances.length) })}
        </Button>
      )}
    </section>
  )
}

type SortingProps = { instances: Summary[]; onMove: (moved: string, target: string) => void; children: React.ReactNode }

/** Dragging by pointer and by keyboard, said aloud in the dashboard's language. */
function Sorting({ instances, onMove, children }: SortingProps) {
  const t = useTexts()
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const words = (id: string | number, over: string | number | undefined = id) => {
    const found = instances.find((instance) => instance.id === id)
    const place = instances.findIndex((instance) => instance.id === over) + 1
    return { name: found ? nameOf(found) : '', place, count: instances.length }
  }
  const announcements: Announcements = {
    onDragStart: ({ active }) => t('dragStart', words(active.id)),
    onDragOver: ({ active, over }) => (over ? t('dragOver', words(active.id, over.id)) : undefined),
    onDragEnd: ({ active, over }) => t('dragEnd', words(active.id, over?.id)),
    onDragCancel: ({ active }) => t('dragCancel', words(active.id)),
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{ announcements, screenReaderInstructions: { draggable: t('dragInstructions') } }}
      onDragEnd={({ active, over }) => over && over.id !== active.id && onMove(String(active.id), String(over.id))}
    >
      {children}
    </DndContext>
  )
}

function InstanceCard({ instance, canMove }: { instance: Summary; canMove: boolean }) {
  const t = useTexts()
  const format = useFormat()
  const { workspace } = useSession()
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({ id: instance.id })
  const name = nameOf(instance)
  return (
    <li
      ref={setNodeRef}
      className={classes.card}
      data-dragged={isDragging || undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      {canMove && (
        <UnstyledButton
          ref={setActivatorNodeRef}
          className={classes.handle}
          {...attributes}
          {...listeners}
          aria-label={t('handle', { name })}
        >
          <IconGripVertical size={16} aria-hidden />
        </UnstyledButton>
      )}
      <Thumbnail image={instance.image} design={instance.designType} />
      <div className={classes.cardText}>
        <Anchor
          component={Link}
          to={instancePath(workspace.id, instance.blockKey, instance.id)}
          className={`${classes.name} cf-foreign`}
          dir="auto"
          display="block"
          size="sm"
        >
          {name}
        </Anchor>
        {instance.label && instance.label !== name && (
          <Text size="sm" c="dimmed" truncate dir="auto" className="cf-foreign">
            {instance.label}
          </Text>
        )}
        <Group gap={8} mt={4}>
          <StateBadge state={instance.state} />
          <Who seg={instance.seg} />
          {instance.variants > 0 && (
            <Text size="sm" c="dimmed">
              {t('variants', { count: instance.variants, formatted: format.number(instance.variants) })}
            </Text>
          )}
        </Group>
      </div>
    </li>
  )
}
