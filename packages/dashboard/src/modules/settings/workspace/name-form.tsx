import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useWrite } from '../../../data.ts'
import { ME } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { UnsavedGuard } from '../../../ui/unsaved/unsaved-guard.tsx'
import { useTexts } from '../texts.ts'

type NameFormProps = {
  /** The stored name. */
  current: string
  /** Takes a new one. */
  path: string
  /** Starts of paths whose readings are stale afterwards. */
  stale: string[]
  autoComplete?: string
  /** Shown above the name. */
  children?: ReactNode
}

/** The name of the workspace or of the signed-in member. */
export function NameForm({ current, path, stale, autoComplete, children }: NameFormProps) {
  const t = useTexts()
  const client = useQueryClient()
  const [name, setName] = useState(current)
  const rename = useWrite<string>((wanted) => ({ method: 'PUT', path, body: { name: wanted } }), {
    stale,
    done: t('saved'),
    showsError: true,
  })
  const wanted = name.trim()
  const isChanged = wanted !== current
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged) rename.mutate(wanted, { onSuccess: () => void client.invalidateQueries({ queryKey: ME }) })
      }}
    >
      <UnsavedGuard isDirty={isChanged && !rename.isPending && !rename.isSuccess} />
      <Stack gap="sm" maw={480}>
        {children}
        <TextInput
          label={t('name')}
          value={name}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value)
            rename.reset()
          }}
          required
          maxLength={150}
          {...(autoComplete !== undefined && { autoComplete })}
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
