/** Work on many translations: begins it, and makes what is shown stale when it ends. */
import { useQueryClient } from '@tanstack/react-query'
import { LIMITS } from '@contentflow/core/limits.ts'
import { call, type Query } from '../../api.ts'
import { useSession } from '../../session.tsx'
import { STALE, type Approved, type DraftedMany, type Import, type Locale, type StringItem } from './api.ts'
import { inSteps, startRun, untilNothingMisses, useRun } from './runs.ts'

export function useBulk() {
  const { workspace } = useSession()
  const client = useQueryClient()
  const isBusy = useRun(workspace.id)?.state === 'running'
  const post = async <T>(path: string, body?: unknown) => (await call<T>(path, { method: 'POST', body, workspaceId: workspace.id })).data
  const refresh = () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [owner, path] }) => owner === workspace.id && STALE.some((start) => String(path).startsWith(start)),
    })
  const begin = (...args: Parameters<typeof startRun>) => void startRun(...args).then(refresh)
  const of = (kind: 'approve' | 'draft', locale: string, total: number) => ({ workspaceId: workspace.id, kind, locale, total })

  return {
    isBusy,
    approve: (locale: string, keys: string[]) =>
      begin(of('approve', locale, keys.length), (report, isStopped) =>
        inSteps(keys, async (step) => (await post<Approved>('/strings/approve', { locale, keys: step })).mismatched, report, isStopped),
      ),
    draft: (locale: string, keys: string[]) =>
      begin(of('draft', locale, keys.length), (report, isStopped) =>
        inSteps(
          keys,
          async (step) => {
            await post<DraftedMany>('/strings/draft', { locale, keys: step })
            return []
          },
          report,
          isStopped,
        ),
      ),
    draftMissing: ({ code, counts }: Locale) =>
      begin(of('draft', code, counts.missing), (report, isStopped) =>
        untilNothingMisses(
          counts.missing,
          async () => {
            const { drafted, missing } = await post<DraftedMany>('/strings/draft', { locale: code })
            return { drafted: drafted.length, missing }
          },
          report,
          isStopped,
        ),
      ),
    applyImport: ({ importId, summary }: Import) =>
      begin({ workspaceId: workspace.id, kind: 'import', locale: '', total: summary.rows }, async (report) => {
        await post(`/strings/imports/${encodeURIComponent(importId)}/apply`)
        report({ done: summary.rows, total: summary.rows, refused: [] })
      }),
    /** The keys of everything a list would show, page by page. */
    collectKeys: async (query: Query, signal: AbortSignal, onCount: (count: number) => void): Promise<string[]> => {
      const keys: string[] = []
      let cursor: string | null | undefined
      do {
        const { data, metadata } = await call<{ strings: StringItem[] }>('/strings', {
          query: { ...query, limit: LIMITS.pageSizeMax, cursor },
          workspaceId: workspace.id,
          signal,
        })
        keys.push(...data.strings.map(({ key }) => key))
        onCount(keys.length)
        cursor = metadata?.nextCursor
      } while (cursor)
      return keys
    },
  }
}
