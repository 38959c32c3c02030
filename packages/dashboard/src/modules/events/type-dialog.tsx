import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useWrite } from '../../data.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { declarationOf, EVENT_TYPES, pathOf, type Declaration, type EventType } from './api.ts'
import { useTexts } from './texts.ts'

/** Declares a type before an app sends it, or one that was seen; then its page opens. */
export function NewTypeDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts()
  const navigate = useNavigate()
  const open = ({ name }: EventType) => void navigate(`type?${new URLSearchParams({ name })}`)
  return <TypeForm title={t('declareNew')} action={t('declare')} onClose={onClose} onSaved={open} />
}

/** What a declared type means, and whom to ask. */
export function EditTypeDialog({ type, onClose }: { type: EventType; onClose: () => void }) {
  const t = useTexts()
  return <TypeForm type={type} title={type.name} action={t('save')} onClose={onClose} onSaved={onClose} />
}

type TypeFormProps = { type?: EventType; title: string; action: string; onClose: () => void; onSaved: (saved: EventType) => void }

function TypeForm({ type, title, action, onClose, onSaved }: TypeFormProps) {
  const t = useTexts()
  const [name, setName] = useState('')
  const [description, setDescription] = useState(type?.description ?? '')
  const [owner, setOwner] = useState(type?.owner ?? '')
  const [isFaulty, setFaulty] = useState(false)
  const save = useWrite<{ name: string; body: Partial<Declaration> }, EventType>(
    (sent) => ({ method: 'PUT', path: pathOf(sent.name), body: sent.body }),
    { stale: [EVENT_TYPES], done: t('saved'), showsError: true },
  )
  const submit = () => {
    const wanted = type?.name ?? name.trim()
    setFaulty(wanted === '')
    if (wanted === '') return
    const body = { ...(type && declarationOf(type)), description: description.trim(), owner: owner.trim() }
    save.mutate({ name: wanted, body }, { onSuccess: onSaved })
  }
  return (
    <FormDialog title={title} action={action} isBusy={save.isPending} error={save.error} onSubmit={submit} onClose={onClose}>
      {!type && (
        <TextInput
          label={t('name')}
          description={t('nameHelp')}
          value={name}
          onChange={({ currentTarget }) => (setName(currentTarget.value), setFaulty(false))}
          error={isFaulty ? t('nameNeeded') : undefined}
          maxLength={LIMITS.eventNameLength}
          dir="ltr"
          autoComplete="off"
          withAsterisk
          data-autofocus
        />
      )}
      <Textarea
        label={t('description')}
        description={t('descriptionHelp')}
        value={description}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        maxLength={LIMITS.eventDescriptionLength}
        autosize
        minRows={2}
        dir="auto"
      />
      <TextInput
        label={t('owner')}
        description={t('ownerHelp')}
        value={owner}
        onChange={({ currentTarget }) => setOwner(currentTarget.value)}
        maxLength={LIMITS.eventOwnerLength}
        dir="auto"
      />
    </FormDialog>
  )
}
