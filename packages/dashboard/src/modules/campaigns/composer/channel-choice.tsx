import { Chip, Group, MultiSelect, Stack, Text } from '@mantine/core'
import type { BlockType, Channel } from '@contentflow/server/wire.ts'
import { usePages, useRead } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { MESSAGE_CHANNELS, useChannelName } from '../words.ts'
import { useComposer } from './composer-context.tsx'
import { useTexts } from './texts.ts'
import { useFaultText } from './use-fault-text.ts'

/** Chooses how it is shown or sent: channels of messages, messages in the app, and blocks. */
export function ChannelChoice() {
  const t = useTexts()
  const name = useChannelName()
  const { draft, change } = useComposer()
  const fault = useFaultText()({ kind: 'noChannel' })
  const isConnected = useConnected()
  const messages: readonly string[] = MESSAGE_CHANNELS
  const blocks = draft.dispatchChannels.filter((channel) => !messages.includes(channel))
  return (
    <Stack gap={6} role="group" aria-labelledby="campaign-channels">
      <Text size="sm" fw={500} id="campaign-channels">
        {t('channels')}
      </Text>
      <Text size="xs" c="dimmed">
        {t('channelsHelp')}
      </Text>
      <Chip.Group
        multiple
        value={draft.dispatchChannels}
        onChange={(chosen) => change({ dispatchChannels: [...messages.filter((each) => chosen.includes(each)), ...blocks] })}
      >
        <Group gap={6}>
          {MESSAGE_CHANNELS.map((channel) => (
            <Chip key={channel} value={channel} radius="sm">
              {name(channel)}
              {!isConnected(channel) && ` · ${t('noProvider')}`}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <Blocks chosen={blocks} />
      {fault && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {fault}
        </Text>
      )}
    </Stack>
  )
}

/** Whether a provider sends over the channel. Members who may not read channels get no answer. */
function useConnected(): (channel: string) => boolean {
  const { mayEdit } = useSession()
  const { data } = useRead<{ channels: Channel[] }>('/notifications/channels', { limit: 100 }, { when: mayEdit })
  return (channel) => !data || channel === 'in_app' || data.channels.some(({ type, active }) => active && type === channel)
}

function Blocks({ chosen }: { chosen: string[] }) {
  const t = useTexts()
  const { draft, change } = useComposer()
  const { items } = usePages<BlockType>('/blocks', 'blocks', { limit: 200 })
  const usable = items.filter(({ inCampaigns }) => inCampaigns)
  const known = usable.map(({ key, name }) => ({ value: key, label: name }))
  for (const key of chosen) if (!known.some(({ value }) => value === key)) known.push({ value: key, label: key })
  if (known.length === 0) return null
  return (
    <MultiSelect
      label={t('blocks')}
      description={t('blocksHelp')}
      data={known}
      value={chosen}
      onChange={(next) => change({ dispatchChannels: [...draft.dispatchChannels.filter((each) => !chosen.includes(each)), ...next] })}
      searchable
      maw={420}
    />
  )
}
