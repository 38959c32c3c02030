import { MultiSelect, Radio, Group, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { EVERYONE } from '@contentflow/core/blocks/serving/select-blocks.ts'
import { SEND_CHANNELS } from '@contentflow/core/campaigns/campaign.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Segment } from '@contentflow/server/wire.ts'
import { useRead } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { Section } from '../../../ui/section.tsx'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { TopicChoice } from '../../../ui/topics/topic-choice.tsx'
import { useComposer } from './composer-context.tsx'
import { useTexts } from './texts.ts'
import { useFaultText } from './use-fault-text.ts'

/** Who gets it: everybody, or the people of these segments. */
export function AudienceSection() {
  const t = useTexts()
  const { draft, change } = useComposer()
  const fault = useFaultText()({ kind: 'noSegment' })
  const isEveryone = draft.segments.includes(EVERYONE)
  const choose = (choice: string) => change({ segments: choice === 'everyone' ? [EVERYONE] : [] })
  return (
    <Section title={t('audience')} text={t('audienceText')} anchor="audience">
      <Radio.Group value={isEveryone ? 'everyone' : 'segments'} onChange={choose} aria-label={t('audience')}>
        <Group gap="lg">
          <Radio value="everyone" label={t('everyone')} />
          <Radio value="segments" label={t('someSegments')} />
        </Group>
      </Radio.Group>
      {!isEveryone && <Segments error={fault} />}
      <TopicChoice
        value={draft.topic}
        onChange={(topic) => change({ topic })}
        channels={SEND_CHANNELS.filter((channel) => draft.dispatchChannels.includes(channel))}
      />
      <NumberField
        label={t('controlGroup')}
        description={t('controlGroupHelp')}
        placeholder={t('controlGroupNone')}
        value={draft.controlPercent}
        emptyMeans={0}
        onChange={(typed) => change({ controlPercent: typed ?? 0 })}
        min={LIMITS.campaignControlPercent.min}
        max={LIMITS.campaignControlPercent.max}
        isWhole
        suffix="%"
        maw={420}
      />
    </Section>
  )
}

function Segments({ error }: { error: string | undefined }) {
  const t = useTexts()
  const format = useFormat()
  const { draft, change } = useComposer()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text, 250)
  const found = useRead<{ segments: Segment[] }>('/segments', { search, limit: 50 })
  const [counts, setCounts] = useState(new Map<string, number>())
  const segments = found.data?.segments ?? []
  const unseen = segments.filter(({ name, memberCount }) => counts.get(name) !== memberCount)
  // Earlier results stay known, so that chosen segments keep their counts during further searches.
  if (unseen.length > 0) setCounts(new Map([...counts, ...unseen.map(({ name, memberCount }) => [name, memberCount] as const)]))
  const names = [...new Set([...segments.map(({ name }) => name), ...draft.segments])]
  const known = draft.segments.flatMap((name) => counts.get(name) ?? [])
  const most = known.reduce((sum, count) => sum + count, 0)
  return (
    <Stack gap="xs">
      <MultiSelect
        label={t('segments')}
        placeholder={draft.segments.length === 0 ? t('segmentsHint') : undefined}
        data={names}
        value={draft.segments}
        onChange={(next) => change({ segments: next })}
        // It says what to do, so it has to be readable.
        styles={{ inputField: { '--input-placeholder-color': 'var(--mantine-color-dimmed)' } }}
        searchable
        searchValue={text}
        onSearchChange={setText}
        nothingFoundMessage={t('nothingFound')}
        error={error}
        renderOption={({ option: { value } }) => (
          <Group justify="space-between" gap="md" wrap="nowrap" w="100%">
            <bdi>{value}</bdi>
            <Text size="xs" c="dimmed">
              {counts.has(value) && t('peopleIn', { count: counts.get(value) ?? 0, formatted: format.number(counts.get(value) ?? 0) })}
            </Text>
          </Group>
        )}
      />
      {draft.segments.length > 0 && known.length === draft.segments.length && (
        <Text size="sm" c="dimmed" aria-live="polite">
          {t('upTo', { formatted: format.number(most) })}
        </Text>
      )}
    </Stack>
  )
}
