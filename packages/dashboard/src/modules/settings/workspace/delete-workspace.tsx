import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api.ts'
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
  const { workspace } = useSession()
  const [name, setName] = useState('')
  const end = useMutation({
    mutationFn: () => call(`/workspaces/${workspace.id}`, { method: 'DELETE', body: { name }, workspaceId: workspace.id }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ME })
      onClose()
    },
  })
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
          {end.error && <Failure error={end.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" color="red" loading={end.isPending} disabled={!isTyped}>
              {t('button')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
