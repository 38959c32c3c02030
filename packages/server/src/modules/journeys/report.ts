import { listSteps } from '@contentflow/core/journeys/journey.ts'
import type { Paged } from '@contentflow/core/paging.ts'
import type { Db } from '../../db/open.ts'
import { presentReport, readReport } from '../sends/index.ts'
import { SKIPS } from '@contentflow/core/journeys/step-values.ts'
import { getJourney, pageJourneys, type JourneyFilter, type StoredJourney } from './queries.ts'
import { countRefusals } from './events/queries-inbox.ts'
import { countConverted, countEntered, countMessages, countPeople, countRuns } from './runs/queries-runs.ts'

/** Lists journeys, the newest first, with how many people entered each and are in it. */
export async function listWithPeople(
  db: Db,
  workspaceId: string,
  filter: JourneyFilter,
): Promise<Paged<StoredJourney & { people: People }>> {
  const found = await pageJourneys(db, workspaceId, filter)
  const people = await countPeople(
    db,
    workspaceId,
    found.items.map(({ id }) => id),
  )
  return { ...found, items: found.items.map((journey) => ({ ...journey, people: people.get(journey.id) ?? { entered: 0, active: 0 } })) }
}
type People = { entered: number; active: number }

/** Each of these steps does nothing for one reason only. */
function skippedAt(type: 'webhook' | 'update_profile', count: number): { [reason: string]: number } {
  return count === 0 ? {} : { [SKIPS[type]]: count }
}

/** Where people are, and what became of the messages of each step. */
export async function reportOn(db: Db, workspaceId: string, journeyId: string) {
  const { steps, goal, entry, trigger } = await getJourney(db, workspaceId, journeyId)
  const entered = await countEntered(db, workspaceId, journeyId)
  const isEach = entry?.policy === 'every_event'
  const runs = await countRuns(db, workspaceId, journeyId, isEach)
  const refused = trigger.type === 'custom_event' ? await countRefusals(db, workspaceId, journeyId) : undefined
  const messages = await countMessages(db, workspaceId, journeyId)
  const sum = (counts: typeof runs) => counts.reduce((total, { count }) => total + count, 0)
  const of = (status: string) => sum(runs.filter((run) => run.status === status))
  const shown = []
  for (const { id, type } of listSteps(steps)) {
    const here = runs.filter(({ step }) => step === id)
    const there = {
      entered: entered.get(id)?.entered ?? 0,
      here: sum(here.filter(({ status }) => status === 'active')),
      waiting: sum(here.filter(({ isWaiting }) => isWaiting)),
      left: sum(here.filter(({ status }) => status === 'exited')),
    }
    shown.push({
      step: id,
      type,
      ...there,
      ...(type === 'send' && {
        sends: presentReport(await readReport(db, workspaceId, { source: 'journey', sourceId: journeyId, step: id })),
      }),
      ...((type === 'webhook' || type === 'update_profile') && { skipped: skippedAt(type, entered.get(id)?.skipped ?? 0) }),
      ...(type === 'in_app' && { inApp: messages.get(id) ?? { opened: 0, ended: 0 } }),
    })
  }
  return {
    journeyId,
    entered: sum(runs),
    active: of('active'),
    completed: of('completed'),
    exited: of('exited'),
    ...(refused && { refused: Object.fromEntries(refused) }),
    goal: goal && { ...goal, converted: await countConverted(db, workspaceId, journeyId, isEach) },
    steps: shown,
  }
}
