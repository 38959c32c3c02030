/**
 * The life of a staged import (M-ENR-34 to M-ENR-37, M-ENR-61 to M-ENR-72).
 *
 *   staging ──stage──▶ staging
 *   staging, ready ──match──▶ matching ──finish──▶ ready
 *   ready ──commit──▶ committing ──finish──▶ committed
 *   matching, committing ──fail──▶ failed
 *   staging, ready, failed ──cancel──▶ cancelled
 */
export const IMPORT_STATUSES = ['staging', 'matching', 'ready', 'committing', 'committed', 'failed', 'cancelled'] as const
export type ImportStatus = (typeof IMPORT_STATUSES)[number]

/** What a caller asks for: `stage` rows, `match`, `commit`, `cancel`. What the work reports: `finish`, `fail`. */
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
