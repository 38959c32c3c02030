import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { isRightToLeft } from '@contentflow/core/locale/languages.ts'
import { MESSAGE_MEMBERS, type MessageContent } from '@contentflow/core/messages/content.ts'
import { useFormat } from '../../format.ts'
import { useTexts as useComposerTexts } from '../campaigns/composer/texts.ts'
import { useTexts as useCampaignTexts } from '../campaigns/texts.ts'
import { useTexts } from './texts.ts'

/** `dir`: the direction of text in a given language; the dashboard's own words, and names, follow the page. */
export function Fact({ name, dir, children }: { name: string; dir?: 'ltr' | 'rtl' | 'auto'; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="sm" m={0} dir={dir} className="cf-foreign" style={{ whiteSpace: 'pre-wrap' }}>
        {dir ? children : <bdi>{children}</bdi>}
      </Text>
    </div>
  )
}

/** Every text, link and template of a message as it is sent; in one language, where it has several. */
export function MessageFacts({ content, locale }: { content: MessageContent; locale?: string }) {
  const t = useTexts()
  const composer = useComposerTexts()
  const campaigns = useCampaignTexts()
  const format = useFormat()
  const { whatsappTemplate: template } = content
  const named = (name: string) => (locale === undefined ? name : `${format.language(locale)} · ${name}`)
  const dir = locale === undefined ? 'auto' : isRightToLeft(locale) ? 'rtl' : 'ltr'
  return (
    <>
      {MESSAGE_MEMBERS.map(
        (member) =>
          content[member] && (
            <Fact key={member} name={named(composer(`member_${member}`))} dir={member.endsWith('Url') ? 'ltr' : dir}>
              {content[member]}
            </Fact>
          ),
      )}
      {content.urgency && <Fact name={named(campaigns('urgency'))}>{content.urgency}</Fact>}
      {content.shorten && <Fact name={named(campaigns('shortLink'))}>{campaigns('shortLinkOn')}</Fact>}
      {content.inbox && (
        <Fact name={named(campaigns('inInbox'))}>{campaigns('inboxDays', { days: format.number(content.inbox.days) })}</Fact>
      )}
      {template && (
        <Fact name={named(t('template'))} dir="auto">
          {[template.id, ...Object.entries(template.variables ?? {}).map(([name, text]) => `${name}: ${text}`)].join('\n')}
        </Fact>
      )}
    </>
  )
}
