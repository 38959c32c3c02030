import { Alert, Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWrite } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { ME, useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useAccountTexts } from './texts-account.ts'

/** Deletes the account in 14 days, and keeps it after all. */
export function DeleteAccount() {
  const t = useAccountTexts()
  const { me } = useSession()
  const [isAsking, setAsking] = useState(false)
  if (me.endsAt) return <Ending endsAt={me.endsAt} />
  return (
    <Stack align="flex-start">
      <Button variant="outline" color="red" onClick={() => setAsking(true)}>
        {t('deleteAccount')}
      </Button>
      {isAsking && <DeleteDialog onClose={() => setAsking(false)} />}
    </Stack>
  )
}

function Ending({ endsAt }: { endsAt: string }) {
  const t = useAccountTexts()
  const format = useFormat()
  const client = useQueryClient()
  const keep = useWrite<void>(() => ({ method: 'POST', path: '/auth/me/restore' }), { stale: [], done: t('kept') })
  return (
    <Stack align="flex-start">
      <Alert color="orange" variant="light" icon={<IconAlertTriangle aria-hidden />} title={t('ending', { date: format.date(endsAt) })}>
        {t('endingText')}
      </Alert>
      <Button
        variant="default"
        loading={keep.isPending}
        onClick={() => keep.mutate(undefined, { onSuccess: () => void client.invalidateQueries({ queryKey: ME }) })}
      >
        {t('keep')}
      </Button>
    </Stack>
  )
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const t = useAccountTexts()
  const client = useQueryClient()
  const { me } = useSession()
  // Who came by a provider has none, and signs in again where that is long ago.
  const hasPassword = me.hasPassword !== false
  const [password, setPassword] = useState('')
  const remove = useWrite<object>((body) => ({ method: 'DELETE', path: '/auth/me', body }), {
    stale: [],
    showsError: true,
  })
  const isWrong = remove.error?.code === 'PASSWORD_WRONG'
  const isLast = remove.error?.code === 'LAST_ADMIN'
  const names = remove.error?.workspaces?.map(({ name }) => name) ?? []
  return (
    <Dialog opened onClose={onClose} title={t('deleteTitle')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          remove.mutate(hasPassword ? { password } : {}, {
            onSuccess: () => void client.invalidateQueries({ queryKey: ME }).then(onClose),
          })
        }}
      >
        <Stack>
          <Text size="sm">{t('deleteAsk')}</Text>
          {hasPassword && (
            <PasswordInput
              label={t('passwordCurrent')}
              required
              data-autofocus
              autoComplete="current-password"
              visibilityToggleButtonProps={{ 'aria-label': t('passwordShow') }}
              value={password}
              onChange={({ currentTarget }) => setPassword(currentTarget.value)}
              error={isWrong ? t('passwordWrong') : undefined}
            />
          )}
          {remove.error && !isWrong && (
            <Failure
              error={
                isLast
                  ? new Error(t('lastAdminText', { names: names.map((name) => `\u2068${name}\u2069`).join(t('comma')) }))
                  : remove.error
              }
              title={isLast ? t('lastAdminTitle') : undefined}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" color="red" loading={remove.isPending} disabled={hasPassword && password === ''}>
              {t('deleteAccount')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
