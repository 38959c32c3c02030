import { Button, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { isRightToLeft } from '@contentflow/core/locale/languages.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { textsOfMails } from '@contentflow/core/mail/fill-texts.ts'
import { pickContentLocale } from '@contentflow/core/messages/content.ts'
import { tokensIn } from '@contentflow/core/messages/tokens.ts'
import { useFormat } from '../../../format.ts'
import { useLanguage } from '../../../i18n.ts'
import { sampleValues, useTokens } from '../../../ui/tokens/use-tokens.ts'
import { MailPreview } from '../../campaigns/preview/mail-preview.tsx'
import { useAddresses } from '../../campaigns/preview/preview-panel.tsx'
import { sampleMail } from '../../campaigns/preview/sample-message.ts'
import { useTexts as usePreviewTexts } from '../../campaigns/preview/texts.ts'
import { useTexts } from '../texts.ts'
import { useStepTexts } from '../texts-steps.ts'
import { Lockable } from './lockable.tsx'

type DesignedMailProps = { mail: MailDocument; onRemove: () => void }

/** The mail of sections of a step as people would see it, one language at a time; without it the step sends its texts. */
export function DesignedMail({ mail, onRemove }: DesignedMailProps) {
  const t = useTexts()
  const steps = useStepTexts()
  const preview = usePreviewTexts()
  const format = useFormat()
  const language = useLanguage()
  const addresses = useAddresses()
  const tokens = useTokens()
  const [chosen, setChosen] = useState<string>()
  const locales = Object.keys(mail.texts)
  const locale = locales.find((code) => code === chosen) ?? pickContentLocale(locales, language, null) ?? locales[0] ?? ''
  const used = tokensIn(textsOfMails(mail))
  const values = { ...sampleValues(tokens, used, preview('asPerson')), ...asWritten(used), language: locale }
  const sample = sampleMail(mail, locale, values)
  return (
    <Stack gap="sm">
      <Text size="sm">{steps('mailIs', { mail: t('designedMail', { count: mail.sections.length }) })}</Text>
      {locales.length > 1 && (
        <Select
          aria-label={preview('language')}
          data={locales.map((code) => ({ value: code, label: format.language(code) }))}
          value={locale}
          onChange={(code) => setChosen(code ?? undefined)}
          allowDeselect={false}
        />
      )}
      <MailPreview
        content={{ title: sample.mail.texts.subject }}
        mail={sample.mail}
        locale={locale}
        dir={isRightToLeft(locale) ? 'rtl' : 'ltr'}
        addresses={addresses}
      />
      <Lockable>
        <Button variant="default" onClick={onRemove}>
          {steps('removeMail')}
        </Button>
      </Lockable>
    </Stack>
  )
}

/** Nobody's event is at hand. */
function asWritten(used: readonly string[]) {
  const group = (kind: string) =>
    Object.fromEntries(used.flatMap((token) => (token.startsWith(`${kind}.`) ? [[token.slice(kind.length + 1), `{{${token}}}`]] : [])))
  return { event: group('event'), lastEvent: group('lastEvent') }
}
