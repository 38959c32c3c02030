import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Navigate } from 'react-router'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useWrite } from '../../../data.ts'
import { useLanguage } from '../../../i18n.ts'
import { useSession } from '../../../session.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { randomId } from '../editor/document/change-mail.ts'
import { blankMail } from '../editor/document/new-parts.ts'
import { MAILS, mailPath, type LibraryMail, type MailKind } from '../api.ts'
import { useLocales } from '../../../locales.ts'
import { StartChoice, type Begun } from '../start/start-choice.tsx'
import { useTexts } from '../texts.ts'

type NewMailProps = { kind: MailKind; onClose: () => void }

/** Chooses what it begins with, and its name. */
export function NewMail({ kind, onClose }: NewMailProps) {
  const t = useTexts()
  const language = useLanguage()
  const locales = useLocales()
  const { workspace } = useSession()
  const [begun, setBegun] = useState<Begun>()
  const [name, setName] = useState('')
  const create = useWrite<{ kind: MailKind; name: string; document: unknown }, LibraryMail>(
    (body) => ({ path: MAILS, method: 'POST', body }),
    { stale: [MAILS], done: (mail) => t('created', { name: mail.name }), showsError: true },
  )
  if (create.data) return <Navigate to={mailPath(workspace.id, create.data.id)} />
  const pick = (next: Begun) => {
    setBegun(next)
    setName(next.name ?? '')
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t(begun ? (kind === 'part' ? 'newPart' : 'newTemplate') : 'startTitle')}
      size={begun ? 'md' : 'xl'}
    >
      {begun ? (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            create.mutate({ kind, name: name.trim() || t('untitled'), document: begun.document })
          }}
        >
          <Stack>
            <TextInput
              label={t('name')}
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
              maxLength={LIMITS.mailNameLength}
              dir="auto"
              autoComplete="off"
              data-autofocus
            />
            {create.error && <Failure error={create.error} />}
            <Group justify="flex-end">
              <Button type="submit" loading={create.isPending}>
                {t('create')}
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <StartChoice blank={() => blankMail(locales?.[0]?.code ?? language, randomId)} onPick={pick} />
      )}
    </Dialog>
  )
}
