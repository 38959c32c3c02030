import { Badge, Group, Stack, Text } from '@mantine/core'
import type { Message } from '@contentflow/core/channels/channel.ts'
import { MESSAGE_MEMBERS, type MessageContent } from '@contentflow/core/messages/content.ts'
import { textMessageLength, textOfMessage } from '@contentflow/core/messages/text-message.ts'
import { useFormat } from '../../../format.ts'
import { sampleMessage } from './sample-message.ts'
import type { PreviewContent } from './shown.ts'
import { useTexts } from './texts.ts'
import classes from './preview.module.css'

type Template = NonNullable<Message['template']>

/** A text message, and what it costs: how many parts the network cuts it into. */
export function TextPreview({
  content,
  locale,
  dir,
  addresses,
  isShort = false,
  written,
}: PreviewContent & { written: MessageContent | undefined }) {
  const t = useTexts()
  const format = useFormat()
  const text = textOfMessage(sampleMessage('sms', { content, locale, addresses, isShort }))
  const { alphabet, length, parts, left, because } = textMessageLength(text)
  const hasTokens = MESSAGE_MEMBERS.some((name) => written?.[name]?.includes('{{'))
  const partsWords = t('parts', { count: parts, formatted: format.number(parts) })
  return (
    <Stack gap="xs">
      <div className={classes.bubbles} dir={dir} lang={locale}>
        <div className={classes.bubble}>{text}</div>
      </div>
      <Stack gap={2} aria-live="polite">
        <Group gap="xs">
          <Badge color={parts > 1 ? 'orange' : 'gray'} variant="light" tt="none" radius="sm">
            {partsWords}
          </Badge>
          <Text size="sm">{t('length', { n: format.number(length), left: format.number(left) })}</Text>
        </Group>
        <Text size="xs" c="dimmed">
          {t(`alphabet_${alphabet}`)}
          {because !== undefined && ` · ${t('because', { sign: because })}`}
        </Text>
        {isShort && content.ctaUrl !== undefined && (
          <Text size="xs" c="dimmed">
            {t(addresses.linkAddress === undefined ? 'shortUnknown' : 'shortCounted')}
          </Text>
        )}
        {hasTokens && (
          <Text size="xs" c="dimmed">
            {t('longer', { parts: partsWords })}
          </Text>
        )}
      </Stack>
    </Stack>
  )
}

/** WhatsApp, whose messages have pictures and no parts. */
export function ChatPreview({ content, locale, dir, addresses, isShort = false }: PreviewContent) {
  const t = useTexts()
  const message = sampleMessage('whatsapp', { content, locale, addresses, isShort })
  const { imageUrl, template } = message
  if (template) return <TemplatePreview template={template} locale={locale} dir={dir} />
  return (
    <div className={classes.bubbles} data-chat dir={dir} lang={locale}>
      <div className={classes.bubble}>
        {imageUrl !== undefined && <img src={imageUrl} alt={t('imageAlt')} />}
        {textOfMessage(message)}
      </div>
    </div>
  )
}

/** The provider has the words of the template: only its values are shown. */
function TemplatePreview({ template: { id, variables }, locale, dir }: Pick<PreviewContent, 'locale' | 'dir'> & { template: Template }) {
  const t = useTexts()
  return (
    <Stack gap="xs">
      <Text size="sm">
        {t('templateOf')} <span className="cf-code">{id}</span>
      </Text>
      <div className={classes.bubbles} data-chat dir={dir} lang={locale}>
        {Object.entries(variables).map(([name, text]) => (
          <div key={name} className={classes.bubble}>
            {`${name}: ${text}`}
          </div>
        ))}
      </div>
    </Stack>
  )
}
