import { Button, Group, Input, Paper, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { lazy, Suspense, useId, useState } from 'react'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { PLAIN_THEME } from '@contentflow/core/mail/theme.ts'
import { useFormat } from '../../../format.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { randomId } from '../../mails/editor/document/change-mail.ts'
import { mailOfTexts } from '../../mails/editor/document/new-parts.ts'
import { useComposer } from './composer-context.tsx'
import { useMailTexts } from './mail-texts.ts'

/** Most campaigns have no mail of sections, so its editor is loaded when it is opened. */
const MailEditor = lazy(async () => ({ default: (await import('../../mails/editor/mail-editor.tsx')).MailEditor }))

/** Whether the email is made of the texts, or a mail of sections; the second is written in a window of its own. */
export function MailChoice() {
  const t = useMailTexts()
  const label = useId()
  const { draft, change, locale } = useComposer()
  const [isOpen, setOpen] = useState(false)
  /** A mail that was given up is there again when somebody changes their mind. */
  const [left, setLeft] = useState<MailDocument>()
  const { mail } = draft
  if (!draft.dispatchChannels.includes('email')) return null
  const choose = (kind: string) => {
    if (kind === 'simple') {
      setLeft(mail)
      change({ mail: undefined })
    } else if (!mail) {
      change({ mail: left ?? mailOfTexts(draft.content, locale, randomId) })
      setOpen(true)
    }
  }
  return (
    <Stack gap="xs">
      <Input.Wrapper label={t('kind')} description={t(mail ? 'designedHelp' : 'simpleHelp')} labelElement="div" labelProps={{ id: label }}>
        <SegmentedControl
          mt={6}
          aria-labelledby={label}
          value={mail ? 'designed' : 'simple'}
          onChange={choose}
          data={[
            { value: 'simple', label: t('simple') },
            { value: 'designed', label: t('designed') },
          ]}
        />
      </Input.Wrapper>
      {mail && <MailCard mail={mail} onOpen={() => setOpen(true)} />}
      <Dialog opened={isOpen && mail !== undefined} onClose={() => setOpen(false)} title={t('title')} fullScreen closeOnEscape={false}>
        {mail && <OpenEditor mail={mail} onDone={() => setOpen(false)} />}
      </Dialog>
    </Stack>
  )
}

function MailCard({ mail, onOpen }: { mail: MailDocument; onOpen: () => void }) {
  const t = useMailTexts()
  const format = useFormat()
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" gap="sm">
        <Stack gap={2} miw={0} flex="1 1 200px">
          {Object.entries(mail.texts).map(([code, { subject }]) => (
            <Text key={code} size="sm" truncate dir="auto" className="cf-foreign">
              {format.language(code)}: {subject || t('noSubject')}
            </Text>
          ))}
        </Stack>
        <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={onOpen}>
          {t('edit')}
        </Button>
      </Group>
    </Paper>
  )
}

function OpenEditor({ mail, onDone }: { mail: MailDocument; onDone: () => void }) {
  const t = useMailTexts()
  const { change, locales, locale, setLocale } = useComposer()
  return (
    <Stack gap="md">
      <Suspense fallback={<Skeleton height={480} />}>
        <MailEditor
          document={mail}
          onChange={(next) => change({ mail: next })}
          locales={locales}
          locale={locale}
          onLocale={setLocale}
          theme={PLAIN_THEME}
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
