import { Button, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../api.ts'
import { browserCalendar } from '../calendar.ts'
import { ME } from '../session.tsx'
import { Failure } from '../ui/failure.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useTexts } from './texts.ts'

/** Makes a further workspace and goes there. */
export function NewWorkspace({ onClose }: { onClose: () => void }) {
  const t = useTexts()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [name, setName] = useState('')
  const create = useMutation({
    mutationFn: async () =>
      (await call<{ id: string }>('/workspaces', { method: 'POST', body: { name: name.trim(), calendar: browserCalendar() } })).data,
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ME })
      onClose()
      await navigate(`/w/${id}`)
    },
  })
  return (
    <Dialog opened onClose={onClose} title={t('newWorkspace')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <Stack>
          <TextInput
            label={t('workspaceName')}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            required
            maxLength={150}
            data-autofocus
          />
          {create.error && <Failure error={create.error} />}
          <Button type="submit" loading={create.isPending} disabled={name.trim() === ''} style={{ alignSelf: 'end' }}>
            {t('create')}
          </Button>
        </Stack>
      </form>
    </Dialog>
  )
}
