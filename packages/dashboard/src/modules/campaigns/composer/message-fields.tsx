import { ActionIcon, Group, Stack, TagsInput, Text, Tooltip } from '@mantine/core'
import { IconPhotoPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { IN_APP } from '@contentflow/core/campaigns/campaign.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { MESSAGE_MEMBERS, type MessageContent } from '@contentflow/core/messages/content.ts'
import { useFormat } from '../../../format.ts'
import { isBlankTemplate } from '../../../ui/blank-template.ts'
import { InboxSwitch, withInbox } from '../../../ui/fields/inbox-switch.tsx'
import { ShortenSwitch, withShorten } from '../../../ui/fields/shorten-switch.tsx'
import { UrgencyField, withUrgency } from '../../../ui/fields/urgency-field.tsx'
import { WhatsappTemplateFields } from '../../../ui/whatsapp-template.tsx'
import { AssetPicker } from '../../media/asset-picker.tsx'
import { useComposer } from './composer-context.tsx'
import { isShownInApp } from './faults.ts'
import { useTexts } from './texts.ts'
import { useFaultText } from './use-fault-text.ts'
import { sourceAmong, withTexts, writtenLocales } from './variants/structure.ts'
import { useVariantTexts } from './variants/texts.ts'
import { useInherited } from './variants/use-inherited.ts'
import { WordField } from './word-field.tsx'

/** The message in the open language: the shared texts, or those of a variant. */
export function MessageFields() {
  const { draft, change, changeContent, locale, variant } = useComposer()
  const open = variant === null ? undefined : draft.variants[variant]
  if (variant !== null && open) {
    const setTexts = (part: MessageContent) => change(withTexts(draft, variant, locale, part))
    return <Words said={open.texts[locale] ?? {}} isVariant onChange={setTexts} />
  }
  return (
    <Stack gap="md">
      <Words said={draft.content[locale] ?? {}} onChange={changeContent} />
      {(draft.dispatchChannels.includes('sms') || draft.dispatchChannels.includes('whatsapp')) && (
        <ShortenSwitch content={draft.content} onChange={(isShort) => change({ content: withShorten(draft.content, isShort, locale) })} />
      )}
      {draft.dispatchChannels.includes('push') && (
        <UrgencyField content={draft.content} onChange={(urgency) => change({ content: withUrgency(draft.content, urgency, locale) })} />
      )}
      {isShownInApp(draft) && <Placements />}
      {draft.dispatchChannels.includes(IN_APP) && (
        <InboxSwitch content={draft.content} onChange={(days) => change({ content: withInbox(draft.content, days, locale) })} />
      )}
    </Stack>
  )
}

type WordsProps = { said: MessageContent; isVariant?: boolean; onChange: (part: MessageContent) => void }

function Words({ said, isVariant = false, onChange }: WordsProps) {
  const t = useTexts()
  const { draft, locale, variant } = useComposer()
  const faultAt = useFaultText()
  const inherited = useInherited()
  const [isChoosing, setChoosing] = useState(false)
  const at = (member: keyof MessageContent) => faultAt({ locale, member, variant: isVariant && variant !== null ? variant : undefined })
  const wordsFault = isVariant ? undefined : faultAt({ kind: 'noWords', locale })
  return (
    <Stack gap="sm">
      <TakesText />
      {MESSAGE_MEMBERS.map((member) => {
        const isAddress = member === 'imageUrl' || member === 'ctaUrl'
        const field = (
          <WordField
            key={member}
            label={t(`member_${member}`)}
            value={said[member] ?? ''}
            onChange={(value) => onChange({ [member]: isAddress ? value.trim() : value })}
            placeholder={inherited(member)}
            description={member === 'ctaUrl' && t('ctaHelp')}
            error={at(member) ?? (member === 'title' ? wordsFault : undefined)}
            isLong={member === 'body'}
            isAddress={isAddress}
          />
        )
        if (member !== 'imageUrl') return field
        return (
          <Group key={member} gap="xs" align="flex-end" wrap="nowrap">
            <div style={{ flex: 1, minWidth: 0 }}>{field}</div>
            <Tooltip label={t('chooseImage')}>
              <ActionIcon variant="default" size={36} aria-label={t('chooseImage')} onClick={() => setChoosing(true)}>
                <IconPhotoPlus size={18} stroke={1.6} aria-hidden />
              </ActionIcon>
            </Tooltip>
          </Group>
        )
      })}
      {(draft.dispatchChannels.includes('whatsapp') || !isBlankTemplate(said.whatsappTemplate)) && (
        <WhatsappTemplateFields
          template={said.whatsappTemplate}
          onChange={(whatsappTemplate) => onChange({ whatsappTemplate })}
          error={at('whatsappTemplate')}
          renderField={(props) => <WordField {...props} />}
        />
      )}
      <AssetPicker
        isOpen={isChoosing}
        onClose={() => setChoosing(false)}
        onPick={({ url }) => onChange({ imageUrl: new URL(url, location.origin).href })}
      />
    </Stack>
  )
}

/** Shown for a language that takes values from another one. */
function TakesText() {
  const t = useVariantTexts()
  const format = useFormat()
  const { draft, locale, source } = useComposer()
  const from = sourceAmong(writtenLocales(draft), source?.code)
  if (from === undefined || from === locale) return null
  return (
    <Text size="sm" c="dimmed">
      {t('takesText', { language: format.language(from) })}
    </Text>
  )
}

/** Placements are the same in every language, unless the API stored them otherwise. */
function Placements() {
  const t = useTexts()
  const { draft, change, locale } = useComposer()
  const placementIds = draft.content[locale]?.placementIds ?? []
  const set = (next: string[]) => {
    const codes = [...new Set([...Object.keys(draft.content), locale])]
    change({ content: Object.fromEntries(codes.map((code) => [code, { ...draft.content[code], placementIds: next }])) })
  }
  return (
    <TagsInput
      label={t('placements')}
      description={t('placementsHelp')}
      placeholder={placementIds.length === 0 ? t('placementsHint') : undefined}
      value={placementIds}
      onChange={set}
      maxTags={LIMITS.campaignPlacements}
      styles={{ inputField: { '--input-placeholder-color': 'var(--mantine-color-dimmed)' } }}
      inputWrapperOrder={['label', 'input', 'description']}
    />
  )
}
