import { Button, Group, Stack, Switch } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWrite } from '../../data.ts'
import { Failure } from '../../ui/failure.tsx'
import { UnsavedGuard } from '../../ui/unsaved/unsaved-guard.tsx'

type LimitFormProps<T> = {
  path: string
  /** The body of the request; null takes the limit away. */
  bodyOf: (limit: T | null) => object
  stored: T | null
  /** The entered value; undefined while it cannot be saved. */
  entered: T | undefined
  isLimited: boolean
  onLimited: (isLimited: boolean) => void
  words: { limit: string; limitText: string; save: string; saved: string }
  /** The field for the limit, shown while there is one. */
  children: ReactNode
}

/** A setting that limits something or nothing: the switch, the field of the limit, and the button that saves it. */
export function LimitForm<T>({ path, bodyOf, stored, entered, isLimited, onLimited, words, children }: LimitFormProps<T>) {
  const change = useWrite<T | null>((limit) => ({ method: 'PUT', path, body: bodyOf(limit) }), {
    stale: [path],
    done: words.saved,
    showsError: true,
  })
  const next = isLimited ? entered : null
  const isChanged = JSON.stringify(next) !== JSON.stringify(stored)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (next !== undefined && isChanged) change.mutate(next)
      }}
    >
      <UnsavedGuard isDirty={isChanged && !change.isPending} />
      <Stack gap="sm" align="flex-start">
        <Switch
          label={words.limit}
          description={words.limitText}
          checked={isLimited}
          onChange={({ currentTarget }) => onLimited(currentTarget.checked)}
        />
        {isLimited && children}
        <Group>
          <Button type="submit" disabled={next === undefined || !isChanged} loading={change.isPending}>
            {words.save}
          </Button>
        </Group>
        {change.error && <Failure error={change.error} />}
      </Stack>
    </form>
  )
}
