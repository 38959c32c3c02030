import { closestCenter, DndContext, PointerSensor, useSensor, useSensors, type Announcements } from '@dnd-kit/core'
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { ActionIcon, Button, Group, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconGripVertical } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { SOURCES, type ImportSource } from '@contentflow/core/imports/priorities.ts'
import { useRead, useWrite } from '../../data.ts'
import { useSession } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { UnsavedGuard } from '../../ui/unsaved/unsaved-guard.tsx'
import { STALE, type Ranking } from './api.ts'
import classes from './data.module.css'
import { moved, orderOf, overridesOf } from './priority-order.ts'
import { PriorityPreview } from './priority-preview.tsx'
import { useTexts } from './texts.ts'

const PATH = '/enrichment/source-priorities'

/** Which source wins where several speak of one attribute. Everybody sees it, admins change it. */
export function PrioritiesTab() {
  const t = useTexts()
  const { data, error, refetch } = useRead<Ranking>(PATH)
  return (
    <Stack gap="md" maw={640}>
      <Text size="sm" c="dimmed">
        {t('prioritiesText')}
      </Text>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton h={300} />}
      {data && <PriorityForm saved={orderOf(data.priorities)} />}
    </Stack>
  )
}

function PriorityForm({ saved }: { saved: ImportSource[] }) {
  const t = useTexts()
  const { mayAdmin } = useSession()
  const [chosen, setChosen] = useState<ImportSource[]>()
  const order = chosen ?? saved
  const isChanged = order.join() !== saved.join()
  const save = useWrite<ImportSource[]>((next) => ({ path: PATH, method: 'PUT', body: { priorities: overridesOf(next) } }), {
    stale: STALE,
    done: t('prioritiesSaved'),
    showsError: true,
  })
  return (
    <>
      <UnsavedGuard isDirty={isChanged} />
      <PriorityList order={order} canMove={mayAdmin} onOrder={setChosen} />
      {isChanged && mayAdmin && <PriorityPreview key={order.join()} order={order} />}
      {save.error && <Failure error={save.error} />}
      {mayAdmin ? (
        <Group gap="xs">
          <Button
            disabled={!isChanged}
            loading={save.isPending}
            onClick={() => save.mutate(order, { onSuccess: () => setChosen((now) => (now === order ? undefined : now)) })}
          >
            {t('savePriorities')}
          </Button>
          {isChanged && (
            <Button variant="default" onClick={() => setChosen(undefined)}>
              {t('discard')}
            </Button>
          )}
          {order.join() !== SOURCES.join() && (
            <Button variant="subtle" color="gray" onClick={() => setChosen([...SOURCES])}>
              {t('defaultOrder')}
            </Button>
          )}
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          {t('adminsOrder')}
        </Text>
      )}
    </>
  )
}

type PriorityListProps = { order: ImportSource[]; canMove: boolean; onOrder: (order: ImportSource[]) => void }

/** A source, moved with the pointer or with its buttons; its new place is announced. */
function PriorityList({ order, canMove, onOrder }: PriorityListProps) {
  const t = useTexts()
  const [said, setSaid] = useState('')
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }))
  const words = (source: ImportSource, place: number) =>
    t('movedTo', { name: t(`source_${source}`), place: place + 1, total: order.length })
  const move = (from: number, to: number) => {
    const source = order[from]
    if (source === undefined || to < 0 || to >= order.length) return
    onOrder(moved(order, from, to))
    setSaid(words(source, to))
  }
  const placeOf = (id: string | number) => order.indexOf(id as ImportSource)
  // The line below announces what dragging does.
  const announcements: Announcements = { onDragStart: () => '', onDragOver: () => '', onDragEnd: () => '', onDragCancel: () => '' }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{ announcements, screenReaderInstructions: { draggable: '' } }}
      onDragEnd={({ active, over }) => over && over.id !== active.id && move(placeOf(active.id), placeOf(over.id))}
    >
      <SortableContext items={order} strategy={verticalListSortingStrategy} disabled={!canMove}>
        <ol className={classes.priorities}>
          {order.map((source, place) => (
            <PriorityRow
              key={source}
              source={source}
              place={place}
              last={order.length - 1}
              canMove={canMove}
              onMove={(to) => move(place, to)}
            />
          ))}
        </ol>
      </SortableContext>
      <span role="status" className="cf-visually-hidden">
        {said}
      </span>
    </DndContext>
  )
}

type PriorityRowProps = { source: ImportSource; place: number; last: number; canMove: boolean; onMove: (to: number) => void }

function PriorityRow({ source, place, last, canMove, onMove }: PriorityRowProps) {
  const t = useTexts()
  const { setNodeRef, listeners, transform, transition, isDragging } = useSortable({ id: source })
  const up = useRef<HTMLButtonElement>(null)
  const down = useRef<HTMLButtonElement>(null)
  const name = t(`source_${source}`)
  const step = (by: -1 | 1) => {
    onMove(place + by)
    // A button that was pressed to the end is off: the other one goes on.
    if (place + by === 0) down.current?.focus()
    else if (place + by === last) up.current?.focus()
  }
  return (
    <li
      ref={setNodeRef}
      className={classes.priority}
      data-dragged={isDragging || undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <Paper withBorder p="sm">
        <Group gap="sm" wrap="nowrap">
          {canMove && (
            <span className={classes.handle} {...listeners} title={t('drag')}>
              <IconGripVertical size={18} aria-hidden />
            </span>
          )}
          <Text size="sm" c="dimmed" w={18} ta="center" aria-hidden>
            {place + 1}
          </Text>
          <div className={classes.grow}>
            <Text size="sm" fw={600}>
              {name}
            </Text>
            <Text size="xs" c="dimmed">
              {t(`about_${source}`)}
            </Text>
          </div>
          {canMove && (
            <Group gap={2} wrap="nowrap">
              <ActionIcon
                ref={up}
                variant="subtle"
                color="gray"
                aria-label={t('moveUp', { name })}
                disabled={place === 0}
                onClick={() => step(-1)}
              >
                <IconArrowUp size={18} aria-hidden />
              </ActionIcon>
              <ActionIcon
                ref={down}
                variant="subtle"
                color="gray"
                aria-label={t('moveDown', { name })}
                disabled={place === last}
                onClick={() => step(1)}
              >
                <IconArrowDown size={18} aria-hidden />
              </ActionIcon>
            </Group>
          )}
        </Group>
      </Paper>
    </li>
  )
}
