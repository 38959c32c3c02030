import { SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { ChannelType } from '@contentflow/core/channels/channel.ts'
import { PROVIDERS, type ProviderName } from '@contentflow/core/channels/providers.ts'
import { usePages, useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Section } from '../../../ui/section.tsx'
import type { Channel } from '../api.ts'
import { FirstMessagesSection } from '../first-messages/first-messages-section.tsx'
import { MessageTrackingSection } from '../message-tracking/message-tracking-section.tsx'
import { OnlyFor } from '../notes.tsx'
import classes from '../settings.module.css'
import { MailLinksNote } from '../web-address/mail-links-note.tsx'
import { ChannelCard, type ChannelAction } from './channel-card.tsx'
import { ChannelForm, CHANNELS } from './channel-form.tsx'
import { DomainDialog } from './domain-dialog.tsx'
import { ProviderCard } from './provider-card.tsx'
import { inOrder, providersOf, TYPES } from './providers.ts'
import { TestDialog } from './test-dialog.tsx'
import { useChannelTexts } from './texts.ts'

/** The providers that messages go out through (M-CHAN, G-59). */
export function ChannelsTab() {
  const t = useChannelTexts()
  const { mayAdmin } = useSession()
  const [params, setParams] = useSearchParams()
  const [action, setAction] = useState<ChannelAction>()
  const channels = usePages<Channel>(CHANNELS, 'channels', { limit: 100 })
  // In the address, so that other pages can link here.
  const connecting = mayAdmin ? PROVIDERS.find((provider) => provider === params.get('connect')) : undefined
  const connect = (provider?: ProviderName) => setParams(provider ? { connect: provider } : {}, { replace: true })
  const close = () => setAction(undefined)
  const isRead = !channels.isLoading && !(channels.error && channels.items.length === 0)
  return (
    <>
      <Section title={t('channels')} text={t('channelsText')}>
        {channels.isLoading && <Skeleton h={64} />}
        {channels.error && <Failure error={channels.error} onRetry={channels.retry} />}
        {isRead && channels.items.length === 0 && (
          <EmptyState icon={IconSend} title={t('emptyTitle')} text={t(mayAdmin ? 'emptyText' : 'emptyRead')} />
        )}
        {!mayAdmin && <OnlyFor who="admins" />}
      </Section>
      {isRead &&
        TYPES.map((type) => (
          <TypeSection
            key={type}
            type={type}
            channels={inOrder(channels.items.filter((channel) => channel.type === type))}
            onAction={setAction}
            onConnect={connect}
          />
        ))}
      {isRead && <MessageTrackingSection />}
      {isRead && <FirstMessagesSection />}
      {connecting && (
        <ChannelForm
          provider={connecting}
          onClose={() => connect()}
          // Whether the secrets fit is known at the first test.
          onSaved={(channel) => {
            connect()
            setAction({ kind: 'test', channel })
          }}
        />
      )}
      {action?.kind === 'edit' && (
        <ChannelForm provider={action.channel.provider} channel={action.channel} onClose={close} onSaved={close} />
      )}
      {action?.kind === 'test' && <TestDialog channel={action.channel} onClose={close} />}
      {action?.kind === 'domain' && <DomainDialog channel={action.channel} onClose={close} />}
      {action?.kind === 'disconnect' && <Disconnect channel={action.channel} all={channels.items} onClose={close} />}
    </>
  )
}

type TypeSectionProps = {
  type: ChannelType
  /** In the order in which channels are chosen for sending. */
  channels: Channel[]
  onAction: (action: ChannelAction) => void
  onConnect: (provider: ProviderName) => void
}

function TypeSection({ type, channels, onAction, onConnect }: TypeSectionProps) {
  const t = useChannelTexts()
  const { mayAdmin } = useSession()
  const providers = providersOf(type)
  const on = channels.filter(({ active }) => active)
  const sending = on[0]
  const state =
    channels.length === 0
      ? t(`none_${type}`)
      : sending
        ? t(on.length > 1 ? 'ofSeveral' : 'goesThrough', { name: sending.name })
        : t('allOff')
  return (
    <Section title={t(`type_${type}`)} text={state}>
      {type === 'email' && <MailLinksNote />}
      {channels.length > 0 && (
        <Stack gap="sm" component="ul" className={classes.plain}>
          {channels.map((channel) => (
            <ChannelCard key={channel.id} channel={channel} isSending={channel === sending} onAction={onAction} />
          ))}
        </Stack>
      )}
      {mayAdmin && (
        <Stack gap="xs">
          <Title order={3}>{t(channels.length === 0 ? 'connectOne' : 'connectAnother')}</Title>
          <SimpleGrid
            cols={{ base: 1, xs: 2, md: providers.length % 2 === 0 ? 2 : 3 }}
            spacing="sm"
            component="ul"
            className={classes.plain}
          >
            {providers.map((provider) => (
              <ProviderCard key={provider} provider={provider} onConnect={onConnect} />
            ))}
          </SimpleGrid>
        </Stack>
      )}
    </Section>
  )
}

function Disconnect({ channel, all, onClose }: { channel: Channel; all: readonly Channel[]; onClose: () => void }) {
  const t = useChannelTexts()
  const remove = useWrite<void>(() => ({ method: 'DELETE', path: `${CHANNELS}/${channel.id}` }), {
    stale: [CHANNELS],
    done: t('disconnected'),
    showsError: true,
  })
  const [sending, next] = inOrder(all.filter(({ type, active }) => type === channel.type && active))
  return (
    <Confirm
      isOpen
      onClose={onClose}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      title={t('disconnectTitle', { name: channel.name })}
      action={t('disconnect')}
      isDangerous
      isBusy={remove.isPending}
    >
      <Stack gap="xs">
        <Text size="sm">{t('disconnectText')}</Text>
        {sending?.id === channel.id && <Text size="sm">{next ? t('disconnectNext', { name: next.name }) : t('disconnectLast')}</Text>}
        {remove.error && <Failure error={remove.error} />}
      </Stack>
    </Confirm>
  )
}
