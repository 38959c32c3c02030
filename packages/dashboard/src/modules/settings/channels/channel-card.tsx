import { ActionIcon, Badge, Button, Group, Menu, Paper, SimpleGrid, Stack, Switch, Text, Title } from '@mantine/core'
import { IconDots, IconPencil, IconPlugX, IconSend, IconWorldSearch } from '@tabler/icons-react'
import { readStored } from '@contentflow/core/channels/configuration.ts'
import { describe } from '@contentflow/core/channels/providers.ts'
import { useWrite } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import type { Channel } from '../api.ts'
import { CHANNELS } from './channel-form.tsx'
import { MemberFact } from './member-fact.tsx'
import { providerName } from './providers.ts'
import { useProviderTexts } from './texts-providers.ts'
import { useDomainTexts } from './texts-domain.ts'
import { useChannelTexts } from './texts.ts'

export type ChannelAction = { kind: 'edit' | 'test' | 'domain' | 'disconnect'; channel: Channel }

/** A provider that is connected. `isSending`: messages of its type go out through it. */
export function ChannelCard({
  channel,
  isSending,
  onAction,
}: {
  channel: Channel
  isSending: boolean
  onAction: (action: ChannelAction) => void
}) {
  const t = useChannelTexts()
  const say = useProviderTexts()
  const format = useFormat()
  const { mayAdmin } = useSession()
  const { name, provider, configuration, priority, active, pausedAt } = channel
  const rests = active && pausedAt !== null
  const label = providerName(provider, say)
  const members = describe(provider).members.flatMap((member) => {
    const value = configuration[member.name]
    return value === undefined ? [] : [{ member, value }]
  })
  return (
    <Paper withBorder p="md" component="li">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs" align="flex-start">
          <Stack gap={2} miw={0} flex="1 1 200px">
            <Group gap="xs">
              <Title order={3} style={{ overflowWrap: 'anywhere' }}>
                <bdi>{name}</bdi>
              </Title>
              <Badge
                color={rests ? 'orange' : isSending ? 'green' : active ? 'blue' : 'gray'}
                variant="light"
                tt="none"
                radius="sm"
                styles={{ label: { overflow: 'visible' } }}
              >
                {t(rests ? 'rests' : isSending ? 'sends' : active ? 'on' : 'off')}
              </Badge>
            </Group>
            <Text size="sm" c="dimmed">
              {label !== name && <>{label} · </>}
              {t('priorityOf', { number: format.number(priority) })}
            </Text>
          </Stack>
          {mayAdmin && <CardControls channel={channel} onAction={onAction} />}
        </Group>
        <Health channel={channel} />
        <SimpleGrid cols={{ base: 2, md: 3 }} spacing="sm" component="dl" m={0}>
          {members.map(({ member, value }) => (
            <MemberFact key={member.name} member={member} value={value} />
          ))}
        </SimpleGrid>
      </Stack>
    </Paper>
  )
}

/** A channel that arrived in a file has no secrets. */
function isComplete({ provider, configuration }: Channel): boolean {
  return readStored(provider, configuration).ok
}

/** The last refusal of the provider, until it accepts a message again. */
function Health({ channel }: { channel: Channel }) {
  const t = useChannelTexts()
  const format = useFormat()
  const { active, pausedAt, failure, failedAt, sentAt } = channel
  if (!isComplete(channel)) return <Text size="sm">{t('incompleteText')}</Text>
  const isOver = failedAt === null || (sentAt !== null && sentAt > failedAt)
  if (!active || isOver) return null
  return (
    <Stack gap={2}>
      {pausedAt !== null && <Text size="sm">{t('restsText')}</Text>}
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {t('lastFailure', { when: format.moment(failedAt), words: failure ?? '' })}
      </Text>
    </Stack>
  )
}

function CardControls({ channel, onAction }: { channel: Channel; onAction: (action: ChannelAction) => void }) {
  const t = useChannelTexts()
  const say = useDomainTexts()
  const { id, type, name, active } = channel
  const change = useWrite<boolean>((wanted) => ({ method: 'PUT', path: `${CHANNELS}/${id}`, body: { active: wanted } }), {
    stale: [CHANNELS],
    done: (_data, wanted) => t(wanted ? 'turnedOn' : 'turnedOff', { name }),
  })
  return (
    <Group gap="xs">
      <Switch
        aria-label={t('activeOf', { name })}
        disabled={!active && !isComplete(channel)}
        checked={change.isPending ? change.variables : active}
        onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
      />
      <Button
        size="xs"
        variant="default"
        leftSection={<IconSend size={16} aria-hidden className="cf-mirrored" />}
        aria-label={t('sendTestOf', { name })}
        onClick={() => onAction({ kind: 'test', channel })}
      >
        {t('sendTest')}
      </Button>
      {type === 'email' && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconWorldSearch size={16} aria-hidden />}
          aria-label={say('buttonOf', { name })}
          onClick={() => onAction({ kind: 'domain', channel })}
        >
          {say('button')}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('actionsOf', { name })}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => onAction({ kind: 'edit', channel })}>
            {t('edit')}
          </Menu.Item>
          <Menu.Item
            color="red"
            leftSection={<IconPlugX size={16} aria-hidden />}
            onClick={() => onAction({ kind: 'disconnect', channel })}
          >
            {t('disconnect')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
