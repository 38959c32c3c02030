import { Alert, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconCircleCheck, IconPlugConnectedX, IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { isAddress } from '@contentflow/core/channels/senders.ts'
import { useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import type { Channel } from '../api.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { CHANNELS } from './channel-form.tsx'
import { providerName } from './providers.ts'
import { useProviderTexts } from './texts-providers.ts'
import { useChannelTexts } from './texts.ts'

/** Patterns by which the server reads addresses. */
const FORMS = { sms: /^\+[1-9]\d{6,14}$/, whatsapp: /^\+[1-9]\d{6,14}$/, push: /^[\x21-\x7e]+$/ }

/** Sends one message to test the channel, and shows what the provider said (M-CHAN-10). */
export function TestDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const t = useChannelTexts()
  const { me } = useSession()
  const { type, provider, name, active } = channel
  const [to, setTo] = useState(type === 'email' ? me.user.email : '')
  const [isWrong, setWrong] = useState(false)
  const send = useWrite<string>((recipient) => ({ method: 'POST', path: `${CHANNELS}/${channel.id}/test`, body: { to: recipient } }), {
    stale: [],
    showsError: true,
  })
  const recipient = type === 'sms' || type === 'whatsapp' ? to.replace(/[\s()-]/g, '') : to.trim()
  const field = {
    label: t(`to_${type}`),
    description: t(`toText_${provider === 'web_push' ? provider : type}`),
    value: to,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
      setTo(currentTarget.value)
      setWrong(false)
      send.reset()
    },
    error: isWrong ? t(`fault_to_${type === 'whatsapp' ? 'sms' : type}`) : undefined,
    dir: 'ltr',
    autoComplete: 'off',
    'data-autofocus': true,
  }
  return (
    <Dialog opened onClose={onClose} title={t('testTitle')}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (type === 'email' ? isAddress(recipient) : FORMS[type].test(recipient)) send.mutate(recipient)
          else setWrong(true)
        }}
      >
        <Stack>
          <Text size="sm">{t('testText', { name })}</Text>
          {!active && <Text size="sm">{t('testOff')}</Text>}
          {type === 'push' ? (
            <Textarea {...field} minRows={2} maxRows={6} autosize spellCheck={false} />
          ) : (
            <TextInput
              {...field}
              inputMode={type === 'email' ? 'email' : 'tel'}
              placeholder={type === 'email' ? 'name@example.com' : '+966501234567'}
            />
          )}
          <Result channel={channel} send={send} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('done')}
            </Button>
            <Button
              type="submit"
              loading={send.isPending}
              leftSection={<IconSend size={16} aria-hidden className="cf-mirrored" />}
              variant={send.isSuccess ? 'default' : 'filled'}
            >
              {t(send.isSuccess || send.isError ? 'testAgain' : 'sendTest')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

type Sending = Pick<ReturnType<typeof useWrite<string>>, 'isSuccess' | 'error' | 'variables'>

function Result({ channel: { provider }, send: { isSuccess, error, variables = '' } }: { channel: Channel; send: Sending }) {
  const t = useChannelTexts()
  const label = providerName(provider, useProviderTexts())
  if (isSuccess)
    return (
      <Alert
        role="status"
        color="teal"
        icon={<IconCircleCheck aria-hidden />}
        title={t('testSentTitle', { to: variables.length > 60 ? `${variables.slice(0, 30)}…${variables.slice(-12)}` : variables })}
        styles={{ title: { overflowWrap: 'anywhere' } }}
      >
        {t('testSentText', { provider: label })}
      </Alert>
    )
  // The server answers 200 whatever the provider says (G-60).
  if (error?.status === 200)
    return (
      <Alert role="alert" color="red" icon={<IconPlugConnectedX aria-hidden />} title={t('testFailedTitle')}>
        <Stack gap={6}>
          <Text size="sm">{t('testFailedText', { provider: label })}</Text>
          <Text size="sm" dir="ltr" className="cf-foreign" component="blockquote" m={0} fw={500}>
            {error.message}
          </Text>
          <Text size="sm">{t('testFailedNext')}</Text>
        </Stack>
      </Alert>
    )
  return error && <Failure title={t('testFailedTitle')} error={error} />
}
