import { Button, Group, Input, Paper, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { lazy, Suspense, useId, useState } from 'react'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { useFormat } from '../../../../format.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { useBrand } from '../../../mails/api.ts'
import { randomId } from '../../../mails/editor/document/change-mail.ts'
import { mailOfTexts } from '../../../mails/editor/document/new-parts.ts'
import { useComposer } from '../composer-context.tsx'
import { ImportHtml } from '../own-html/import-html.tsx'
import { fittedTo } from '../variants/variant-mails.ts'
import { KeepTemplate } from './keep-template.tsx'
import { useMailTexts } from './mail-texts.ts'

/** Most campaigns have no mail of sections, so its editor and what it begins with are loaded when they are opened. */
const MailEditor = lazy(async () => ({ default: (await import('../../../mails/editor/mail-editor.tsx')).MailEditor }))
const StartChoice = lazy(async () => ({ default: (await import('../../../mails/start/start-choice.tsx')).StartChoice }))

/** Whether the email is made of the texts, or a mail of sections; the second is written in a window of its own. */
export function MailChoice() {
  const t = useMailTexts()
  const label = useId()
  const { draft, change, locale } = useComposer()
  const [open, setOpen] = useState<'start' | 'editor' | 'keep'>()
  /** Mails that were given up, by their kind: each is there again when somebody changes their mind. */
  const [left, setLeft] = useState<ReadonlyMap<MailDocument['kind'], MailDocument>>(new Map())
  const { mail } = draft
  /** Own HTML was chosen, and none is brought yet. */
  const [wantsHtml, setWantsHtml] = useState(false)
  const kind = mail ? (mail.kind === 'html' ? 'html' : 'designed') : wantsHtml ? 'html' : 'simple'
  if (!draft.dispatchChannels.includes('email')) return null
  const begin = (document: MailDocument) => {
    change({ mail: document, variants: fittedTo(document, draft.variants) })
    setOpen('editor')
  }
  const close = () => {
    // What variants said of parts that were taken out goes with them, but not while the step may be undone.
    if (mail) change({ variants: fittedTo(mail, draft.variants) })
    setOpen(undefined)
  }
  const choose = (chosen: string) => {
    setWantsHtml(chosen === 'html')
    if (mail && chosen !== kind) {
      setLeft((before) => new Map(before).set(mail.kind, mail))
      change({ mail: undefined })
    }
    const former = left.get(chosen === 'html' ? 'html' : 'sections')
    if (chosen === 'html' && former) change({ mail: former })
    else if (chosen === 'designed' && kind !== 'designed') {
      if (former) begin(former)
      else setOpen('start')
    }
  }
  return (
    <Stack gap="xs">
      <Input.Wrapper label={t('kind')} description={t(`${kind}Help`)} labelElement="div" labelProps={{ id: label }}>
        <SegmentedControl
          mt={6}
          aria-labelledby={label}
          value={kind}
          onChange={choose}
          data={[
            { value: 'simple', label: t('simple') },
            { value: 'designed', label: t('designed') },
            { value: 'html', label: t('html') },
          ]}
        />
      </Input.Wrapper>
      {mail && kind === 'designed' && <MailCard mail={mail} onOpen={setOpen} />}
      {kind === 'html' && <ImportHtml />}
      <Dialog opened={open === 'start'} onClose={() => setOpen(undefined)} title={t('startTitle')} size="xl">
        <Suspense fallback={<Skeleton height={320} />}>
          <StartChoice blank={() => mailOfTexts(draft.content, locale, randomId)} onPick={({ document }) => begin(document)} />
        </Suspense>
      </Dialog>
      <Dialog opened={open === 'editor' && mail !== undefined} onClose={close} title={t('title')} fullScreen closeOnEscape={false}>
        {mail && <OpenEditor mail={mail} onDone={close} />}
      </Dialog>
      {open === 'keep' && mail && <KeepTemplate mail={mail} name={draft.name} onClose={() => setOpen(undefined)} />}
    </Stack>
  )
}

function MailCard({ mail, onOpen }: { mail: MailDocument; onOpen: (what: 'start' | 'editor' | 'keep') => void }) {
  const t = useMailTexts()
  const format = useFormat()
  const { source } = useComposer()
  const codes = Object.keys(mail.texts).toSorted((a, b) => Number(b === source?.code) - Number(a === source?.code))
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Stack gap={2} miw={0}>
          {codes.map((code) => (
            <Text key={code} size="sm" truncate dir="auto" className="cf-foreign">
              {format.language(code)}: {mail.texts[code]?.subject || t('noSubject')}
            </Text>
          ))}
        </Stack>
        <Group gap="xs">
          <Button variant="light" size="xs" leftSection={<IconPencil size={16} aria-hidden />} onClick={() => onOpen('editor')}>
            {t('edit')}
          </Button>
          <Button variant="default" size="xs" onClick={() => onOpen('start')}>
            {t('anew')}
          </Button>
          <Button variant="default" size="xs" onClick={() => onOpen('keep')}>
            {t('keep')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}

function OpenEditor({ mail, onDone }: { mail: MailDocument; onDone: () => void }) {
  const t = useMailTexts()
  const { change, locales, locale, setLocale } = useComposer()
  const brand = useBrand()
  return (
    <Stack gap="md">
      <Suspense fallback={<Skeleton height={480} />}>
        <MailEditor
          document={mail}
          onChange={(next) => change({ mail: next })}
          locales={locales}
          locale={locale}
          onLocale={setLocale}
          brand={brand}
        />
      </Suspense>
      <Group justify="flex-end">
        <Text size="sm" c="dimmed">
          {t('keeps')}
        </Text>
        <Button onClick={onDone}>{t('done')}</Button>
      </Group>
    </Stack>
  )
}
