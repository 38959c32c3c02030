import { instanceState } from '@contentflow/core/blocks/instance-state.ts'
import type { Scheduled } from '@contentflow/server/wire.ts'
import { useRead } from '../../../data.ts'
import type { Summary } from '../api.ts'
import { instancePath, type Instance, type ServedContent } from './api.ts'

/** The word that lists have for it: by the schedule of what apps get, not of what was saved since. */
export function useInstanceState(instance: Instance): Pick<Summary, 'state' | 'isChanged' | 'publishAt' | 'warnings'> {
  const path = instancePath(instance.blockKey, instance.id)
  const { live, test, head } = instance
  const counting = live ?? test ?? head
  const environment = live === null ? 'test' : 'live'
  const isOlder = counting !== head
  const served = useRead<ServedContent>(`${path}/at`, { environment }, { when: isOlder }).data?.content
  const planned = useRead<{ schedule: Scheduled[] }>(`${path}/schedule`, {}, { every: 30_000 }).data?.schedule ?? []
  const publishAt = planned.find(({ fault }) => fault === null)?.at ?? null
  const schedule = isOlder && served ? served.schedule : instance.schedule
  const state = instanceState({ isLive: live !== null, isTest: test !== null, isPlanned: publishAt !== null, schedule }, Date.now())
  // Warnings for the publisher alone were shown on publishing.
  const warnings = instance.warnings?.filter((warning) => warning.code === 'unknown_segment')
  // The list of planned publications shows the moment itself.
  return { state, isChanged: live !== null && live !== head, publishAt: null, warnings }
}
