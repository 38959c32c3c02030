/** The life of a staged import (M-ENR-34 to M-ENR-37, M-ENR-61 to M-ENR-72). */
export const IMPORT_STATUSES = ['staging', 'matching', 'ready', 'committing', 'committed', 'failed', 'cancelled'] as const
export type ImportStatus = (typeof IMPORT_STATUSES)[number]

/** What a caller asks for: `stage` rows, `match`, `commit`, `cancel`; and what the work says: it is done, or it failed. */
export type ImportAct = 'stage' | 'match' | 'commit' | 'cancel' | 'finish' | 'fail'

/** Where an act leads; null where it is refused. */
const NEXT: Record<ImportStatus, Record<ImportAct, ImportStatus | null>> = {
  staging: { stage: 'staging', match: 'matching', commit: null, cancel: 'cancelled', finish: null, fail: null },
  matching: { stage: null, match: null, commit: null, cancel: null, finish: 'ready', fail: 'failed' },
  ready: { stage: null, match: 'matching', commit: 'committing', cancel: 'cancelled', finish: null, fail: null },
  committing: { stage: null, match: null, commit: null, cancel: null, finish: 'committed', fail: 'failed' },
  committed: { stage: null, match: null, commit: null, cancel: null, finish: null, fail: null },
  failed: { stage: null, match: null, commit: null, cancel: 'cancelled', finish: null, fail: null },
  cancelled: { stage: null, match: null, commit: null, cancel: null, finish: null, fail: null },
}

export function nextImportStatus(status: ImportStatus, act: ImportAct): ImportStatus | null {
  return NEXT[status][act]
}
