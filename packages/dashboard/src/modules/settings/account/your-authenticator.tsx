import { Button, Center, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../../data.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { CopyField } from '../../../ui/fields/copy-field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import type { NewAuthenticator, RecoveryCodes } from '../api.ts'
import { QrCode } from './qr-code.tsx'
import { SECOND_FACTORS } from './second-factors.ts'
import { useSecurityTexts } from './texts-security.ts'

type Props = { isOn: boolean; onCodes: (codes: string[]) => void; onChanged: () => void }

/** The authenticator app of the member: set up, and removed. */
export function YourAuthenticator({ isOn, onCodes, onChanged }: Props) {
  const t = useSecurityTexts()
  const [begun, setBegun] = useState<NewAuthenticator>()
  const [isRemoving, setRemoving] = useState(false)
  const begin = useWrite<void, NewAuthenticator>(() => ({ method: 'POST', path: '/auth/totp' }), { stale: [] })
  const remove = useWrite<void>(() => ({ method: 'DELETE', path: '/auth/totp' }), { stale: SECOND_FACTORS, done: t('removed') })
  return (
    <Group justify="space-between" align="flex-start">
      <Stack gap={2} maw={520}>
        <Text size="sm" fw={600}>
          {t('authenticator')}
        </Text>
        <Text size="sm" c="dimmed">
          {t(isOn ? 'authenticatorOn' : 'authenticatorOff')}
        </Text>
      </Stack>
      <Group gap="xs">
        <Button variant="default" loading={begin.isPending} onClick={() => begin.mutate(undefined, { onSuccess: setBegun })}>
          {t(isOn ? 'setUpAnew' : 'setUp')}
        </Button>
        {isOn && (
          <Button variant="outline" color="red" aria-label={t('removeAuthenticator')} onClick={() => setRemoving(true)}>
            {t('remove')}
          </Button>
        )}
      </Group>
      {begun && (
        <SetUp
          begun={begun}
          onClose={() => setBegun(undefined)}
          onDone={({ recoveryCodes }) => {
            setBegun(undefined)
            if (recoveryCodes) onCodes(recoveryCodes)
            else onChanged()
          }}
        />
      )}
      <Confirm
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        onConfirm={() => remove.mutate(undefined, { onSuccess: onChanged, onSettled: () => setRemoving(false) })}
        title={t('removeAuthenticatorTitle')}
        action={t('remove')}
        isDangerous
        isBusy={remove.isPending}
      >
        {t('removeAuthenticatorText')}
      </Confirm>
    </Group>
  )
}

type SetUpProps = { begun: NewAuthenticator; onClose: () => void; onDone: (codes: RecoveryCodes) => void }

/** Shows the secret, and takes the first code that the app makes of it. */
function SetUp({ begun: { secret, uri }, onClose, onDone }: SetUpProps) {
  const t = useSecurityTexts()
  const [code, setCode] = useState('')
  const confirm = useWrite<string, RecoveryCodes>((sent) => ({ method: 'PUT', path: '/auth/totp', body: { code: sent } }), {
    stale: SECOND_FACTORS,
    done: t('authenticatorAdded'),
    showsError: true,
  })
  return (
    <FormDialog
      title={t('authenticator')}
      action={t('confirm')}
      isBusy={confirm.isPending}
      error={confirm.error}
      onSubmit={() => confirm.mutate(code, { onSuccess: onDone })}
      onClose={onClose}
    >
      <Text size="sm">{t('scan')}</Text>
      <Center>
        <QrCode text={uri} label={t('qrCode')} />
      </Center>
      <div>
        <Text size="sm" c="dimmed">
          {t('key')}
        </Text>
        <CopyField value={secret} label={t('key')} />
      </div>
      <TextInput
        label={t('code')}
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        dir="ltr"
        data-autofocus
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
      />
    </FormDialog>
  )
}
