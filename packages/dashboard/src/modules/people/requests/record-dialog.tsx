import { deadlineOf, REQUEST_KINDS, REQUEST_LAWS, type RequestKind, type RequestLaw } from '@contentflow/core/identity/deadlines.ts'
import { REQUEST_TEXT } from '@contentflow/core/identity/subject-requests.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../../data.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { REQUESTS, STALE } from './requests.ts'
import { useRequestTexts } from './texts.ts'

type Typed = {
  kind: RequestKind
  law: RequestLaw
  userId: string
  receivedOn: string
  publishedDays: number | undefined
  note: string
}

const EMPTY: Typed = { kind: 'access', law: 'pdpl_ksa', userId: '', receivedOn: '', publishedDays: undefined, note: '' }

/** Records what somebody asked for in a letter, a mail or a call. */
export function RecordDialog({ onClose }: { onClose: () => void }) {
  const t = useRequestTexts()
  const [typed, setTyped] = useState(EMPTY)
  const set = (change: Partial<Typed>) => setTyped((before) => ({ ...before, ...change }))
  const published = deadlineOf(typed.law, typed.kind).published
  const record = useWrite<Typed>(
    ({ userId, receivedOn, publishedDays, note, ...chosen }) => ({
      method: 'POST',
      path: REQUESTS,
      body: {
        ...chosen,
        ...(userId.trim() !== '' && { userId: userId.trim() }),
        ...(receivedOn !== '' && { receivedOn }),
        ...(published && publishedDays !== undefined && { publishedDays }),
        ...(note.trim() !== '' && { note }),
      },
    }),
    { stale: STALE, done: t('recorded'), showsError: true },
  )
  const isWrong = published !== null && Number.isNaN(typed.publishedDays)
  return (
    <FormDialog
      title={t('record')}
      action={t('record')}
      isBusy={record.isPending}
      error={record.error}
      onSubmit={() => !isWrong && record.mutate(typed, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Select
        label={t('kind')}
        data={REQUEST_KINDS.map((value) => ({ value, label: t(`kind_${value}`) }))}
        value={typed.kind}
        onChange={(kind) => kind && set({ kind })}
        allowDeselect={false}
        data-autofocus
      />
      <Select
        label={t('law')}
        description={t('notAdvice')}
        data={REQUEST_LAWS.map((value) => ({ value, label: t(`law_${value}`) }))}
        value={typed.law}
        onChange={(law) => law && set({ law })}
        allowDeselect={false}
      />
      {published && (
        <NumberField
          label={t('publishedDays')}
          description={t('publishedHelp', { most: published.most })}
          value={typed.publishedDays}
          onChange={(publishedDays) => set({ publishedDays })}
          min={1}
          max={published.most}
          isWhole
        />
      )}
      <TextInput
        label={t('userIdLabel')}
        description={t('userIdHelp')}
        value={typed.userId}
        onChange={({ currentTarget }) => set({ userId: currentTarget.value })}
        maxLength={LIMITS.userIdLength}
        autoComplete="off"
        dir="auto"
      />
      <TextInput
        type="date"
        label={t('received')}
        value={typed.receivedOn}
        onChange={({ currentTarget }) => set({ receivedOn: currentTarget.value })}
      />
      <Textarea
        label={t('note')}
        description={t('noteHelp')}
        value={typed.note}
        onChange={({ currentTarget }) => set({ note: currentTarget.value })}
        maxLength={REQUEST_TEXT}
        autosize
        minRows={2}
        dir="auto"
      />
    </FormDialog>
  )
}
