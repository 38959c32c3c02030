import { Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { LIMITS } from '@contentflow/core/limits.ts'
import { Section } from '../../../ui/section.tsx'
import { useTexts as useCampaignTexts } from '../texts.ts'
import { GOALS } from '../words.ts'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { ChannelChoice } from './channel-choice.tsx'
import { useComposer } from './composer-context.tsx'
import { MailChoice } from './mail/mail-choice.tsx'
import { isMailAlone } from './mail/mail-alone.ts'
import { VariantMailCard } from './mail/variant-mail.tsx'
import { LanguageTabs } from './language-tabs.tsx'
import { useTexts } from './texts.ts'
import { useFaultText } from './use-fault-text.ts'
import { VariantBar } from './variants/variant-bar.tsx'

/** What people read, over which channels, in each language. */
export function MessageSection() {
  const t = useTexts()
  const { draft } = useComposer()
  return (
    <Section title={t('message')} text={t('messageText')} anchor="message">
      <Heading />
      <ChannelChoice />
      <MailChoice />
      <VariantBar />
      <VariantMailCard />
      {!isMailAlone(draft) && <LanguageTabs />}
    </Section>
  )
}

function Heading() {
  const t = useTexts()
  const campaign = useCampaignTexts()
  const { draft, change } = useComposer()
  const faultAt = useFaultText()
  const known: readonly string[] = GOALS
  const goals = GOALS.map((goal) => ({ value: goal as string, label: campaign(`goal_${goal}`) }))
  if (!known.includes(draft.type)) goals.push({ value: draft.type, label: draft.type })
  return (
    <Stack gap="sm">
      <TextInput
        label={t('name')}
        description={t('nameHelp')}
        value={draft.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        maxLength={LIMITS.campaignNameLength}
        error={faultAt({ kind: 'name' })}
        dir="auto"
        required
        autoComplete="off"
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Select
          label={t('goal')}
          data={goals}
          value={draft.type}
          onChange={(type) => change({ type: type ?? draft.type })}
          allowDeselect={false}
        />
        <NumberField
          label={t('priority')}
          description={t('priorityHelp')}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          value={draft.priority}
          onChange={(typed) => change({ priority: typed ?? Number.NaN })}
          {...LIMITS.campaignPriority}
          isWhole
          isNeeded
        />
      </SimpleGrid>
    </Stack>
  )
}
