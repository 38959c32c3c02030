import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import type { EventsSaid } from '@contentflow/core/journeys/proceed.ts'
import type { Effect } from '@contentflow/core/journeys/advance.ts'
import { readHappenings, type AskedHappening } from '@contentflow/core/journeys/happenings.ts'
import { eventOf, rehearse, type ListeningRehearsal, type Rehearsal } from '@contentflow/core/journeys/rehearse.ts'
import { listSteps, sentMailOf } from '@contentflow/core/journeys/journey.ts'
import { SKIPS } from '@contentflow/core/journeys/step-values.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { readHistories } from '../behaviour/index.ts'
import { readLoaded } from '../enrichment/index.ts'
import { subjectOf } from '../people/index.ts'
import { openJudgement } from '../sends/index.ts'
import { zoneOfDays } from '../calendar/index.ts'
import { findEndpoints } from '../webhooks/index.ts'
import { compile, hearingOf } from './compile.ts'
import { refuseIncomplete } from './completeness.ts'
import { withTextsOfNow } from './mails-of-steps.ts'
import { findSegmentId, getJourney, type StoredJourney } from './queries.ts'
import { listMembers, listProfiles, listUsers } from './runs/queries-runs.ts'

export type TestRun = { userIds?: string[]; segment?: string; days: number; events: AskedHappening[]; begin?: { properties: JsonObject } }
export type JourneyRehearsal = Rehearsal & { people: number; notFound: string[] }

/** What the journey would do with these people, or with the first of a segment, as they are now. Nothing is stored or sent. */
export async function tryOut(ctx: Context, workspaceId: string, journeyId: string, asked: TestRun): Promise<JourneyRehearsal> {
  const journey = await getJourney(ctx.db, workspaceId, journeyId)
  refuseIncomplete(journey)
  const { id, goal } = journey
  const steps = journey.status === 'draft' ? await withTextsOfNow({ tx: ctx.db, workspaceId }, journey.steps) : journey.steps
  const start = ctx.clock.ms()
  const zone = await zoneOfDays(ctx.db, workspaceId, ...asked.events.map(({ at }) => at))
  const happenings = readHappenings(asked.events, start, zone)
  if (!happenings.ok) failWith(400, happenings.error)
  const { names, notFound } = await findPeople(ctx, workspaceId, asked)
  const profiles = await listProfiles(ctx.db, workspaceId, [...names.keys()])
  const mails = listSteps(steps).flatMap((step) => (step.type === 'send' ? (sentMailOf(step) ?? []) : []))
  const judge = await openJudgement(ctx, workspaceId, [...names.keys()], mails)
  const program = compile(id, steps)
  const told = listSteps(steps).flatMap((step) => (step.type === 'webhook' ? [step.endpoint] : []))
  const endpoints = told.length > 0 ? await findEndpoints(ctx.db, workspaceId, told) : new Map<string, boolean>()
  const histories = program.hasEventConditions ? await readHistories(ctx.db, workspaceId, [...names.keys()]) : undefined
  const ids = [...names.keys()]
  const loaded = await readLoaded(ctx.db, workspaceId, { journeyId, people: ids, names: program.asked, now: new Date(start) })
  const people = [...names]
    .toSorted(([, a], [, b]) => (a < b ? -1 : 1))
    .flatMap(([profileId, name]) => {
      const profile = profiles.get(profileId)
      if (!profile) return []
      const barOf = (effect: Effect & Partial<EventsSaid>) => {
        if (effect.type === 'webhook') return endpoints.get(effect.endpoint) ? undefined : SKIPS.webhook
        if (effect.type === 'update_profile') return undefined
        const channel = effect.type === 'in_app' ? 'in_app' : effect.channel
        return judge(profileId, {
          channel,
          content: effect.content,
          topic: effect.type === 'send' ? effect.topic : undefined,
          ...(effect.type === 'send' && effect.mail && { mail: effect.mail }),
          sourceId: id,
          event: effect.event?.properties,
          lastEvent: effect.lastEvent?.properties,
        })
      }
      const subject = subjectOf(profile, start, undefined, histories?.get(profileId))
      return [{ id: profileId, name, subject, loaded: loaded?.get(profileId), barOf }]
    })
  const options = {
    steps,
    program,
    goal,
    start,
    days: asked.days,
    samples: LIMITS.journeyTimelines,
    happenings: happenings.value,
    listening: listeningOf(workspaceId, journey, asked, start),
  }
  const rehearsal = await ctx.timeSlicer.run(workspaceId, rehearse(people, options))
  return { ...rehearsal, people: people.length, notFound }
}

/** Everybody begins with an event of the trigger that says what the request says of it. */
function listeningOf(workspaceId: string, journey: StoredJourney, { begin }: TestRun, start: number): ListeningRehearsal | undefined {
  if (journey.listens.length === 0) return undefined
  const type = journey.trigger.type === 'custom_event' ? journey.trigger.event : ''
  return { journey, hearing: hearingOf(workspaceId, journey), begin: eventOf(type, begin?.properties ?? {}, start) }
}

/** The people of a test run, by the id of their profile. */
async function findPeople({ db }: Context, workspaceId: string, { userIds, segment }: TestRun) {
  if ((userIds === undefined) === (segment === undefined)) failWith(400, 'Say whom to try it on: userIds, or segment')
  if (userIds) {
    const found = await listUsers(db, workspaceId, userIds)
    const names = new Map([...found].map(([userId, id]) => [id, userId]))
    return { names, notFound: [...new Set(userIds)].filter((userId) => !found.has(userId)) }
  }
  const id = await findSegmentId(db, workspaceId, segment ?? '')
  if (id === undefined) failWith(400, `there is no segment with the name or id ${JSON.stringify(segment)}`)
  return { names: await listMembers(db, workspaceId, id, LIMITS.journeyTestPeople), notFound: [] }
}
