import { Button, Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { canonicalJson } from '@contentflow/core/json/canonical-json.ts'
import { useRead, useWrite } from '../../data.ts'
import { useSession } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { UnsavedGuard } from '../../ui/unsaved/unsaved-guard.tsx'
import { OnlyFor } from './notes.tsx'

type Words = { title: string; text: string; save: string; saved: string }
/** `set`: changes some members of what is wanted. `isLocked`: it is only looked at. */
type Fields<T> = { wanted: T; set: (part: Partial<T>) => void; isLocked: boolean }
type SettingProps<T> = { path: string; words: Words; children: (fields: Fields<T>) => ReactNode }

/** A setting of the workspace that admins change as a whole: read at a path, and put there again. */
export function SettingSection<T extends object>({ path, words, children }: SettingProps<T>) {
  const { mayAdmin } = useSession()
  const setting = useRead<T>(path)
  return (
    <Section title={words.title} text={words.text}>
      <Loaded read={setting} height={160}>
        {(stored) => (
          <SettingForm key={canonicalJson(stored)} stored={stored} path={path} words={words}>
            {children}
          </SettingForm>
        )}
      </Loaded>
      {!mayAdmin && <OnlyFor who="admins" />}
    </Section>
  )
}

function SettingForm<T extends object>({ stored, path, words, children }: SettingProps<T> & { stored: T }) {
  const { mayAdmin } = useSession()
  const [wanted, setWanted] = useState(stored)
  const save = useWrite<T>((body) => ({ method: 'PUT', path, body }), { stale: [path], done: words.saved, showsError: true })
  const isChanged = canonicalJson(wanted) !== canonicalJson(stored)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged) save.mutate(wanted)
      }}
    >
      <UnsavedGuard isDirty={isChanged && !save.isPending} />
      <Stack gap="sm" align="flex-start">
        {children({ wanted, set: (part) => setWanted({ ...wanted, ...part }), isLocked: !mayAdmin })}
        {mayAdmin && (
          <Button type="submit" disabled={!isChanged} loading={save.isPending}>
            {words.save}
          </Button>
        )}
        {save.error && <Failure error={save.error} />}
      </Stack>
    </form>
  )
}
