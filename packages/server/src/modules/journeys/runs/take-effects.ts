/** What the steps that people came to do: they write messages, tell endpoints, and write attributes of people. */
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import type { Effect, MessageEffect, UpdateEffect, WebhookEffect } from '@contentflow/core/journeys/advance.ts'
import type { KeptEvent } from '@contentflow/core/journeys/hearing.ts'
import { listSteps } from '@contentflow/core/journeys/journey.ts'
import type { EventsSaid } from '@contentflow/core/journeys/proceed.ts'
import { fillAttributes, fillValues } from '@contentflow/core/journeys/step-values.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { namesEvents } from '@contentflow/core/messages/message-tokens.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Change } from '../../../infra/change.ts'
import { uuidOf } from '../../../infra/secrets/crypto.ts'
import { saveAttributes } from '../../enrichment/index.ts'
import { openMessages } from '../../messages/index.ts'
import { queueSends } from '../../sends/index.ts'
import { enqueueStep, type ToldOf } from '../../webhooks/index.ts'
import type { StoredJourney } from '../queries.ts'
import { addSkipped, listPeopleNames } from './queries-runs.ts'

/** What one run of a person came to; with what events said where the journey listens to any. */
export type Affected = { profileId: string; occasion: number; effects: readonly (Effect & Partial<EventsSaid>)[] }
type Update = UpdateEffect & Partial<EventsSaid>
/** What steps write of a person, in the order in which they came to them; by id of their profile. */
export type Updates = ReadonlyMap<string, readonly Update[]>
/** `hasShown`: whether an in-app message is among it. `updated`: people who have other attributes now. */
export type Taken = { hasShown: boolean; updated: string[] }

/** One step on one occasion, with the people who came to it, and what events said to each. */
type Group<E extends Effect = Effect> = { effect: E; occasion: number; people: Map<string, Partial<EventsSaid>> }

/**
 * Step by step in their order, several people at once; attributes last, because people are locked behind devices. Messages are filled
 * when they go out, with the attributes of then.
 */
export async function takeEffects(change: Change, journey: StoredJourney, affected: readonly Affected[], updates: Updates): Promise<Taken> {
  const places = new Map(listSteps(journey.steps).map((step, index) => [step.id, index]))
  const positionOf = ({ effect }: Group) => places.get(effect.stepId) ?? 0
  const groups = groupEffects(affected).toSorted((a, b) => positionOf(a) - positionOf(b))
  for (const group of groups) {
    const { effect } = group
    if (effect.type === 'webhook') await tell(change, journey, { ...group, effect })
    else if (effect.type !== 'update_profile') await write(change, journey, { ...group, effect }, positionOf(group))
  }
  return { hasShown: groups.some(({ effect }) => effect.type === 'in_app'), updated: await update(change, journey, updates) }
}

function groupEffects(affected: readonly Affected[]): Group[] {
  const byStep = new Map<string, Group>()
  for (const { profileId, occasion, effects } of affected)
    for (const effect of effects) {
      const key = `${occasion}/${effect.stepId}`
      const group: Group = byStep.get(key) ?? { effect, occasion, people: new Map() }
      byStep.set(key, group)
      group.people.set(profileId, effect)
    }
  return [...byStep.values()]
}

async function write(
  change: Change,
  { id, name }: StoredJourney,
  { effect, occasion, people }: Group<MessageEffect>,
  position: number,
): Promise<void> {
  const { stepId, content } = effect
  const mail = effect.type === 'send' ? effect.mail : undefined
  const said = namesEvents({ content, mail }) ? [...people].filter(([, { event }]) => event !== undefined) : []
  const values = new Map(
    said.map(([profileId, { event, lastEvent }]): [string, object] => [
      profileId,
      { event: event?.properties ?? {}, lastEvent: lastEvent?.properties ?? {} },
    ]),
  )
  const message = { occasion, content, values }
  const ids = [...people.keys()]
  if (effect.type === 'in_app') {
    const expiresAt = new Date(change.now.getTime() + LIMITS.journeyMessageDays * DAY_MS)
    await openMessages(change, { ...message, journeyId: id, stepId, position, expiresAt }, ids)
  } else {
    const { channel, topic } = effect
    await queueSends(change, { ...message, mail, source: 'journey', sourceId: id, step: stepId, name, channel, topic }, ids)
  }
}

/** The id of a delivery follows from the run and the step, so that a step that is taken again is no second delivery. */
async function tell(change: Change, journey: StoredJourney, { effect, occasion, people }: Group<WebhookEffect>): Promise<void> {
  const { tx, workspaceId } = change
  const names = await listPeopleNames(tx, workspaceId, [...people.keys()])
  const told = [...names].map(([profileId, { userId, deviceId }]): ToldOf => {
    const said = people.get(profileId) ?? {}
    const runId = uuidOf([workspaceId, journey.id, profileId, occasion])
    const data = {
      journeyId: journey.id,
      stepId: effect.stepId,
      runId,
      userId,
      ...(userId === null && { deviceId }),
      ...(said.event && { event: eventTold(said.event) }),
      ...fillValues(effect.values, said),
    }
    return { id: uuidOf([runId, effect.stepId]), profileId, data }
  })
  if (!(await enqueueStep(change, effect.endpoint, told))) await addSkipped(tx, workspaceId, journey.id, effect.stepId, people.size)
}

/** Of an event only what the journey names. */
function eventTold({ at, ...event }: KeptEvent): object {
  return { ...event, at: new Date(at) }
}

/** What steps write of one person into one load: merged, the last wins; `records`: how often they wrote. */
type PersonLoad = { values: JsonObject; records: number }

/** By how long the values stay, in the order in which the loads were written last. Steps that say nothing are added to `skipped`. */
function mergeUpdates(effects: readonly Update[], skipped: Map<string, number>): Map<number, PersonLoad> {
  const loads = new Map<number, PersonLoad>()
  for (const effect of effects) {
    const { stepId, expiresInDays } = effect
    const values = fillAttributes(effect.values, effect)
    if (Object.keys(values).length === 0) {
      skipped.set(stepId, (skipped.get(stepId) ?? 0) + 1)
      continue
    }
    const before = loads.get(expiresInDays)
    loads.delete(expiresInDays)
    loads.set(expiresInDays, { values: { ...before?.values, ...values }, records: (before?.records ?? 0) + 1 })
  }
  return loads
}

/**
 * Returns those of whom anything was written. A load holds what was written into it last, and the load that was written last is the
 * newest: so everybody's loads are taken in the order of their last writing, as `core/journeys/written.ts` does.
 */
async function update(change: Change, { id, name }: StoredJourney, updates: Updates): Promise<string[]> {
  const skipped = new Map<string, number>()
  const written = new Set<string>()
  const rounds: Map<number, Map<string, PersonLoad>>[] = []
  for (const [profileId, effects] of updates)
    for (const [round, [days, load]] of [...mergeUpdates(effects, skipped)].entries()) {
      const byDays = (rounds[round] ??= new Map())
      byDays.set(days, (byDays.get(days) ?? new Map<string, PersonLoad>()).set(profileId, load))
      written.add(profileId)
    }
  for (const round of rounds)
    for (const [expiresInDays, people] of round) {
      const records = [...people.values()].reduce((sum, load) => sum + load.records, 0)
      const values = new Map([...people].map(([profileId, load]) => [profileId, load.values]))
      await saveAttributes(change, { journeyId: id, name, expiresInDays, records }, values)
    }
  for (const [stepId, count] of skipped) await addSkipped(change.tx, change.workspaceId, id, stepId, count)
  return [...written]
}
