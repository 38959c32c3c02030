import { LIMITS } from '@contentflow/core/limits.ts'
import { useRead } from '../../data.ts'
import type { Source } from './api.ts'

/** The saved sources, to choose from: as many as one page of the server holds. */
export function useAllSources(): Source[] {
  return useRead<{ sources: Source[] }>('/enrichment/sources', { limit: LIMITS.pageSizeMax }).data?.sources ?? []
}
