import { Alert, Button, List, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { HtmlText, MailNode } from '@contentflow/core/mail/document.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { ImportedHtml } from '@contentflow/server/wire.ts'
import { useWrite } from '../../../../data.ts'
import { useFormat } from '../../../../format.ts'
import { Failure } from '../../../../ui/failure.tsx'
import { setText, textOf } from '../document/change-texts.ts'
import { useEditing } from '../editing-context.ts'
import { useTexts } from '../texts.ts'

/** Own HTML is cleaned by the server before the mail takes it, so it is typed here and taken in one step. */
export function HtmlFields({ node }: { node: MailNode }) {
  const t = useTexts()
  const format = useFormat()
  const { document, change, locale } = useEditing()
  const held = textOf(document, locale, node.id) as HtmlText | undefined
  const [typed, setTyped] = useState(held?.html ?? '')
  const clean = useWrite<string, ImportedHtml>(
    (html) => ({ method: 'POST', path: '/mails/import-html', body: { html, kind: 'node', locale } }),
    { stale: [], showsError: true },
  )
  const take = ({ html }: ImportedHtml) => {
    setTyped(html)
    change(setText(document, locale, node.id, { html }))
  }
  const removed = clean.data?.removed ?? []
  return (
    <Stack gap="xs" align="flex-start">
      <Textarea
        w="100%"
        label={t('html')}
        description={t('htmlHelp')}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        maxLength={LIMITS.mailImportCharacters}
        minRows={6}
        maxRows={16}
        autosize
        spellCheck={false}
        dir="ltr"
        classNames={{ input: typed === '' ? '' : 'cf-code' }}
      />
      <Button
        size="xs"
        loading={clean.isPending}
        disabled={typed === (held?.html ?? '')}
        onClick={() => clean.mutate(typed, { onSuccess: take })}
      >
        {t('htmlUse')}
      </Button>
      {clean.error && <Failure title={t('htmlRefused')} error={clean.error} />}
      {removed.length > 0 && (
        <Alert role="status" color="yellow" title={t('htmlRemoved')} w="100%">
          <List size="sm">
            {removed.map(({ what, line }, index) => (
              <List.Item key={`${index}:${what}`}>
                {t('htmlLine', { line: format.number(line) })} <bdi>{what}</bdi>
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {held === undefined && (
        <Text size="sm" c="dimmed">
          {t('empty_html')}
        </Text>
      )}
    </Stack>
  )
}
