import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWrite } from '../../data.ts'
import { ME, useSession } from '../../session.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Section } from '../../ui/section.tsx'
import { UnsavedGuard } from '../../ui/unsaved-guard.tsx'
import { ForApps, OnlyFor } from './notes.tsx'
import { useTexts } from './texts.ts'

export function WorkspaceTab() {
  const t = useTexts()
  const { workspace, mayAdmin } = useSession()
  return (
    <>
      <Section title={t('workspaceName')} text={t('workspaceNameText')}>
        <ForApps text={t('workspaceNameEffect')} />
        {mayAdmin ? <NameForm /> : <Text fw={600}>{workspace.name}</Text>}
        {!mayAdmin && <OnlyFor who="admins" />}
      </Section>
      <Section title={t('workspaceId')} text={t('workspaceIdText')}>
        <ForApps text={t('workspaceIdEffect')} />
        <CopyField value={workspace.id} label={t('workspaceId')} />
      </Section>
    </>
  )
}

function NameForm() {
  const t = useTexts()
  const { workspace } = useSession()
  const client = useQueryClient()
  const [name, setName] = useState(workspace.name)
  const rename = useWrite<string>((wanted) => ({ method: 'PUT', path: '/workspaces/current', body: { name: wanted } }), {
    stale: [],
    done: t('saved'),
    showsError: true,
  })
  const wanted = name.trim()
  const isChanged = wanted !== workspace.name
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged) rename.mutate(wanted, { onSuccess: () => void client.invalidateQueries({ queryKey: ME }) })
      }}
    >
      <UnsavedGuard isDirty={isChanged && !rename.isPending && !rename.isSuccess} />
      <Stack gap="sm" maw={480}>
        <TextInput
          label={t('name')}
          value={name}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value)
            rename.reset()
          }}
          required
          maxLength={150}
        />
        {rename.error && <Failure error={rename.error} />}
        <Group>
          <Button type="submit" loading={rename.isPending} disabled={wanted === '' || !isChanged}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
