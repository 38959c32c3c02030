import { ActionIcon, Button, Group, Stack, TagsInput, Tabs, Text, TextInput, Tooltip } from '@mantine/core'
import { IconPhotoPlus, IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { CampaignVariant } from '@contentflow/core/campaigns/campaign.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { MESSAGE_MEMBERS, type MessageContent } from '@contentflow/core/messages/content.ts'
import { isBlankTemplate } from '../../../ui/blank-template.ts'
import { WhatsappTemplateFields } from '../../../ui/whatsapp-template.tsx'
import { AssetPicker } from '../../media/asset-picker.tsx'
import { NumberField } from '../../../ui/number-field.tsx'
import { useComposer } from './composer-context.tsx'
import { isShownInApp } from './faults.ts'
import { useTexts } from './texts.ts'
import { useFaultText } from './use-fault-text.ts'
import { WordField } from './word-field.tsx'

/** What is said in the language that is open: to everybody, or in one of its variants. */
export function MessageFields() {
  const { draft, changeContent, locale, variant } = useComposer()
  const said = draft.content[locale] ?? {}
  const { variants = [] } = said
  const open = variant === null ? undefined : variants[variant]
  const setVariants = (next: CampaignVariant[]) => changeContent({ variants: next })
  const setValues = (part: MessageContent) =>
    setVariants(variants.map((each, index) => (index === variant ? { ...each, values: { ...each.values, ...part } } : each)))
  return (
    <Stack gap="md">
      <Variants variants={variants} onChange={setVariants} />
      {open ? <Words said={open.values} shared={said} onChange={setValues} /> : <Words said={said} onChange={changeContent} />}
      {isShownInApp(draft) && !open && <Placements />}
    </Stack>
  )
}

type WordsProps = { said: MessageContent; shared?: MessageContent; onChange: (part: MessageContent) => void }

function Words({ said, shared, onChange }: WordsProps) {
  const t = useTexts()
  const { draft, locale, variant } = useComposer()
  const faultAt = useFaultText()
  const [isChoosing, setChoosing] = useState(false)
  const at = (member: keyof MessageContent) => faultAt({ locale, member, ...(shared && variant !== null && { variant }) })
  const wordsFault = shared ? undefined : faultAt({ kind: 'noWords', locale })
  return (
    <Stack gap="sm">
      {MESSAGE_MEMBERS.map((member) => {
        const isAddress = member === 'imageUrl' || member === 'ctaUrl'
        const field = (
          <WordField
            key={member}
            label={t(`member_${member}`)}
            value={said[member] ?? ''}
            onChange={(value) => onChange({ [member]: isAddress ? value.trim() : value })}
            placeholder={shared?.[member] || undefined}
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

type VariantsProps = { variants: CampaignVariant[]; onChange: (variants: CampaignVariant[]) => void }

function Variants({ variants, onChange }: VariantsProps) {
  const t = useTexts()
  const { variant, setVariant } = useComposer()
  const add = () => {
    const id = ['A', 'B', 'C', 'D', 'E', 'F'].find((name) => !variants.some((each) => each.id === name)) ?? `V${variants.length + 1}`
    onChange([...variants, { id, weight: 1, values: {} }])
    setVariant(variants.length)
  }
  const open = variant !== null && variant < variants.length ? variant : null
  return (
    <Stack gap="xs" role="group" aria-label={t('variants')}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed" flex="1 1 240px">
          {t(variants.length === 0 ? 'variantsNone' : 'variantsText')}
        </Text>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={add}
          disabled={variants.length >= LIMITS.variantsPerInstance}
        >
          {t('addVariant')}
        </Button>
      </Group>
      {variants.length > 0 && (
        <Tabs variant="pills" value={String(open)} onChange={(next) => setVariant(next === null || next === 'null' ? null : Number(next))}>
          <Tabs.List aria-label={t('variants')}>
            <Tabs.Tab value="null">{t('base')}</Tabs.Tab>
            {variants.map(({ id }, index) => (
              <Tabs.Tab key={index} value={String(index)}>
                {t('variant', { name: id })}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
      )}
      {open !== null && <VariantHead variants={variants} index={open} onChange={onChange} />}
    </Stack>
  )
}

function VariantHead({ variants, index, onChange }: VariantsProps & { index: number }) {
  const t = useTexts()
  const { locale, setVariant } = useComposer()
  const faultAt = useFaultText()
  const each = variants[index]
  if (!each) return null
  const set = (part: Partial<CampaignVariant>) => onChange(variants.map((other, at) => (at === index ? { ...other, ...part } : other)))
  const error = faultAt({ kind: 'variantName', locale, variant: index }) ?? faultAt({ kind: 'variantTwice', locale, variant: index })
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <TextInput
        label={t('variantName')}
        value={each.id}
        onChange={({ currentTarget }) => set({ id: currentTarget.value })}
        maxLength={100}
        error={error}
        flex={1}
        miw={0}
      />
      <NumberField
        label={t('weight')}
        value={each.weight}
        onChange={(typed) => set({ weight: typed ?? Number.NaN })}
        min={1}
        max={1_000_000}
        isWhole
        isNeeded
        w={110}
      />
      <Tooltip label={t('removeVariant', { name: each.id })}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          mt={24}
          aria-label={t('removeVariant', { name: each.id })}
          onClick={() => {
            setVariant(null)
            onChange(variants.filter((_, at) => at !== index))
          }}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}

/** Of every language the same, unless somebody says otherwise through the API. */
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
