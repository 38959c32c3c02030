import { Button, Checkbox, Code, Group, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { PROPOSED_EVENTS, WEBHOOK_EVENTS, type WebhookEvent } from '@contentflow/core/webhooks/events.ts'
import { useWrite } from '../../../data.ts'
import { useRefusal } from '../../../refusals.ts'
import { Failure } from '../../../ui/failure.tsx'
import type { ShownWebhook, Webhook } from '../api.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { pathOf, WEBHOOKS } from './paths.ts'
import { useWebhookTexts } from './texts.ts'

type EndpointFormProps = {
  /** Undefined: a new one. */
  endpoint?: Webhook
  onClose: () => void
  onSaved: (saved: Webhook | ShownWebhook) => void
}

/** The address of deliveries, and their events (M-HOOK-01). */
export function EndpointForm({ endpoint, onClose, onSaved }: EndpointFormProps) {
  const t = useWebhookTexts()
  const refusal = useRefusal()
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [description, setDescription] = useState(endpoint?.description ?? '')
  const [events, setEvents] = useState<readonly string[]>(endpoint?.events ?? PROPOSED_EVENTS)
  const [fault, setFault] = useState<'url' | 'events'>()
  const save = useWrite<object, Webhook | ShownWebhook>(
    (body) => (endpoint ? { method: 'PUT', path: pathOf(endpoint.id), body } : { method: 'POST', path: WEBHOOKS, body }),
    { stale: [WEBHOOKS], ...(endpoint && { done: t('saved') }), showsError: true },
  )
  // Everything else is checked here, so a refusal of the server is about the address.
  const isUrlRefused = save.error?.status === 400
  const submit = () => {
    const found = !/^https?:\/\/[^\s/]/i.test(url.trim()) ? 'url' : events.length === 0 ? 'events' : undefined
    setFault(found)
    if (found) return
    const chosen = events as WebhookEvent[]
    // An address that stays is not sent: a new one would make the endpoint forget how it did.
    const changed = endpoint?.url === url.trim() ? {} : { url: url.trim() }
    save.mutate({ ...changed, events: chosen, description: description.trim() }, { onSuccess: onSaved })
  }
  return (
    <Dialog opened onClose={onClose} title={t(endpoint ? 'editTitle' : 'addTitle')} size="lg" closeOnClickOutside={false}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack>
          <TextInput
            label={t('url')}
            description={t('urlText')}
            value={url}
            onChange={({ currentTarget }) => {
              setUrl(currentTarget.value)
              setFault(undefined)
              save.reset()
            }}
            error={fault === 'url' ? t('fault_url') : isUrlRefused && save.error ? refusal(save.error) : undefined}
            placeholder="https://example.com/contentflow"
            inputMode="url"
            autoComplete="off"
            dir="ltr"
            maxLength={2_000}
            withAsterisk
            data-autofocus
          />
          <Checkbox.Group
            label={t('events')}
            description={t('eventsText')}
            value={[...events]}
            onChange={(chosen) => {
              setEvents(chosen)
              setFault(undefined)
            }}
            error={fault === 'events' ? t('fault_events') : undefined}
            withAsterisk
          >
            <Stack gap="xs" mt="xs">
              {WEBHOOK_EVENTS.map((event) => (
                <Checkbox key={event} value={event} label={t(`event_${event}`)} description={<Code dir="ltr">{event}</Code>} />
              ))}
            </Stack>
          </Checkbox.Group>
          <TextInput
            label={t('description')}
            description={t('descriptionText')}
            value={description}
            onChange={({ currentTarget }) => setDescription(currentTarget.value)}
            maxLength={200}
          />
          {save.error && !isUrlRefused && <Failure error={save.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t(endpoint ? 'save' : 'add')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
