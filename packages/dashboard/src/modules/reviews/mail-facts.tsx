import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { isRightToLeft } from '@contentflow/core/locale/languages.ts'
import { useFormat } from '../../format.ts'
import { mailWords } from '../campaigns/review/mail-words.ts'
import { useTexts as useCampaignTexts } from '../campaigns/texts.ts'
import { Fact } from './facts.tsx'

/** Every word of a mail of sections as it is sent, in each of its languages. */
export function MailFacts({ mail }: { mail: MailDocument }) {
  const t = useCampaignTexts()
  const format = useFormat()
  return Object.keys(mail.texts).map((locale) => (
    <Fact key={locale} name={`${format.language(locale)} · ${t('mail')}`} dir={isRightToLeft(locale) ? 'rtl' : 'ltr'}>
      {mailWords(mail, locale)}
    </Fact>
  ))
}
