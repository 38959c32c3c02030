import { closestCenter, DndContext, KeyboardSensor, PointerSensor, useSensor, useSensors, type Announcements } from '@dnd-kit/core'
import { SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { ActionIcon, Anchor, Button, Group, Skeleton, Text, Title, Tooltip, UnstyledButton } from '@mantine/core'
import { IconGripVertical, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { usePages } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../i18n.ts'
import { useSession } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { instancePath, typePath, type Summary } from './api.ts'
import { READ_FIRST, shownOf, type Group as Instances } from './board.ts'
import { DesignPicture } from './design-picture.tsx'
import { InstanceState, Who } from './instance-words.tsx'
import { useTexts } from './texts.ts'
import { useInstanceName } from './use-instance-name.ts'
import { Thumbnail } from './thumbnail.tsx'
import { ORDERED_AT_ONCE, useOrder } from './use-order.tsx'
import classes from './content.module.css'

type Props = {
  group: Instances
  /** The first instances of it, in the order of delivery; undefined until they are loaded. */
  first: readonly Summary[] | undefined
  onNew: ((blockKey: string) => void) | undefined
}

/** One block type of a screen: its instances in the order of delivery, which dragging changes. */
export function TypeGroup({ group: { type, counts }, first, onNew }: Props) {
  const t = useTexts()
  const format = useFormat()
  const { workspace, mayEdit } = useSession()
  const [isOpen, setOpen] = useState(false)
  const rest = usePages<Summary>(
    '/instances',
    'instances',
    { limit: 50, blockKey: type.key, labelLocale: useLanguage() },
    { when: isOpen, every: 30_000 },
  )
  const isRest = isOpen && rest.items.length > 0
  const total = counts.instances
  const { instances, reorder } = useOrder(type.key, (isRest ? rest.items : first) ?? [], total)
  const shown = shownOf(instances, total, isRest)
  const canMove = mayEdit && total > 1 && total <= ORDERED_AT_ONCE
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
      {total === 0 ? (
        <Text size="sm" c="dimmed">
          {t('noInstances')}
        </Text>
      ) : (
        first === undefined && <LoadingCards count={Math.min(total, READ_FIRST)} />
      )}
      <Sorting instances={shown} total={total} onMove={reorder}>
        <SortableContext items={[...shown]} strategy={verticalListSortingStrategy} disabled={!canMove}>
          <ol className={classes.list}>
            {shown.map((instance) => (
              <InstanceCard key={instance.id} instance={instance} canMove={canMove} />
            ))}
          </ol>
        </SortableContext>
      </Sorting>
      {isRest && rest.hasMore && (
        <Button variant="default" size="compact-sm" mt={6} me={6} onClick={rest.loadMore} loading={rest.isMoreLoading}>
          {t('loadMore')}
        </Button>
      )}
      {total > READ_FIRST && first !== undefined && (
        <Button
          variant="subtle"
          size="compact-sm"
          mt={6}
          onClick={() => setOpen(!isOpen)}
          aria-expanded={isOpen}
          loading={isOpen && rest.isLoading}
        >
          {isOpen ? t('showFewer') : t('showAll', { formatted: format.number(total) })}
        </Button>
      )}
      {isOpen && rest.error && <Failure error={rest.error} onRetry={rest.retry} />}
    </section>
  )
}

function LoadingCards({ count }: { count: number }) {
  return (
    <div className={classes.list} aria-busy>
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} height={72} />
      ))}
    </div>
  )
}

type SortingProps = {
  instances: readonly Summary[]
  /** All instances of the type, shown or not. */
  total: number
  onMove: (moved: string, target: string) => void
  children: React.ReactNode
}

/** Dragging by pointer and by keyboard, said aloud in the dashboard's language. */
function Sorting({ instances, total, onMove, children }: SortingProps) {
  const t = useTexts()
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const nameOf = useInstanceName()
  const words = (id: string | number, over: string | number | undefined = id) => {
    const found = instances.find((instance) => instance.id === id)
    const place = instances.findIndex((instance) => instance.id === over) + 1
    return { name: found ? nameOf(found) : '', place, count: total }
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
  const name = useInstanceName()(instance)
  const other = [instance.label, instance.title].find((text) => text && text !== name)
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
        {other && (
          <Text size="sm" c="dimmed" truncate dir="auto" className="cf-foreign">
            {other}
          </Text>
        )}
        <Group gap={8} mt={4}>
          <InstanceState instance={instance} />
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
