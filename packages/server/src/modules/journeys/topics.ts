/** Topics that steps of journeys write about. */
import type { Step } from '@contentflow/core/journeys/journey.ts'
import { placesOf } from '@contentflow/core/journeys/read-events.ts'
import type { Change } from '../../infra/change.ts'
import { refuseTopics } from '../topics/index.ts'

/**
 * 400 with the path where a step writes about a topic that is not there, or that is not sent over its channel. `before`: the steps it
 * had; a topic that was archived since stays with those that named it.
 */
export async function refuseStepTopics(
  { tx, workspaceId }: Pick<Change, 'tx' | 'workspaceId'>,
  steps: readonly Step[],
  before: readonly Step[] = [],
): Promise<void> {
  const naming = (list: readonly Step[]) =>
    placesOf(list).flatMap(([at, step]) =>
      step.type === 'send' && step.topic !== undefined
        ? [{ id: step.id, topic: step.topic, channels: [step.channel], at: `${at}.topic` }]
        : [],
    )
  const kept = new Set(naming(before).map(({ id, topic, channels }) => JSON.stringify([id, topic, channels])))
  await refuseTopics(
    tx,
    workspaceId,
    naming(steps).filter(({ id, topic, channels }) => !kept.has(JSON.stringify([id, topic, channels]))),
  )
}
