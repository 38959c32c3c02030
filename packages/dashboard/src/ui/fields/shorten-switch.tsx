import { Switch } from '@mantine/core'
import { isShortened } from '@contentflow/core/messages/short-link.ts'
import { defineTexts } from '../../i18n.ts'

const useTexts = defineTexts('shorten-switch', {
  en: {
    shorten: 'Shorten the link in text messages',
    shortenHelp:
      'The message has a short link of this server, which leads on for 180 days. Clicks of people who agreed to that are counted.',
  },
  ar: {
    shorten: 'تقصير الرابط في الرسائل النصية',
    shortenHelp: 'في الرسالة رابط قصير من هذا الخادم يعمل 180 يومًا، وتُحسب نقرات من وافق على ذلك.',
  },
})

type Content = { [locale: string]: { shorten?: boolean } }

/** The same in every language. `first`: the language that begins where nothing is written yet. */
export function withShorten<T extends Content>(content: T, isShort: boolean, first: string): T {
  const codes = Object.keys(content)
  const all = (codes.length === 0 && isShort ? [first] : codes).map((code) => {
    const { shorten: _, ...others } = content[code] ?? {}
    return [code, isShort ? { ...others, shorten: true } : others]
  })
  return Object.fromEntries(all) as T
}

type ShortenSwitchProps = { content: Content; onChange: (isShort: boolean) => void }

/** Whether text messages of a content have a short link. */
export function ShortenSwitch({ content, onChange }: ShortenSwitchProps) {
  const t = useTexts()
  return (
    <Switch
      label={t('shorten')}
      description={t('shortenHelp')}
      checked={isShortened(content)}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  )
}
