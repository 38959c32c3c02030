/**
 * Random journeys and histories: the engine with its clock moved does what the pure loop does, at the same checks, also
 * where the work dies between its steps. `CF_JOURNEY_ROUNDS` makes it longer. The seed of a failing history is in its
 * error; `fc.assert(..., {seed, path})` repeats it.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { toClock } from '@contentflow/core/calendar/zoned-time.ts'
import { PRAYERS } from '@contentflow/core/calendar/prayers.ts'
import { hasBranches, type Step } from '@contentflow/core/journeys/journey.ts'
import { countEntered } from '../../src/modules/journeys/runs/queries-runs.ts'
import { expectStatus, type Client } from '../builders/builders.ts'
import { track, workspaceOverTime } from '../builders/events.ts'
import { JourneyModel, type ModelTrigger, type Told } from './journey-model.ts'
import { check, makeJourney, MESSAGE, setStatus } from '../builders/journeys.ts'
import { identify, personRow } from '../builders/people.ts'
import { startApp } from '../harness/start-app.ts'

const ROUNDS = Number(process.env['CF_JOURNEY_ROUNDS'] ?? 15)
/** Where the work of a check can die. */
const POINTS = ['claim', 'claimed', 'entered', 'moved', 'worked', 'finished'] as const
const LEASE_SECONDS = 31
const SESSION_MINUTES = 20 * 60
const YEAR = 365 * 1_440
const USERS = ['A', 'B', 'C']
const PLANS = ['gold', 'basic']
const PLACES = [
  { latitude: 21.4225, longitude: 39.8262 },
  { latitude: -6.2088, longitude: 106.8456 },
]
const EVENTS = { CTA_CLICK: 'cta_click', BANNER_CLICK: 'click' } as const
type EventType = keyof typeof EVENTS
type Planned = { steps: Step[]; trigger: ModelTrigger }

type Act =
  | { kind: 'tick'; minutes: number; diesAt: (typeof POINTS)[number] | undefined }
  | { kind: 'enroll'; journey: number; users: string[] }
  | { kind: 'event'; user: string; eventType: EventType }
  | { kind: 'plan'; user: string; plan: string }
  | { kind: 'birthday'; user: string; days: number }
  | { kind: 'pause' | 'resume'; journey: number }
  | { kind: 'edit'; journey: number; steps: Step[] }

const rule = { logicalOperator: 'AND' as const, rules: [{ field: 'customAttributes.plan', operator: 'equals' as const, value: 'gold' }] }
const leaf: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(1, 2, 3, 60, 500).map((minutes): Step => ({ id: '', type: 'wait', minutes })) },
  { weight: 3, arbitrary: fc.constant<Step>({ id: '', type: 'in_app', content: MESSAGE }) },
  { weight: 2, arbitrary: fc.constant<Step>({ id: '', type: 'send', channel: 'push', content: MESSAGE }) },
  {
    weight: 1,
    arbitrary: fc
      .record({ hour: fc.nat({ max: 23 }), zone: fc.constantFrom('UTC', 'Asia/Riyadh', 'Asia/Kolkata') })
      .map((until): Step => ({ id: '', type: 'wait_until', ...until })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ afterPrayer: fc.constantFrom(...PRAYERS), minutesAfter: fc.nat({ max: 180 }), place: fc.constantFrom(...PLACES) })
      .map(({ place, ...until }): Step => ({ id: '', type: 'wait_until', ...until, ...place })),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ id: '', type: 'exit' }) },
)
const { tree } = fc.letrec<{ tree: Step }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 2, depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .record({ then: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }), else: fc.array(tie('tree'), { maxLength: 3 }) })
      .chain((branches) =>
        fc.constantFrom<Step>({ id: '', type: 'condition', rule, ...branches }, { id: '', type: 'split', percent: 50, ...branches }),
      ),
  ),
}))
/** With ids that two definitions of one journey share, in any order; sometimes more at once than a check does. */
const steps: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.array(tree, { minLength: 1, maxLength: 6 }),
    fc.nat({ max: 7 }).map((one) => (one === 0 ? 25 : 0)),
    fc.shuffledSubarray(
      Array.from({ length: 120 }, (_, index) => `s${index}`),
      { minLength: 120, maxLength: 120 },
    ),
  )
  .map(([list, more, ids]) => {
    const all = [...list, ...Array.from({ length: more }, (): Step => ({ id: '', type: 'in_app', content: MESSAGE }))]
    let next = 0
    const named = (some: readonly Step[]): Step[] =>
      some.map((step) => {
        const id = ids[next++] ?? `more${next}`
        return hasBranches(step) ? { ...step, id, then: named(step.then), else: named(step.else) } : { ...step, id }
      })
    return named(all)
  })
const TRIGGERS: readonly ModelTrigger[] = [
  { type: 'manual' },
  { type: 'event', eventType: 'CTA_CLICK' },
  { type: 'date', trait: 'born', daysBefore: 0, hour: 9 },
  { type: 'inactivity', days: 1 },
]
const journey = fc.nat({ max: TRIGGERS.length - 1 })
const user = fc.constantFrom(...USERS)
const ticks = (diesAt: fc.Arbitrary<(typeof POINTS)[number] | undefined>) =>
  fc.record({ kind: fc.constant('tick' as const), minutes: fc.constantFrom(1, 1, 1, 2, 3, 60, 500, YEAR), diesAt })
const histories = (diesAt: fc.Arbitrary<(typeof POINTS)[number] | undefined>) =>
  fc.record({
    journeys: fc.tuple(...TRIGGERS.map((trigger) => fc.record({ steps, trigger: fc.constant(trigger) }))),
    acts: fc.array(
      fc.oneof<fc.WeightedArbitrary<Act>[]>(
        { weight: 8, arbitrary: ticks(diesAt) },
        {
          weight: 3,
          arbitrary: fc.record({ kind: fc.constant('enroll' as const), journey, users: fc.shuffledSubarray(USERS, { minLength: 1 }) }),
        },
        {
          weight: 4,
          arbitrary: fc.record({
            kind: fc.constant('event' as const),
            user,
            eventType: fc.constantFrom<EventType>('CTA_CLICK', 'BANNER_CLICK'),
          }),
        },
        { weight: 2, arbitrary: fc.record({ kind: fc.constant('plan' as const), user, plan: fc.constantFrom(...PLANS) }) },
        { weight: 2, arbitrary: fc.record({ kind: fc.constant('birthday' as const), user, days: fc.nat({ max: 2 }) }) },
        { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('pause' as const, 'resume' as const), journey }) },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant('edit' as const), journey, steps }) },
      ),
      { minLength: 10, maxLength: 25 },
    ),
  })

const app = await startApp()
const { ctx, operator } = app

type Lasting = Awaited<ReturnType<typeof workspaceOverTime>>

/** Of one history: a workspace, its people and journeys, beside those that the model has. */
class History {
  readonly #plans = new Map<string, string>()
  readonly #birthdays = new Map<string, string>()
  readonly #signs = new Map<string, number>()
  readonly #profiles = new Map<string, string>()
  readonly #journeys: { id: string; model: JourneyModel }[] = []
  readonly #ws: Lasting
  /** Nobody does what takes people into it; how far it was read says which moment the last check was of. */
  #clockwork = ''
  #admin: Client | undefined
  #signedInAt = 0
  #minutes = 0
  #checkedAt = 0

  constructor(ws: Lasting) {
    this.#ws = ws
  }

  static async begin(journeys: readonly Planned[]): Promise<History> {
    const ws = await workspaceOverTime(app)
    expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
    const history = new History(ws)
    await history.#begin(journeys)
    return history
  }

  async #begin(journeys: readonly Planned[]): Promise<void> {
    for (const name of USERS) {
      await this.#setPlan(name, 'basic')
      this.#profiles.set(name, (await personRow(ctx, this.#ws.id, name))?.id ?? '')
    }
    const admin = await this.#signedIn()
    this.#clockwork = (await makeJourney(admin, { name: 'clockwork', trigger: { type: 'event', eventType: 'DISMISSED' } })).id
    expectStatus(await setStatus(admin, this.#clockwork, 'active'), 200)
    for (const [index, { steps: of, trigger }] of journeys.entries()) {
      const { id } = await makeJourney(admin, { name: String(index), trigger, steps: of })
      expectStatus(await setStatus(admin, id, 'active'), 200)
      const profileOf = (name: string) => this.#profiles.get(name) ?? ''
      this.#journeys.push({ id, model: new JourneyModel(id, { steps: of, trigger, now: ctx.clock.ms(), profileOf }) })
    }
    this.#checkedAt = await this.#lastCheck()
  }

  /** The checks of later histories are not of this one. */
  async end(): Promise<void> {
    const admin = await this.#signedIn()
    for (const id of [this.#clockwork, ...this.#journeys.map((one) => one.id)]) expectStatus(await setStatus(admin, id, 'draft'), 200)
  }

  async act(act: Act): Promise<void> {
    if (act.kind === 'tick') return this.#tick(act)
    if (act.kind === 'plan') return this.#setPlan(act.user, act.plan)
    if (act.kind === 'birthday') {
      // That day, in whatever year it was.
      this.#birthdays.set(act.user, `1988-${toClock(ctx.clock.ms() + act.days * 86_400_000, 'Asia/Riyadh').slice(5, 10)}`)
      return this.#setPlan(act.user, this.#plans.get(act.user) ?? '')
    }
    if (act.kind === 'event') {
      // A device is known for a day.
      await this.#setPlan(act.user, this.#plans.get(act.user) ?? '')
      await track(this.#ws.app, act.user, [{ type: EVENTS[act.eventType], blockKey: 'promo' }])
      for (const { model } of this.#journeys) model.happen(act.user, act.eventType)
      return
    }
    const { id, model } = this.#journeys[act.journey]!
    const admin = await this.#signedIn()
    if (act.kind === 'enroll') {
      const answer = await admin.post(`/journeys/${id}/enroll`, { userIds: act.users })
      expectStatus(answer, model.isActive ? 200 : 409)
      if (!model.isActive) return
      const enteredAt = await this.#lastEntry(id)
      for (const name of act.users) model.enter(name, enteredAt)
      return
    }
    if (act.kind !== 'edit') return this.#setActive(admin, id, model, act.kind === 'resume')
    const wasActive = model.isActive
    await this.#setActive(admin, id, model, false)
    expectStatus(await admin.put(`/journeys/${id}`, { steps: act.steps }), 200)
    model.edit(act.steps)
    await this.#setActive(admin, id, model, wasActive)
  }

  /** What the engine has is what the model has. */
  async expectSame(told: string): Promise<void> {
    for (const { id, model } of this.#journeys) assert.deepEqual(await this.#stored(id), model.told(), told)
  }

  async #setActive(admin: Client, id: string, model: JourneyModel, isActive: boolean): Promise<void> {
    if (model.isActive === isActive) return
    expectStatus(await setStatus(admin, id, isActive ? 'active' : 'paused'), 200)
    model.setActive(isActive, ctx.clock.ms())
  }

  async #setPlan(name: string, plan: string): Promise<void> {
    const birthday = this.#birthdays.get(name)
    await identify(this.#ws.app, name, name, { traits: { plan, ...(birthday !== undefined && { born: birthday }) } })
    this.#plans.set(name, plan)
    this.#signs.set(name, (await personRow(ctx, this.#ws.id, name))?.last_active_at?.getTime() ?? 0)
  }

  /** A check, and another when the first died as long ago as a lease lasts. */
  async #tick({ minutes, diesAt }: Extract<Act, { kind: 'tick' }>): Promise<void> {
    ctx.clock.advance(minutes * 60)
    this.#minutes += minutes
    if (diesAt !== undefined) {
      let isDead = false
      ctx.faults.watch((point) => {
        isDead ||= point === `journeys: ${diesAt}`
        if (isDead && point.startsWith('journeys: ')) throw new Error(`dead at ${point}`)
      })
      await operator.post('/test-hooks/jobs', { job: 'journeys' })
      ctx.faults.watch(() => undefined)
      await this.#follow()
      ctx.clock.advance(LEASE_SECONDS)
    }
    await check(operator)
    await this.#follow()
  }

  async #follow(): Promise<void> {
    const checkedAt = await this.#lastCheck()
    if (checkedAt === this.#checkedAt) return
    for (const { model } of this.#journeys) model.check({ plans: this.#plans, birthdays: this.#birthdays, signs: this.#signs }, checkedAt)
    this.#checkedAt = checkedAt
  }

  async #lastCheck(): Promise<number> {
    const { read_until } = await ctx.db
      .selectFrom('journeys')
      .select('read_until')
      .where('workspace_id', '=', this.#ws.id)
      .where('id', '=', this.#clockwork)
      .executeTakeFirstOrThrow()
    return read_until?.getTime() ?? 0
  }

  async #lastEntry(id: string): Promise<number> {
    const { at } = await ctx.db
      .selectFrom('journey_runs')
      .select((select) => select.fn.max('entered_at').as('at'))
      .where('workspace_id', '=', this.#ws.id)
      .where('journey_id', '=', id)
      .executeTakeFirstOrThrow()
    return at?.getTime() ?? 0
  }

  async #signedIn(): Promise<Client> {
    if (this.#admin && this.#minutes - this.#signedInAt < SESSION_MINUTES) return this.#admin
    this.#signedInAt = this.#minutes
    return (this.#admin = await this.#ws.signIn())
  }

  async #stored(id: string): Promise<Told> {
    const ws = this.#ws
    const runs = await sql<{
      name: string
      step: string | null
      is_waiting: boolean
      status: string
      reason: string | null
      due_at: Date | null
    }>`
      select p.user_id as name, r.step, r.is_waiting, r.status, r.reason, r.due_at from journey_runs r
      join profiles p on p.workspace_id = ${ws.id} and p.id = r.profile_id
      where r.workspace_id = ${ws.id} and r.journey_id = ${id} order by 1`.execute(ctx.db)
    const sent = await sql<{ line: string }>`
      select m.step_id || ' in_app ' || p.user_id as line from in_app_messages m
      join profiles p on p.workspace_id = ${ws.id} and p.id = m.profile_id
      where m.workspace_id = ${ws.id} and m.journey_id = ${id}
      union all
      select d.step || ' send ' || p.user_id from dispatches d
      join sends s on s.workspace_id = ${ws.id} and s.dispatch_id = d.id
      join profiles p on p.workspace_id = ${ws.id} and p.id = s.profile_id
      where d.workspace_id = ${ws.id} and d.source = 'journey' and d.source_id = ${id}`.execute(ctx.db)
    return {
      runs: Object.fromEntries(
        runs.rows.map((row) => [row.name, [row.step, row.is_waiting, row.status, row.reason, row.due_at && row.due_at.getTime()]]),
      ),
      sent: sent.rows.map(({ line }) => line).toSorted(),
      entered: Object.fromEntries([...(await countEntered(ctx.db, ws.id, id))].map(([step, { entered }]) => [step, entered])),
    }
  }
}

async function follow({ journeys, acts }: { journeys: Planned[]; acts: Act[] }): Promise<void> {
  const history = await History.begin(journeys)
  for (const act of acts) {
    await history.act(act)
    await history.expectSame(JSON.stringify(act))
  }
  await history.end()
}

test('M-JRN-11 M-JRN-12 M-JRN-13 M-JRN-14 G-57 whatever happens, the engine does what the pure loop does, at the same check', async () => {
  await fc.assert(fc.asyncProperty(histories(fc.constant(undefined)), follow), { numRuns: ROUNDS })
})

test('M-JRN-11 M-JRN-12 G-66 also where the check dies between its steps and is gone on with', async () => {
  await fc.assert(fc.asyncProperty(histories(fc.option(fc.constantFrom(...POINTS), { nil: undefined })), follow), { numRuns: ROUNDS })
})
