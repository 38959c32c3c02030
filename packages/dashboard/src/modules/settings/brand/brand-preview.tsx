import { Stack } from '@mantine/core'
import { useState } from 'react'
import type { Brand } from '@contentflow/core/mail/brand/brand.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { useFormat } from '../../../format.ts'
import { useLanguage } from '../../../i18n.ts'
import { Choice } from '../../../ui/fields/choice.tsx'
import { MailLookOf } from '../../mails/editor/preview/mail-look.tsx'
import { useSample } from '../../mails/editor/preview/use-sample.ts'
import { useBrandTexts } from './texts-brand.ts'

/** Every colour of a brand is in it. */
const SHOWN: MailDocument = {
  version: 1,
  kind: 'sections',
  sections: [
    {
      id: 'main',
      type: 'section',
      columns: [
        {
          width: 100,
          nodes: [
            { id: 'logo', type: 'logo' },
            { id: 'title', type: 'heading', level: 1 },
            { id: 'text', type: 'text' },
            { id: 'button', type: 'button' },
            { id: 'social', type: 'social' },
          ],
        },
      ],
    },
    { id: 'footer', type: 'footer' },
  ],
  texts: {
    en: {
      subject: 'Your order is on its way',
      nodes: {
        title: { blocks: [{ p: [{ v: 'It is on its way' }] }] },
        text: {
          blocks: [
            {
              p: [
                { v: 'Your order left us today. You can ' },
                { v: 'see where it is', url: 'https://example.com/track' },
                { v: ' at any time.' },
              ],
            },
          ],
        },
        button: { label: 'See the order', url: 'https://example.com/order' },
      },
    },
    ar: {
      subject: 'طلبك في الطريق',
      nodes: {
        title: { blocks: [{ p: [{ v: 'طلبك في الطريق' }] }] },
        text: {
          blocks: [
            { p: [{ v: 'غادرنا طلبك اليوم. ويمكنك ' }, { v: 'معرفة مكانه', url: 'https://example.com/track' }, { v: ' في أي وقت.' }] },
          ],
        },
        button: { label: 'عرض الطلب', url: 'https://example.com/order' },
      },
    },
  },
}

/** A mail as it would look, while the brand is written. */
export function BrandPreview({ brand }: { brand: Brand }) {
  const t = useBrandTexts()
  const format = useFormat()
  const [locale, setLocale] = useState<string>(useLanguage())
  const sample = useSample(SHOWN, locale, '', brand)
  return (
    <Stack gap="sm">
      <Choice label={t('language')} values={['en', 'ar']} nameOf={(code) => format.language(code)} value={locale} onChange={setLocale} />
      <MailLookOf sample={sample} locale={locale} />
    </Stack>
  )
}
