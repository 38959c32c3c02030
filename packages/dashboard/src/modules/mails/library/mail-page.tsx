import { ActionIcon, Alert, Button, Group, Menu, SimpleGrid, TextInput } from '@mantine/core'
import { IconArchive, IconDots, IconHistory, IconRestore } from '@tabler/icons-react'
import { useState } from 'react'
import { useParams } from 'react-router'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { canonicalJson } from '@contentflow/core/json/canonical-json.ts'
import type { Locale } from '@contentflow/server/wire.ts'
import { useRead, useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { LoadedPage } from '../../../ui/loaded-page.tsx'
import { Page } from '../../../ui/page.tsx'
import { EditNotices } from '../../../ui/unsaved/edit-notices.tsx'
import { useFoundWork } from '../../../ui/unsaved/use-kept-work.tsx'
import { useVersionedEdit, type KeptEdit } from '../../../ui/unsaved/use-versioned-edit.ts'
import { useLocales } from '../../../locales.ts'
import { MailEditor } from '../editor/mail-editor.tsx'
import { MailLookOf } from '../editor/preview/mail-look.tsx'
import { useWhole } from '../editor/use-shared-parts.ts'
import { useSample } from '../editor/preview/use-sample.ts'
import { MAILS, mailApi, mailPath, useBrand, type LibraryMail } from '../api.ts'
import { useTexts } from '../texts.ts'
import { Revisions } from './revisions.tsx'

export function MailPage() {
  const t = useTexts()
  const { workspace } = useSession()
  const { id = '' } = useParams()
  const locales = useLocales()
  return (
    <LoadedPage
      read={useRead<LibraryMail>(mailApi(id))}
      title={t('title')}
      path={[{ label: t('title'), to: mailPath(workspace.id) }]}
      failed={t('openFailed')}
      height={480}
    >
      {(mail) => (locales ? <OpenMail key={mail.id} mail={mail} locales={locales} /> : null)}
    </LoadedPage>
  )
}

type MailDraft = { name: string; category: string; document: MailDocument }
type MailBody = { name: string; category: string | null; document: MailDocument }

function draftOf({ name, category, document }: LibraryMail): MailDraft {
  return { name, category: category ?? '', document }
}

function OpenMail({ mail, locales }: { mail: LibraryMail; locales: readonly Locale[] }) {
  const t = useTexts()
  const { mayEdit, workspace } = useSession()
  const brand = useBrand()
  const thing = `mail/${mail.id}`
  const found = useFoundWork<KeptEdit<LibraryMail, MailDraft>>(thing)
  const [draft, setDraft] = useState(found?.value.draft ?? draftOf(mail))
  const [took, setTook] = useState<number>()
  const editing = useVersionedEdit<LibraryMail, MailDraft, MailBody>({
    thing,
    path: mailApi(mail.id),
    read: mail,
    found,
    draft,
    setDraft,
    draftOf,
    isSame: (a, b) => canonicalJson(a) === canonicalJson(b),
    stale: [MAILS],
    done: t('saveDone'),
  })
  const isArchived = editing.stored.archivedAt !== null
  const body = (): MailBody => ({ name: draft.name.trim(), category: draft.category.trim() || null, document: draft.document })
  const save = () => {
    setTook(undefined)
    void editing.saveOn(editing.stored, body())
  }
  const first = locales[0]?.code ?? Object.keys(draft.document.texts)[0] ?? 'en'
  return (
    <Page
      title={editing.stored.name}
      path={[{ label: t('title'), to: mailPath(workspace.id) }]}
      actions={
        mayEdit && (
          <Actions mail={editing.stored} onTake={(version, document) => (setDraft({ ...draft, document }), setTook(version))}>
            {!isArchived && (
              <Button onClick={save} loading={editing.isBusy} disabled={!editing.isDirty || draft.name.trim() === ''}>
                {t('save')}
              </Button>
            )}
          </Actions>
        )
      }
    >
      <EditNotices
        editing={{ ...editing, overwrite: () => editing.theirs && void editing.saveOn(editing.theirs, body()) }}
        words={{ title: t('changedTitle'), text: t('changedText'), mine: t('saveMine'), theirs: t('loadTheirs') }}
      />
      {isArchived && <Alert color="yellow">{t('isArchived')}</Alert>}
      {took !== undefined && editing.isDirty && <Alert color="blue">{t('tookRevision', { version: took })}</Alert>}
      {mayEdit && !isArchived ? (
        <>
          <NameFields draft={draft} onChange={setDraft} />
          <MailEditor
            document={draft.document}
            onChange={(document) => setDraft((before) => ({ ...before, document }))}
            locales={locales}
            locale={first}
            brand={brand}
          />
        </>
      ) : (
        <ReadOnly document={draft.document} locale={first} />
      )}
    </Page>
  )
}

function NameFields({ draft, onChange }: { draft: MailDraft; onChange: (draft: MailDraft) => void }) {
  const t = useTexts()
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <TextInput
        label={t('name')}
        value={draft.name}
        onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
        maxLength={LIMITS.mailNameLength}
        dir="auto"
        required
        autoComplete="off"
      />
      <TextInput
        label={t('category')}
        description={t('categoryHelp')}
        inputWrapperOrder={['label', 'input', 'description']}
        value={draft.category}
        onChange={({ currentTarget }) => onChange({ ...draft, category: currentTarget.value })}
        maxLength={LIMITS.mailCategoryLength}
        dir="auto"
        autoComplete="off"
      />
    </SimpleGrid>
  )
}

function ReadOnly({ document, locale }: { document: MailDocument; locale: string }) {
  const t = useTexts()
  const shown = Object.hasOwn(document.texts, locale) ? locale : (Object.keys(document.texts)[0] ?? locale)
  const whole = useWhole(document) ?? document
  const sample = useSample(whole, shown, t('asPerson'), useBrand() ?? null)
  return <MailLookOf sample={sample} locale={shown} />
}

type ActionsProps = { mail: LibraryMail; onTake: (version: number, document: MailDocument) => void; children: React.ReactNode }

function Actions({ mail, onTake, children }: ActionsProps) {
  const t = useTexts()
  const [asked, setAsked] = useState<'archive' | 'revisions'>()
  const { id, name, version, archivedAt } = mail
  const archive = useWrite<{ version: number }>((sent) => ({ path: mailApi(id), method: 'DELETE', ...sent }), {
    stale: [MAILS],
    done: t('archiveDone'),
  })
  const restore = useWrite<{ version: number }>((sent) => ({ path: `${mailApi(id)}/restore`, method: 'POST', ...sent }), {
    stale: [MAILS],
    done: t('restored'),
  })
  return (
    <Group gap="xs">
      {archivedAt !== null && (
        <Button leftSection={<IconRestore size={16} aria-hidden />} loading={restore.isPending} onClick={() => restore.mutate({ version })}>
          {t('restore')}
        </Button>
      )}
      {children}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('more')}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconHistory size={16} aria-hidden />} onClick={() => setAsked('revisions')}>
            {t('revisions')}
          </Menu.Item>
          {archivedAt === null && (
            <Menu.Item leftSection={<IconArchive size={16} aria-hidden />} onClick={() => setAsked('archive')}>
              {t('archive')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {asked === 'revisions' && (
        <Revisions
          id={id}
          onClose={() => setAsked(undefined)}
          onTake={
            archivedAt === null
              ? (taken, document) => {
                  setAsked(undefined)
                  onTake(taken, document)
                }
              : undefined
          }
        />
      )}
      <Confirm
        isOpen={asked === 'archive'}
        onClose={() => setAsked(undefined)}
        title={t('archiveTitle', { name })}
        action={t('archive')}
        isBusy={archive.isPending}
        onConfirm={() => archive.mutate({ version }, { onSettled: () => setAsked(undefined) })}
      >
        {t('archiveText')}
      </Confirm>
    </Group>
  )
}
