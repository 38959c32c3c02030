import { listSteps } from '@contentflow/core/journeys/journey.ts'
import type { Paged } from '@contentflow/core/paging.ts'
import type { Db } from '../../db/open.ts'
import { presentReport, readReport } from '../sends/index.ts'
import { getJourney, pageJourneys, type JourneyFilter, type StoredJourney } from './queries.ts'
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

/** Where people are, and what became of the messages of each step. */
export async function reportOn(db: Db, workspaceId: string, journeyId: string) {
  const { steps, goal } = await getJourney(db, workspaceId, journeyId)
  const entered = await countEntered(db, workspaceId, journeyId)
  const runs = await countRuns(db, workspaceId, journeyId)
  const messages = await countMessages(db, workspaceId, journeyId)
  const sum = (counts: typeof runs) => counts.reduce((total, { count }) => total + count, 0)
  const of = (status: string) => sum(runs.filter((run) => run.status === status))
  const shown = []
  for (const { id, type } of listSteps(steps)) {
    const here = runs.filter(({ step }) => step === id)
    const there = {
      entered: entered.get(id) ?? 0,
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
      ...(type === 'in_app' && { inApp: messages.get(id) ?? { opened: 0, ended: 0 } }),
    })
  }
  return {
    journeyId,
    entered: sum(runs),
    active: of('active'),
    completed: of('completed'),
    exited: of('exited'),
    goal: goal && { ...goal, converted: await countConverted(db, workspaceId, journeyId) },
    steps: shown,
  }
}
