import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import { call, type ApiError } from '../../../api.ts'
import { useSession } from '../../../session.tsx'
import { instancePath, type Environment, type Instance, type PublishAsked } from './api.ts'

type Publish = { target: Environment; revision?: number | undefined; at?: string | undefined }
/** `publish`: after the save, which an empty body does not need. Only what was looked at is saved or published. */
export type Save = { version: number; body: JsonObject; publish?: Publish; words: Record<SaveOutcome, string> }
/** `asked`: its publishing waits for a second person; `scheduled`: for its moment. */
type SaveOutcome = 'done' | 'asked' | 'scheduled'
/** The stored instance, and what the save did. */
type Stored = { instance: Instance; outcome: SaveOutcome }
export type RollBack = { version: number; number: number; done: string; asked: string }
export type Unpublish = { target: Environment; done: string; asked: string }

/** For live content it may wait for a second person. */
export type Remove = { done: string; asked: string }

/** Everything that changes the instance. Each answer is what is stored then, and takes the place of what was read. */
export function useInstanceWrites({ blockKey, id }: Pick<Instance, 'blockKey' | 'id'>) {
  const { workspace } = useSession()
  const client = useQueryClient()
  const path = instancePath(blockKey, id)
  const settle = (instance: Instance, done: string) => {
    client.setQueryData([workspace.id, path, {}], instance)
    notifications.show({ message: done, color: 'teal' })
    // Lists, counts, revisions and verdicts elsewhere; this instance itself is what was just answered.
    const stale = ['/blocks/', '/instances', '/content', '/explain', '/reviews']
    void client.invalidateQueries({
      predicate: ({ queryKey: [owner, key] }) =>
        owner === workspace.id && key !== path && stale.some((start) => String(key).startsWith(start)),
    })
  }
  const send = { workspaceId: workspace.id }

  const save = useMutation<Stored, ApiError, Save>({
    mutationFn: async ({ version, body, publish }) => {
      const store = async () => {
        // A draft is not served until it is published.
        const { data } = await call<Instance>(path, { ...send, method: 'PUT', query: { draft: true }, version, body })
        // The content is stored now: a publication that fails must not send the save again.
        client.setQueryData([workspace.id, path, {}], data)
        return data
      }
      const saved = Object.keys(body).length > 0 ? await store() : undefined
      if (publish === undefined) return { instance: saved ?? (await call<Instance>(path, send)).data, outcome: 'done' }
      const looked = saved?.version ?? version
      const { data } = await call<(Instance & { scheduled?: unknown }) | PublishAsked>(`${path}/publish`, {
        ...send,
        method: 'POST',
        version: looked,
        body: publish,
      })
      if ('requestId' in data) return { instance: (await call<Instance>(path, send)).data, outcome: 'asked' }
      const { scheduled, ...instance } = data
      return { instance, outcome: scheduled ? 'scheduled' : 'done' }
    },
    onSuccess: ({ instance, outcome }, { words }) => settle(instance, words[outcome]),
  })
  const rollBack = useMutation<Stored, ApiError, RollBack>({
    mutationFn: async ({ version, number }) => {
      const back = { ...send, method: 'POST' as const, version, body: {} }
      const { data } = await call<Instance | PublishAsked>(`${path}/revisions/${number}/rollback`, back)
      if (!('requestId' in data)) return { instance: data, outcome: 'done' }
      return { instance: (await call<Instance>(path, send)).data, outcome: 'asked' }
    },
    onSuccess: ({ instance, outcome }, { done, asked }) => settle(instance, outcome === 'asked' ? asked : done),
  })
  const unpublish = useMutation<Stored, ApiError, Unpublish>({
    mutationFn: async ({ target }) => {
      const { data } = await call<Instance | PublishAsked>(`${path}/unpublish`, { ...send, method: 'POST', body: { target } })
      if (!('requestId' in data)) return { instance: data, outcome: 'done' }
      return { instance: (await call<Instance>(path, send)).data, outcome: 'asked' }
    },
    onSuccess: ({ instance, outcome }, { done, asked }) => settle(instance, outcome === 'asked' ? asked : done),
  })
  const copy = useMutation<Instance, ApiError, JsonObject>({
    mutationFn: async (body) =>
      (await call<Instance>(`/blocks/${encodeURIComponent(blockKey)}/instances`, { ...send, method: 'POST', body })).data,
    onSuccess: () => client.invalidateQueries({ queryKey: [workspace.id, '/instances'] }),
  })
  const remove = useMutation<{ isAsked: boolean }, ApiError, Remove>({
    mutationFn: async () => {
      const { data } = await call<{ deleted: true } | PublishAsked>(path, { ...send, method: 'DELETE' })
      return { isAsked: 'requestId' in data }
    },
    onSuccess: ({ isAsked }, { done, asked }) => {
      if (!isAsked) client.removeQueries({ queryKey: [workspace.id, path] })
      notifications.show({ message: isAsked ? asked : done, color: 'teal' })
      return client.invalidateQueries({
        predicate: ({ queryKey: [owner, key] }) => owner === workspace.id && /^\/(instances|content|blocks|reviews)/.test(String(key)),
      })
    },
  })
  return { save, rollBack, unpublish, copy, remove }
}
