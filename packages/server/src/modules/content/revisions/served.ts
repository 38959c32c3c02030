/** Which revision of an instance the clients of an environment get. */
import type { Environment } from '../../../infra/signals/signals.ts'
import type { Instance } from './queries-instances.ts'

type Pointers = Pick<Instance, 'liveRevision' | 'testRevision'>

/** Test keys get the live revision unless another one is set for them. */
export function servedRevision({ liveRevision, testRevision }: Pointers, environment: Environment): number | null {
  return environment === 'live' ? liveRevision : (testRevision ?? liveRevision)
}

export function pointerOf(instance: Pointers, environment: Environment): number | null {
  return environment === 'live' ? instance.liveRevision : instance.testRevision
}

/** Pointers that are set. */
export function pointersOf({ liveRevision, testRevision }: Pointers): Environment[] {
  return [...(liveRevision === null ? [] : (['live'] as const)), ...(testRevision === null ? [] : (['test'] as const))]
}
