import { Button, Checkbox, Fieldset, Group, Stack, Switch, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import type { Member } from '@contentflow/core/channels/channel.ts'
import type { ConfigurationFault } from '@contentflow/core/channels/configuration.ts'
import { describe, type ProviderName } from '@contentflow/core/channels/providers.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useWrite } from '../../../data.ts'
import { Failure } from '../../../ui/failure.tsx'
import type { Channel } from '../api.ts'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { changesOf, faultOfDraft, valuesOf } from './channel-draft.ts'
import { MemberField } from './member-field.tsx'
import { isGatewayOnly, providerName } from './providers.ts'
import { useProviderTexts } from './texts-providers.ts'
import { useChannelTexts } from './texts.ts'

export const CHANNELS = '/notifications/channels'

type ChannelFormProps = {
  provider: ProviderName
  /** Undefined: it is connected now. */
  channel?: Channel | undefined
  onClose: () => void
  onSaved: (channel: Channel) => void
}

/** Connects a provider, or changes how it is called (M-CHAN-01, M-CHAN-07). */
export function ChannelForm({ provider, channel, onClose, onSaved }: ChannelFormProps) {
  const t = useChannelTexts()
  const say = useProviderTexts()
  const form = useRef<HTMLFormElement>(null)
  const label = providerName(provider, say)
  const { type, members } = describe(provider)
  const stored = channel?.configuration
  const [name, setName] = useState(channel?.name ?? label)
  const [priority, setPriority] = useState<number | undefined>(channel?.priority ?? 0)
  const [isActive, setActive] = useState(channel?.active ?? true)
  const [values, setValues] = useState(() => valuesOf(provider, stored))
  const [fault, setFault] = useState<ConfigurationFault>()
  const [replacesKeys, setReplacesKeys] = useState(false)
  const save = useWrite<object, Channel>(
    (body) => (channel ? { method: 'PUT', path: `${CHANNELS}/${channel.id}`, body } : { method: 'POST', path: CHANNELS, body }),
    { stale: [CHANNELS], done: t(channel ? 'saved' : 'connected'), showsError: true },
  )
  const faultText = useFaultText(provider)

  const submit = () => {
    const configuration = changesOf(provider, values, stored)
    const found = name.trim() === '' ? { member: 'channelName', kind: 'missing' as const } : faultOfDraft(provider, configuration, stored)
    setFault(found)
    // The error is shown at its field.
    if (!isPriority(priority)) return
    if (found) {
      // The field of a gateway is only there while its section is open.
      const field = form.current?.elements.namedItem(found.member.split('.')[0] ?? '')
      if (field instanceof HTMLElement) field.focus()
      return
    }
    const settings = { name: name.trim(), configuration, priority, active: isActive, ...(replacesKeys && { replaceKeys: true }) }
    save.mutate(channel ? settings : { type, provider, ...settings }, { onSuccess: onSaved })
  }
  const fieldOf = (member: Member) => (
    <MemberField
      key={member.name}
      provider={provider}
      member={member}
      value={values[member.name] ?? ''}
      stored={stored?.[member.name]}
      onChange={(value) => {
        setValues((before) => ({ ...before, [member.name]: value }))
        if (fault?.member.split('.')[0] === member.name) setFault(undefined)
      }}
      fault={fault?.member.split('.')[0] === member.name ? faultText(fault, member) : undefined}
    />
  )
  const isExtra = ({ name: member }: Member) =>
    EXTRA.has(member) && (provider === 'web_push' || (member === 'baseUrl' && !isGatewayOnly(provider)))
  return (
    <Dialog
      opened
      onClose={onClose}
      title={channel ? t('editTitle', { name: channel.name }) : t('connectTo', { provider: label })}
      size="lg"
      // A click beside the window must not lose what was typed.
      closeOnClickOutside={false}
    >
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack>
          <TextInput
            label={t('name')}
            description={t('nameText')}
            name="channelName"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            error={fault?.member === 'channelName' ? t('fault_name') : undefined}
            maxLength={LIMITS.channelNameLength}
            withAsterisk
            data-autofocus
          />
          {members.filter((member) => !isExtra(member)).map(fieldOf)}
          <NumberField
            label={t('priority')}
            description={t('priorityText')}
            value={priority}
            onChange={setPriority}
            isWhole
            isNeeded
            min={-LIMITS.channelPriority}
            max={LIMITS.channelPriority}
            styles={{ wrapper: { maxWidth: 200 } }}
          />
          <Switch
            label={t('active')}
            description={t('activeText')}
            checked={isActive}
            onChange={({ currentTarget }) => setActive(currentTarget.checked)}
          />
          {members.some(isExtra) && <Fieldset legend={t('advanced')}>{members.filter(isExtra).map(fieldOf)}</Fieldset>}
          {save.error && <Failure title={t('refusedTitle')} error={save.error} />}
          {(replacesKeys || save.error?.code === 'KEYS_IN_USE') && (
            <Checkbox
              label={t('replaceKeys')}
              checked={replacesKeys}
              onChange={({ currentTarget }) => setReplacesKeys(currentTarget.checked)}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t(channel ? 'save' : 'connect')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** What most leave as it is: the gateway, and of web push the keys. */
const EXTRA = new Set(['baseUrl', 'publicKey', 'privateKey', 'hosts'])

/** Whether the priority is valid. */
function isPriority(priority: number | undefined): priority is number {
  return Number.isInteger(priority) && Math.abs(priority ?? 0) <= LIMITS.channelPriority
}

function useFaultText(provider: ProviderName) {
  const t = useChannelTexts()
  return ({ member: path, kind, from = 0, to = 0 }: ConfigurationFault, { example }: Member): string => {
    const inner = path.split('.')[1]
    if (inner !== undefined && kind !== 'again') return t('fault_inner', { name: inner })
    if (kind === 'together' && path.startsWith('dkim')) return t('fault_dkim')
    if (kind === 'together')
      return t(provider === 'smtp' || provider === 'hms' || provider === 'web_push' ? `fault_${provider}` : 'fault_twilio')
    return t(`fault_${kind}`, { from, to, example: String(example) })
  }
}
