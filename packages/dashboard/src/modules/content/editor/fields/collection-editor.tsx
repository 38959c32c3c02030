import { closestCenter, DndContext, KeyboardSensor, PointerSensor, useSensor, useSensors, type Announcements } from '@dnd-kit/core'
import { arrayMove, SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { ActionIcon, Anchor, Group, Stack, Text } from '@mantine/core'
import { IconGripVertical, IconX } from '@tabler/icons-react'
import { Link } from 'react-router'
import { instanceState } from '@contentflow/core/blocks/instance-state.ts'
import { useSession } from '../../../../session.tsx'
import { StateBadge } from '../../../../ui/state-badge.tsx'
import { asIds, type Child } from './children.ts'
import { CollectionSearch } from './collection-search.tsx'
import { useEditor } from '../editor-context.tsx'
import type { FieldEditorProps } from './field-editor-props.ts'
import { useTexts } from '../texts.ts'
import classes from '../editor.module.css'

/** An ordered list of other instances: dragged with the pointer, or with Space and the arrow keys. */
export function CollectionEditor({ field, label, value, error, onChange }: FieldEditorProps) {
  const t = useTexts()
  const { isReadOnly, children } = useEditor()
  const ids = asIds(value)
  const sensors = useSensors(useSensor(PointerSensor), useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }))
  const nameOf = (id: string) => childName(children.get(id)) ?? id
  const placeOf = (id: string) => ids.indexOf(id) + 1
  const announcements: Announcements = {
    onDragStart: ({ active }) => t('dragStart', { name: nameOf(String(active.id)), place: placeOf(String(active.id)) }),
    onDragOver: ({ active, over }) => (over ? t('dragOver', { name: nameOf(String(active.id)), place: placeOf(String(over.id)) }) : ''),
    onDragEnd: ({ active, over }) => (over ? t('dragEnd', { name: nameOf(String(active.id)), place: placeOf(String(over.id)) }) : ''),
    onDragCancel: ({ active }) => t('dragCancel', { name: nameOf(String(active.id)) }),
  }
  return (
    <Stack gap={6} role="group" aria-label={label}>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        accessibility={{ announcements, screenReaderInstructions: { draggable: t('dragHelp') } }}
        onDragEnd={({ active, over }) => {
          if (over && active.id !== over.id) onChange(arrayMove(ids, ids.indexOf(String(active.id)), ids.indexOf(String(over.id))))
        }}
      >
        <SortableContext items={ids} strategy={verticalListSortingStrategy}>
          {ids.map((id) => (
            <Item
              key={id}
              id={id}
              name={nameOf(id)}
              onRemove={isReadOnly ? undefined : () => onChange(ids.filter((other) => other !== id))}
            />
          ))}
        </SortableContext>
      </DndContext>
      {ids.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('emptyList')}
        </Text>
      )}
      {error && (
        <Text size="sm" c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
      {!isReadOnly && ids.length < (field.maxItems ?? Infinity) && (
        <CollectionSearch blockKeys={field.allowedBlockKeys ?? []} taken={ids} label={label} onAdd={(id) => onChange([...ids, id])} />
      )}
    </Stack>
  )
}

function childName(child: Child | undefined): string | undefined {
  if (!child) return undefined
  const first = Object.values(child.instance.values).find((value) => typeof value === 'string' && value !== '')
  return child.instance.title || (typeof first === 'string' ? first : undefined)
}

function Item({ id, name, onRemove }: { id: string; name: string; onRemove: (() => void) | undefined }) {
  const t = useTexts()
  const { workspace } = useSession()
  const child = useEditor().children.get(id)
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
    disabled: !onRemove,
    attributes: { roleDescription: t('sortable') },
  })
  return (
    <div
      ref={setNodeRef}
      className={classes.item}
      data-dragging={isDragging || undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      {onRemove && (
        <ActionIcon
          ref={setActivatorNodeRef}
          variant="subtle"
          color="gray"
          className={classes.grip}
          {...attributes}
          {...listeners}
          aria-label={t('move', { name })}
        >
          <IconGripVertical size={16} aria-hidden />
        </ActionIcon>
      )}
      <Stack gap={0} flex={1} miw={0}>
        {child ? (
          <Anchor
            component={Link}
            to={`/w/${workspace.id}/content/${child.instance.blockKey}/${id}`}
            size="sm"
            truncate
            c="inherit"
            dir="auto"
            className="cf-foreign"
          >
            {name}
          </Anchor>
        ) : (
          <Text size="sm" c="dimmed" className="cf-code" truncate>
            {id}
          </Text>
        )}
        <Text size="xs" c="dimmed" truncate dir="auto" className="cf-foreign">
          {child ? [child.definition.name, child.instance.seg].filter(Boolean).join(' · ') : t('childUnknown')}
        </Text>
      </Stack>
      {child && <StateBadge state={stateOf(child)} />}
      {onRemove && (
        <Group>
          <ActionIcon variant="subtle" color="gray" onClick={onRemove} aria-label={t('remove', { name })}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </Group>
      )}
    </div>
  )
}

function stateOf({ instance: { targets, schedule } }: Child) {
  return instanceState({ isLive: targets.includes('live'), isTest: targets.includes('test'), schedule }, Date.now())
}
