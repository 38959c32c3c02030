import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call } from '../../../api.ts'
import { ME, useSession } from '../../../session.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Section } from '../../../ui/section.tsx'
import { useEndingTexts } from './texts-ending.ts'

/** For admins: ends the workspace in 14 days. The notice above every page brings it back. */
export function DeleteWorkspace() {
  const t = useEndingTexts()
  const { workspace } = useSession()
  const [isAsking, setAsking] = useState(false)
  if (workspace.endsAt) return null
  return (
    <Section title={t('title')} text={t('text')}>
      <Group>
        <Button variant="outline" color="red" onClick={() => setAsking(true)}>
          {t('button')}
        </Button>
      </Group>
      {isAsking && <EndDialog onClose={() => setAsking(false)} />}
    </Section>
  )
}

function EndDialog({ onClose }: { onClose: () => void }) {
  const t = useEndingTexts()
  const client = useQueryClient()
  const { me, workspace } = useSession()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [isOld, setOld] = useState(false)
  const end = useMutation({
    mutationFn: async () => {
      // A session that is older than ten minutes is renewed by the password.
      if (isOld) await call('/auth/session', { method: 'POST', body: { email: me.user.email, password } })
      await call(`/workspaces/${workspace.id}`, { method: 'DELETE', body: { name }, workspaceId: workspace.id })
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ME })
      onClose()
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'REAUTHENTICATE') setOld(true)
    },
  })
  const refusal = end.error instanceof ApiError ? end.error : undefined
  const isWrong = refusal?.status === 401
  const isSaid = isWrong || refusal?.code === 'REAUTHENTICATE'
  const isTyped = name.trim() === workspace.name.trim()
  return (
    <Dialog opened onClose={onClose} title={t('title')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isTyped) end.mutate()
        }}
      >
        <Stack>
          <Text size="sm">{t('ask')}</Text>
          <TextInput
            label={t('name', { name: `\u2068${workspace.name}\u2069` })}
            required
            data-autofocus
            autoComplete="off"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          {isOld && (
            <PasswordInput
              label={t('password')}
              description={t('again')}
              required
              autoComplete="current-password"
              visibilityToggleButtonProps={{ 'aria-label': t('passwordShow') }}
              value={password}
              onChange={({ currentTarget }) => setPassword(currentTarget.value)}
              error={isWrong ? t('passwordWrong') : undefined}
            />
          )}
          {end.error && !isSaid && <Failure error={end.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" color="red" loading={end.isPending} disabled={!isTyped || (isOld && password === '')}>
              {t('button')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
