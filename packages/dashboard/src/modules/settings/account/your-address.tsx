import { Alert, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconMail } from '@tabler/icons-react'
import { useWrite } from '../../../data.ts'
import { useInstallation } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { useAccountTexts } from './texts-account.ts'

type Entry = { email: string; password: string }

/** Asks for a link to a new address, which is sent there. */
export function YourAddress() {
  const t = useAccountTexts()
  const installation = useInstallation()
  const form = useForm<Entry>({
    initialValues: { email: '', password: '' },
    validate: { email: (text) => (/^[^\s@]+@[^\s@]+$/.test(text.trim()) ? null : t('emailWrong')) },
  })
  const ask = useWrite<Entry>(({ email, password }) => ({ method: 'POST', path: '/auth/email', body: { email: email.trim(), password } }), {
    stale: [],
    showsError: true,
  })
  if (installation && !installation.resetsByMail) return <Text size="sm">{t('addressWithoutMail')}</Text>
  if (ask.isSuccess)
    return (
      <Alert role="status" color="teal" icon={<IconMail aria-hidden />} title={t('addressSent')}>
        {t('addressSentText')}
      </Alert>
    )
  const isWrong = ask.error?.code === 'PASSWORD_WRONG'
  return (
    <form onSubmit={form.onSubmit((entry) => ask.mutate(entry))} noValidate>
      <Stack gap="sm" maw={480}>
        <TextInput label={t('newAddress')} type="email" maxLength={254} autoComplete="email" dir="ltr" {...form.getInputProps('email')} />
        <PasswordInput
          label={t('passwordCurrent')}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': t('passwordShow') }}
          {...form.getInputProps('password')}
          error={isWrong ? t('passwordWrong') : undefined}
        />
        {ask.error && !isWrong && <Failure error={ask.error} />}
        <Group>
          <Button type="submit" loading={ask.isPending} disabled={Object.values(form.values).includes('')}>
            {t('addressChange')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
