/** The server's answers about imports, sources and loaded values. */
import type { Member } from '@contentflow/server/wire.ts'
import { useRead } from '../../data.ts'

export type {
  DataImport as Import,
  DataImportSummary as ImportSummary,
  DataSource as Source,
  DataUpload as Upload,
  DataUploadPage as UploadPage,
  RejectedRow,
  SourceRanking as Ranking,
} from '@contentflow/server/wire.ts'

/** Paths whose data any change here makes stale: lists, imports, and segments and values of people. */
export const STALE = ['/enrichment', '/segments', '/users']

export function importPath(importId: string): string {
  return `/enrichment/imports/${encodeURIComponent(importId)}`
}

export function uploadPath(jobRef: string): string {
  return `/enrichment/uploads/${encodeURIComponent(jobRef)}`
}

/** The names of members by account, to say who did something. */
export function useMemberNames(): ReadonlyMap<string, string> {
  const { data } = useRead<{ members: Member[] }>('/members', { limit: 200 })
  return new Map((data?.members ?? []).map(({ userId, name, email }) => [userId, name || email]))
}
