import { Alert, Button, FileButton, Group, List, Paper, Stack, Text, Textarea } from '@mantine/core'
import { IconCode, IconFile } from '@tabler/icons-react'
import { useState } from 'react'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import type { ImportedHtml } from '@contentflow/server/wire.ts'
import { useWrite } from '../../../../data.ts'
import { useFormat } from '../../../../format.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Failure } from '../../../../ui/failure.tsx'
import { useComposer } from '../composer-context.tsx'
import { useImportTexts } from './texts-import.ts'

/** Own HTML for the email of a campaign: brought, cleaned by the server, and kept by language (decision 73). */
export function ImportHtml() {
  const t = useImportTexts()
  const format = useFormat()
  const { draft, change, locales } = useComposer()
  const [bringing, setBringing] = useState<string>()
  const { mail } = draft
  const keep = (document: MailDocument) => {
    change({ mail: { ...document, texts: { ...mail?.texts, ...document.texts } } })
  }
  return (
    <Stack gap="xs" align="flex-start">
      {mail && (
        <Paper withBorder p="md" w="100%">
          <Stack gap="sm">
            {Object.entries(mail.texts).map(([code, { subject }]) => (
              <Text key={code} size="sm" truncate dir="auto" className="cf-foreign">
                {format.language(code)}: {subject || t('noSubject')}
              </Text>
            ))}
          </Stack>
        </Paper>
      )}
      <Group gap="xs">
        {locales.map(({ code }) => (
          <Button key={code} variant="default" size="xs" leftSection={<IconCode size={16} aria-hidden />} onClick={() => setBringing(code)}>
            {t('title', { language: format.language(code) })}
          </Button>
        ))}
      </Group>
      {bringing !== undefined && <ImportDialog locale={bringing} onClose={() => setBringing(undefined)} onImported={keep} />}
    </Stack>
  )
}

type ImportDialogProps = { locale: string; onClose: () => void; onImported: (document: MailDocument) => void }

function ImportDialog({ locale, onClose, onImported }: ImportDialogProps) {
  const t = useImportTexts()
  const format = useFormat()
  const [html, setHtml] = useState('')
  const bring = useWrite<string, ImportedHtml>((sent) => ({ method: 'POST', path: '/mails/import-html', body: { html: sent, locale } }), {
    stale: [],
    showsError: true,
  })
  return (
    <Dialog opened onClose={onClose} title={t('title', { language: format.language(locale) })} size="lg" closeOnClickOutside={false}>
      {bring.data ? (
        <Stack>
          <Removed removed={bring.data.removed} />
          <Group justify="flex-end">
            <Button onClick={onClose}>{t('done')}</Button>
          </Group>
        </Stack>
      ) : (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            bring.mutate(html, { onSuccess: ({ document }) => document && onImported(document as MailDocument) })
          }}
        >
          <Stack>
            <Textarea
              label={t('html')}
              description={t('htmlText', { example: '{{name | friend}}' })}
              value={html}
              onChange={({ currentTarget }) => setHtml(currentTarget.value)}
              rows={12}
              spellCheck={false}
              dir="ltr"
              maxLength={LIMITS.mailImportCharacters}
              classNames={{ input: html === '' ? '' : 'cf-code' }}
              data-autofocus
            />
            <Group>
              <FileButton accept=".html,.htm,text/html" onChange={(file) => void file?.text().then(setHtml)}>
                {(button) => (
                  <Button size="xs" variant="default" leftSection={<IconFile size={16} aria-hidden />} {...button}>
                    {t('chooseFile')}
                  </Button>
                )}
              </FileButton>
            </Group>
            {bring.error && <Failure title={t('refused')} error={bring.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t('cancel')}
              </Button>
              <Button type="submit" loading={bring.isPending} disabled={html.trim() === ''}>
                {t('clean')}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  )
}

/** What was taken out of it, so that nobody wonders where it went. */
function Removed({ removed }: { removed: ImportedHtml['removed'] }) {
  const t = useImportTexts()
  const format = useFormat()
  if (removed.length === 0) return <Alert role="status" color="teal" title={t('whole')} />
  return (
    <Stack gap="xs">
      <Alert role="status" color="yellow" title={t('removedTitle')}>
        {t('removedText')}
      </Alert>
      <List size="sm" listStyleType="disc">
        {removed.map(({ what, line }, index) => (
          <List.Item key={`${index}:${what}`}>
            {t('line', { line: format.number(line) })} <bdi>{what}</bdi>
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}
