import { useLocalStorage } from '@mantine/hooks'
import { useCalendar } from '../../calendar.ts'
import { usePages, useRead } from '../../data.ts'
import { useSession } from '../../session.tsx'
import type { Overview, Summary } from '../content/api.ts'
import { rangesOf, type Analytics } from './activity.ts'
import { nextStep, stepsDone, type Step } from './first-steps.ts'

export type Steps = {
  done: Record<Step, boolean>
  next: Step | undefined
  /** A step is left, and the steps were not hidden in this browser. */
  isShown: boolean
  hide: () => void
}

/** Which steps this workspace has taken; undefined until that is known. `error`: why it cannot be known just now. */
export function useFirstSteps(
  overview: Overview | undefined,
  instances: readonly Summary[],
): { steps: Steps | undefined; error: Error | null; retry: () => void } {
  const { workspace, mayEdit } = useSession()
  const [isHidden, setHidden] = useLocalStorage({
    key: `cf.start-hidden.${workspace.id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const appKeys = usePages<object>('/settings/sdk-keys', 'keys', { limit: 1 })
  const writeKeys = usePages<object>('/settings/write-keys', 'keys', { limit: 1 }, { when: mayEdit })
  const events = useRead<Analytics>('/analytics/overview', rangesOf('30d', Date.now(), useCalendar().timeZone).current, { every: 30_000 })
  const error = events.error ?? appKeys.error ?? writeKeys.error
  const retry = () => {
    void events.refetch()
    for (const { retry: again } of [appKeys, writeKeys]) again()
  }
  if (!overview || !events.data || appKeys.total === undefined || (mayEdit && writeKeys.total === undefined))
    return { steps: undefined, error, retry }
  const done = stepsDone({
    appKeys: appKeys.total,
    writeKeys: mayEdit ? writeKeys.total : undefined,
    blockTypes: overview.screens.reduce((sum, { blockTypes }) => sum + blockTypes, 0),
    instances,
    liveInstances: overview.screens.reduce((sum, { liveInstances }) => sum + liveInstances, 0),
    events: events.data.totals.total,
  })
  const next = nextStep(done)
  const steps = { done, next, isShown: next !== undefined && !isHidden, hide: () => setHidden(true) }
  return { steps, error, retry }
}
