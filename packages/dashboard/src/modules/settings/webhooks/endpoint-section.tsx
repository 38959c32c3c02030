import { ActionIcon, Button, Code, Group, List, Menu, Stack, Text } from '@mantine/core'
import { IconDots, IconPencil, IconRefresh, IconSend, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { Section } from '../../../ui/section.tsx'
import type { ShownWebhook, Webhook } from '../api.ts'
import { OnlyFor } from '../notes.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { EndpointState } from './endpoint-state.tsx'
import { pathOf, WEBHOOKS } from './paths.ts'
import { useWebhookTexts } from './texts.ts'

type EndpointSectionProps = { endpoint: Webhook; onRotated: (shown: ShownWebhook) => void }

/** The events of an endpoint, and all actions on it. */
export function EndpointSection({ endpoint, onRotated }: EndpointSectionProps) {
  const t = useWebhookTexts()
  const { mayAdmin } = useSession()
  const { url, description, events, createdAt } = endpoint
  return (
    <Section
      title={t('endpoint')}
      aside={<EndpointState endpoint={endpoint} />}
      text={
        <>
          {t('created')} <Moment at={createdAt} />
        </>
      }
    >
      <Text className="cf-code" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {url}
      </Text>
      {description !== '' && (
        <Text size="sm" dir="auto" className="cf-foreign">
          {description}
        </Text>
      )}
      <Stack gap={4}>
        <Text size="sm" fw={500}>
          {t('events')}
        </Text>
        <List size="sm" spacing={4}>
          {events.map((event) => (
            <List.Item key={event}>
              {t(`event_${event}`)} <Code dir="ltr">{event}</Code>
            </List.Item>
          ))}
        </List>
      </Stack>
      {mayAdmin ? <EndpointActions endpoint={endpoint} onRotated={onRotated} /> : <OnlyFor who="admins" />}
    </Section>
  )
}

function EndpointActions({ endpoint, onRotated }: EndpointSectionProps) {
  const t = useWebhookTexts()
  const [, setParams] = useSearchParams()
  const [open, setOpen] = useState<'edit' | 'rotate' | 'off' | 'remove'>()
  const close = () => setOpen(undefined)
  const path = pathOf(endpoint.id)
  const ping = useWrite<void>(() => ({ method: 'POST', path: `${path}/ping` }), { stale: [WEBHOOKS], done: t('pinged') })
  const turn = useWrite<boolean>((active) => ({ method: 'PUT', path, body: { active } }), {
    stale: [WEBHOOKS],
    done: (_data, active) => t(active ? 'turnedOn' : 'turnedOff'),
  })
  const rotate = useWrite<void, ShownWebhook>(() => ({ method: 'POST', path: `${path}/rotate-secret` }), { stale: [WEBHOOKS] })
  // Its own path is left out: it is gone.
  const remove = useWrite<void>(() => ({ method: 'DELETE', path }), { stale: [], done: t('removed'), showsError: true })
  return (
    <>
      <Group gap="xs">
        {endpoint.active ? (
          <Button
            leftSection={<IconSend size={16} aria-hidden className="cf-mirrored" />}
            loading={ping.isPending}
            onClick={() => ping.mutate()}
          >
            {t('ping')}
          </Button>
        ) : (
          <Button loading={turn.isPending} onClick={() => turn.mutate(true)}>
            {t('turnOn')}
          </Button>
        )}
        <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setOpen('edit')}>
          {t('edit')}
        </Button>
        {endpoint.active && (
          <Button variant="default" onClick={() => setOpen('off')}>
            {t('turnOff')}
          </Button>
        )}
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size="lg" aria-label={t('actions')}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => setOpen('rotate')}>
              {t('rotate')}
            </Menu.Item>
            <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setOpen('remove')}>
              {t('remove')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
      {open === 'edit' && <EndpointForm endpoint={endpoint} onClose={close} onSaved={close} />}
      <Confirm
        isOpen={open === 'rotate'}
        onClose={close}
        title={t('rotateTitle')}
        action={t('rotate')}
        isDangerous
        isBusy={rotate.isPending}
        onConfirm={() => rotate.mutate(undefined, { onSuccess: onRotated, onSettled: close })}
      >
        {t('rotateText')}
      </Confirm>
      <Confirm
        isOpen={open === 'off'}
        onClose={close}
        title={t('turnOffTitle')}
        action={t('turnOff')}
        isBusy={turn.isPending}
        onConfirm={() => turn.mutate(false, { onSettled: close })}
      >
        {t('turnOffText')}
      </Confirm>
      <Confirm
        isOpen={open === 'remove'}
        onClose={close}
        title={t('removeTitle')}
        action={t('remove')}
        isDangerous
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => setParams({}) })}
      >
        <Stack gap="xs">
          <Text size="sm" className="cf-code" style={{ overflowWrap: 'anywhere' }}>
            {endpoint.url}
          </Text>
          <Text size="sm">{t('removeText')}</Text>
          {remove.error && <Failure error={remove.error} />}
        </Stack>
      </Confirm>
    </>
  )
}
