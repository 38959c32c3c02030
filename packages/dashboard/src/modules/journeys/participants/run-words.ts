import type { JourneyRun } from '@contentflow/server/wire.ts'
import { useFormat } from '../../../format.ts'
import type { Journey } from '../api.ts'
import { useParticipantTexts } from '../texts-participants.ts'

type Standing = Pick<JourneyRun, 'reason' | 'waiting' | 'dueAt'>

/** What comes next for a person, or why nothing does. */
export function useRunWords(): (run: Standing, status: Journey['status']) => string {
  const t = useParticipantTexts()
  const format = useFormat()
  return ({ reason, waiting, dueAt }, status) => {
    if (reason !== null) return t(`reason_${reason}`)
    if (status !== 'active') return t('paused')
    return waiting && dueAt !== null ? t('waitingUntil', { at: format.moment(dueAt) }) : t('nextCheck')
  }
}

export const RUN_COLORS = { active: 'blue', completed: 'green', exited: 'gray' } as const
