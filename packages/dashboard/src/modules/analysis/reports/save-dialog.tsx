import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { LIMITS } from '@contentflow/core/limits.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useSaveReport, type Definition, type QuestionKind, type Report } from '../api.ts'
import { useTexts } from '../texts.ts'

type SaveDialogProps = { kind: QuestionKind; definition: Definition; saved?: Report | undefined; onClose: () => void }

/** Keeps a question under a name; a new one opens under its own address. */
export function SaveDialog({ kind, definition, saved, onClose }: SaveDialogProps) {
  const t = useTexts()
  const [, setParams] = useSearchParams()
  const [name, setName] = useState(saved?.name ?? '')
  const [isPinned, setPinned] = useState(saved?.isPinned ?? false)
  const [isFaulty, setFaulty] = useState(false)
  const save = useSaveReport(t('saved'))
  const submit = () => {
    setFaulty(name.trim() === '')
    if (name.trim() === '') return
    const sent = { ...(saved && { id: saved.id, version: saved.version }), kind, saved: { name: name.trim(), definition, isPinned } }
    save.mutate(sent, {
      onSuccess: ({ id }) => {
        setParams({ view: kind, report: id }, { replace: true })
        onClose()
      },
    })
  }
  return (
    <FormDialog
      title={saved ? t('saveChanges') : t('save')}
      action={saved ? t('saveChanges') : t('save')}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label={t('name')}
        value={name}
        onChange={({ currentTarget }) => (setName(currentTarget.value), setFaulty(false))}
        error={isFaulty ? t('nameNeeded') : undefined}
        maxLength={LIMITS.reportNameLength}
        dir="auto"
        withAsterisk
        data-autofocus
      />
      <Checkbox label={t('pin')} checked={isPinned} onChange={({ currentTarget }) => setPinned(currentTarget.checked)} />
    </FormDialog>
  )
}
