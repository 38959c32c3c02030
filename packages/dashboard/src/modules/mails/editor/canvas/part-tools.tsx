import { useDraggable } from '@dnd-kit/core'
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconCopy, IconEyeOff, IconGripVertical, IconTrash, type TablerIcon } from '@tabler/icons-react'
import { duplicatePart, removePart, stepPart } from '../document/change-mail.ts'
import { idOf, neighbour, partOf, type Part } from '../document/places.ts'
import { useEditing } from '../editing-context.ts'
import { usePartName } from '../kinds.tsx'
import { useTexts } from '../texts.ts'
import classes from '../editor.module.css'

/** What is done to parts, for buttons and keys alike. */
export function usePartActions() {
  const t = useTexts()
  const editing = useEditing()
  const nameOf = usePartName()
  const { document, change, select, announce, makeId, variantOf } = editing
  return {
    step: (part: Part, by: 1 | -1) => {
      // A variant has the order of its mail.
      if (variantOf) return
      const id = idOf(part)
      const next = stepPart(document, id, by)
      change(next)
      const moved = partOf(next, id)
      if (moved?.kind === 'node') {
        const { section, column, index } = moved.place
        announce(
          t('dragOverNode', {
            name: nameOf(part),
            place: index + 1,
            column: column + 1,
            section: next.sections.findIndex((each) => each.id === section) + 1,
          }),
        )
      } else if (moved) {
        const place = next.sections.findIndex((each) => each.id === id) + 1
        announce(t('moved', { name: nameOf(part), place, total: next.sections.length }))
      }
      // The element is another one where the part stands in another column now.
      select(id, { takesFocus: true })
    },
    remove: (part: Part) => {
      const id = idOf(part)
      const next = removePart(document, id)
      if (next === document) return
      const after = neighbour(document, id, -1) === id ? neighbour(document, id, 1) : neighbour(document, id, -1)
      change(next)
      announce(t(variantOf ? 'leftOutWord' : 'removed', { name: nameOf(part) }))
      select(after, { takesFocus: true })
    },
    duplicate: (part: Part) => {
      const copied = duplicatePart(document, idOf(part), makeId)
      if (copied.id === undefined) return
      change(copied.document)
      announce(t('added', { name: nameOf(part) }))
      select(copied.id, { takesFocus: true })
    },
  }
}

/** The buttons of the part that is selected. */
export function PartTools({ part }: { part: Part }) {
  const t = useTexts()
  const name = usePartName()(part)
  const { variantOf } = useEditing()
  const { step, remove, duplicate } = usePartActions()
  if (part.kind === 'section' && part.section.type === 'footer') return null
  if (variantOf)
    return (
      <div className={classes.tools} role="toolbar" aria-label={name}>
        <Tool icon={IconEyeOff} label={t('leaveOut', { name })} onClick={() => remove(part)} />
      </div>
    )
  return (
    <div className={classes.tools} role="toolbar" aria-label={name}>
      <Handle part={part} name={name} />
      <Tool icon={IconArrowUp} label={t('moveUp', { name })} onClick={() => step(part, -1)} />
      <Tool icon={IconArrowDown} label={t('moveDown', { name })} onClick={() => step(part, 1)} />
      <Tool icon={IconCopy} label={t('duplicate', { name })} onClick={() => duplicate(part)} />
      <Tool icon={IconTrash} label={t('remove', { name })} onClick={() => remove(part)} />
    </div>
  )
}

function Handle({ part, name }: { part: Part; name: string }) {
  const t = useTexts()
  const { attributes, listeners, setNodeRef } = useDraggable({
    id: `part ${idOf(part)}`,
    data: { kind: part.kind, id: idOf(part), name },
    attributes: { roleDescription: t('draggable') },
  })
  return (
    <Tooltip label={t('drag', { name })}>
      <ActionIcon
        ref={setNodeRef}
        variant="subtle"
        color="gray"
        size={28}
        className={classes.grip}
        {...attributes}
        {...listeners}
        aria-label={t('drag', { name })}
      >
        <IconGripVertical size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

function Tool({ icon: Icon, label, onClick }: { icon: TablerIcon; label: string; onClick: () => void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size={28} aria-label={label} onClick={onClick}>
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
