import { SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Campaign } from '@contentflow/core/campaigns/campaign.ts'
import { isRightToLeft } from '@contentflow/core/locale/languages.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { layMail } from '@contentflow/core/mail/variants/variant-mail.ts'
import { textsOfMail } from '@contentflow/core/mail/fill-texts.ts'
import type { FrozenPart } from '@contentflow/core/mail/library/put-parts.ts'
import { pickContentLocale } from '@contentflow/core/messages/content.ts'
import { isShortened } from '@contentflow/core/messages/short-link.ts'
import { tokensIn, tokensOf } from '@contentflow/core/messages/tokens.ts'
import { useFormat } from '../../../format.ts'
import { Section } from '../../../ui/section.tsx'
import { sampleValues, useTokens } from '../../../ui/tokens/use-tokens.ts'
import { useWebAddress } from '../../settings/web-address/use-web-address.ts'
import { MESSAGE_CHANNELS, useChannelName } from '../words.ts'
import { InAppPreview } from './in-app-preview.tsx'
import { MailPreview } from './mail-preview.tsx'
import { PushPreview } from './push-preview.tsx'
import { sampleContent, sampleMail } from './sample-message.ts'
import { ChatPreview, TextPreview } from './text-preview.tsx'
import type { Addresses } from './shown.ts'
import { useTexts } from './texts.ts'
import { useWholeMail } from './use-whole-mail.ts'

type PreviewProps = {
  campaign: Pick<Campaign, 'content' | 'dispatchChannels' | 'name' | 'mail' | 'mailParts'>
  locale: string
  /** Without it another part of the page sets the language. */
  onLocale?: (locale: string) => void
  variant: number | null
}

/** What people would see, channel by channel. */
export function PreviewPanel({ campaign, locale, onLocale, variant }: PreviewProps) {
  const t = useTexts()
  const channelName = useChannelName()
  const format = useFormat()
  const [picked, setPicked] = useState<string>()
  const channels = MESSAGE_CHANNELS.filter((channel) => campaign.dispatchChannels.includes(channel))
  const channel = channels.find((each) => each === picked) ?? channels[0]
  const variants = campaign.content[locale]?.variants ?? []
  const [chosen, setChosen] = useState<string>()
  // Where no variant is edited, the reader can go through all of them.
  const found = variants.findIndex(({ id }) => id === chosen)
  const looked = variant ?? (variants.length > 0 ? Math.max(0, found) : null)
  const total = variants.reduce((sum, { weight }) => sum + weight, 0)
  return (
    <Section title={t('preview')} text={t('previewText')}>
      <Stack gap="sm">
        {onLocale && Object.keys(campaign.content).length > 1 && (
          <Select
            aria-label={t('language')}
            data={Object.keys(campaign.content).map((code) => ({ value: code, label: format.language(code) }))}
            value={locale}
            onChange={(next) => next && onLocale(next)}
            allowDeselect={false}
          />
        )}
        {variant === null && variants.length > 0 && (
          <Select
            aria-label={t('variant')}
            data={variants.map(({ id, weight }) => ({ value: id, label: `${id} · ${format.percent(total === 0 ? 0 : weight / total)}` }))}
            value={variants[looked ?? 0]?.id ?? ''}
            onChange={(next) => setChosen(next ?? undefined)}
            allowDeselect={false}
          />
        )}
        {channels.length > 1 && (
          <SegmentedControl
            aria-label={t('channel')}
            data={channels.map((each) => ({ value: each, label: channelName(each) }))}
            value={channel ?? ''}
            onChange={setPicked}
            size="xs"
            fullWidth
          />
        )}
        {channel === undefined ? (
          <Text c="dimmed" size="sm">
            {t('nothing')}
          </Text>
        ) : (
          <Shown campaign={campaign} channel={channel} locale={locale} variant={looked} />
        )}
      </Stack>
    </Section>
  )
}

type ShownProps = Omit<PreviewProps, 'onLocale'> & { channel: (typeof MESSAGE_CHANNELS)[number] }

function Shown(props: ShownProps) {
  const { campaign, channel, locale } = props
  const own = campaign.content[locale]?.variants?.[props.variant ?? -1]?.mail
  return channel === 'email' && campaign.mail ? (
    <ShownMail written={layMail(campaign.mail, own)} parts={campaign.mailParts} locale={locale} />
  ) : (
    <ShownTexts {...props} />
  )
}

/** A mail of sections, in the language that is looked at or else its first. */
function ShownMail({ written, parts, locale: asked }: { written: MailDocument; parts: FrozenPart[] | undefined; locale: string }) {
  const t = useTexts()
  const tokens = useTokens()
  const addresses = useAddresses()
  const { mail, brand } = useWholeMail(written, parts)
  const locales = Object.keys(mail.texts)
  const locale = pickContentLocale(locales, asked, null) ?? locales[0] ?? asked
  const values = sampleValues(tokens, tokensIn(textsOfMail(mail.texts[locale]!)), t('asPerson'))
  const sample = sampleMail(mail, locale, { ...values, language: locale }, brand)
  const dir = isRightToLeft(locale) ? 'rtl' : 'ltr'
  return (
    <Stack gap="sm">
      <Unfinished token={sample.unfinished} />
      <MailPreview content={{ title: sample.mail.texts.subject }} mail={sample.mail} locale={locale} dir={dir} addresses={addresses} />
    </Stack>
  )
}

function Unfinished({ token }: { token: string | undefined }) {
  const t = useTexts()
  return token === undefined ? null : (
    <Text size="sm" c="var(--mantine-color-error)">
      {t('unfinished', { token })}
    </Text>
  )
}

function ShownTexts({ campaign: { content }, channel, locale, variant }: ShownProps) {
  const t = useTexts()
  const format = useFormat()
  const tokens = useTokens()
  const addresses = useAddresses()
  const said = content[locale]
  const values = { ...sampleValues(tokens, tokensOf(content), t('asPerson')), language: locale }
  const sample = said && sampleContent(channel, said, variant, values)
  if (!sample || Object.keys(sample.content).length === 0)
    return (
      <Text c="dimmed" size="sm">
        {t('noWords', { language: format.language(locale) })}
      </Text>
    )
  const dir = isRightToLeft(locale) ? ('rtl' as const) : ('ltr' as const)
  const shown = { content: sample.content, locale, dir, addresses, isShort: isShortened(content) }
  return (
    <Stack gap="sm">
      <Unfinished token={sample.unfinished} />
      {channel === 'push' && <PushPreview {...shown} />}
      {channel === 'email' && <MailPreview {...shown} />}
      {channel === 'sms' && <TextPreview {...shown} written={said} />}
      {channel === 'whatsapp' && <ChatPreview {...shown} />}
      {channel === 'in_app' && <InAppPreview {...shown} />}
    </Stack>
  )
}

/** Where the paths of the workspace, and its unsubscribe links, lead. */
export function useAddresses(): Addresses {
  const { data } = useWebAddress()
  const address = data?.mailLinks.address ?? undefined
  return { webAddress: data?.url ?? null, unsubscribeUrl: address && `${address}/api/v1/unsubscribe/preview`, linkAddress: address }
}
