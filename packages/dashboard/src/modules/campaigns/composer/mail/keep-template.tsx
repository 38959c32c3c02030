import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { useWrite } from '../../../../data.ts'
import { FormDialog } from '../../../../ui/form-dialog.tsx'
import { MAILS, type LibraryMail } from '../../../mails/api.ts'
import { useMailTexts } from './mail-texts.ts'

type KeepTemplateProps = { mail: MailDocument; name: string; onClose: () => void }

/** Keeps a copy of the mail among the templates, for the next campaign. */
export function KeepTemplate({ mail, name, onClose }: KeepTemplateProps) {
  const t = useMailTexts()
  const [typed, setTyped] = useState(name)
  const create = useWrite<{ kind: 'template'; name: string; document: MailDocument }, LibraryMail>(
    (body) => ({ path: MAILS, method: 'POST', body }),
    { stale: [MAILS], done: (kept) => t('kept', { name: kept.name }), showsError: true },
  )
  return (
    <FormDialog
      title={t('keep')}
      action={t('keepAction')}
      isBusy={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={() => create.mutate({ kind: 'template', name: typed.trim(), document: mail }, { onSuccess: onClose })}
    >
      <TextInput
        label={t('templateName')}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        maxLength={LIMITS.mailNameLength}
        dir="auto"
        autoComplete="off"
        data-autofocus
      />
    </FormDialog>
  )
}
