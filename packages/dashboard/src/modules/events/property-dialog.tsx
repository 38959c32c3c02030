import { Button, Checkbox, Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { PROPERTY_USES, type DeclaredProperty, type PropertyUse } from '@contentflow/core/events/catalog/declared-type.ts'
import { DECLARED_KINDS, type DeclaredKind } from '@contentflow/core/events/catalog/property-kind.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useWrite } from '../../data.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { declarationOf, EVENT_TYPES, pathOf, type Declaration, type EventProperty, type EventType } from './api.ts'
import { useTexts } from './texts.ts'

type PropertyDialogProps = {
  type: EventType
  /** Undefined: one that no app sends yet. */
  property?: EventProperty | undefined
  onClose: () => void
}

/** What apps should send as one property, and what reports do with it. */
export function PropertyDialog({ type, property, onClose }: PropertyDialogProps) {
  const t = useTexts()
  const declared = property?.declared
  const [name, setName] = useState(property?.name ?? '')
  const [kind, setKind] = useState<DeclaredKind>(declared?.kind ?? guessKind(property))
  const [isRequired, setRequired] = useState(declared?.required === true)
  const [use, setUse] = useState<PropertyUse>(declared?.use ?? 'none')
  const [description, setDescription] = useState(declared?.description ?? '')
  const [values, setValues] = useState((declared?.enum ?? []).join('\n'))
  const [isFaulty, setFaulty] = useState(false)
  const save = useWrite<Declaration, EventType>((body) => ({ method: 'PUT', path: pathOf(type.name), body }), {
    stale: [EVENT_TYPES],
    done: t('saved'),
    showsError: true,
  })
  const send = (wanted: DeclaredProperty | undefined) => {
    const { properties, ...rest } = declarationOf(type)
    const others = Object.entries(properties).filter(([each]) => each !== name.trim())
    const all = Object.fromEntries(wanted ? [...others, [name.trim(), wanted]] : others)
    save.mutate({ ...rest, properties: all }, { onSuccess: onClose })
  }
  const submit = () => {
    setFaulty(name.trim() === '')
    if (name.trim() === '') return
    const listed = takesValues(kind) ? readValues(values, kind) : []
    send({
      kind,
      ...(isRequired && { required: true as const }),
      ...(listed.length > 0 && { enum: listed }),
      ...(description.trim() !== '' && { description: description.trim() }),
      ...(use !== 'none' && { use }),
    })
  }
  return (
    <FormDialog
      title={property?.name ?? t('addProperty')}
      action={t('save')}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={submit}
      onClose={onClose}
      aside={
        declared && (
          <Button variant="subtle" color="red" onClick={() => send(undefined)} disabled={save.isPending}>
            {t('remove')}
          </Button>
        )
      }
    >
      {!property && (
        <TextInput
          label={t('name')}
          value={name}
          onChange={({ currentTarget }) => (setName(currentTarget.value), setFaulty(false))}
          error={isFaulty ? t('nameNeeded') : undefined}
          maxLength={LIMITS.eventPropertyNameLength}
          dir="ltr"
          autoComplete="off"
          withAsterisk
          data-autofocus
        />
      )}
      <Select
        label={t('kind')}
        data={DECLARED_KINDS.map((value) => ({ value, label: t(`kind_${value}`) }))}
        value={kind}
        onChange={(chosen) => setKind(DECLARED_KINDS.find((each) => each === chosen) ?? kind)}
        allowDeselect={false}
      />
      <Checkbox label={t('required')} checked={isRequired} onChange={({ currentTarget }) => setRequired(currentTarget.checked)} />
      {takesValues(kind) && (
        <Textarea
          label={t('values')}
          description={t('valuesHelp')}
          value={values}
          onChange={({ currentTarget }) => setValues(currentTarget.value)}
          autosize
          minRows={2}
          maxRows={8}
          dir="auto"
        />
      )}
      <Select
        label={t('use')}
        description={t('useHelp')}
        data={PROPERTY_USES.map((value) => ({ value, label: t(`use_${value}`) }))}
        value={use}
        onChange={(chosen) => setUse(PROPERTY_USES.find((each) => each === chosen) ?? use)}
        allowDeselect={false}
      />
      <TextInput
        label={t('description')}
        value={description}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        maxLength={LIMITS.eventDescriptionLength}
        dir="auto"
      />
    </FormDialog>
  )
}

function takesValues(kind: DeclaredKind): boolean {
  return kind === 'string' || kind === 'integer' || kind === 'number'
}

/** What apps send so far; of several kinds the one that takes them all. */
function guessKind(property: EventProperty | undefined): DeclaredKind {
  const seen = DECLARED_KINDS.filter((kind) => property?.kinds.includes(kind))
  if (seen.length === 1 && seen[0]) return seen[0]
  return seen.length > 0 && seen.every((kind) => kind === 'integer' || kind === 'number') ? 'number' : 'string'
}

/** Lines as values of the kind; what is no number stays a text, and the server says which. */
function readValues(text: string, kind: DeclaredKind): (string | number)[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return kind === 'string' ? lines : lines.map((line) => (Number.isNaN(Number(line)) ? line : Number(line)))
}
