/** People who are taken by a date of theirs, year after year. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { momentOf } from '@contentflow/core/calendar/zoned-time.ts'
import { expectStatus, type Client } from '../../../../test/builders/builders.ts'
import { track, workspaceOverTime } from '../../../../test/builders/events.ts'
import * as journeys from '../../../../test/builders/journeys.ts'
import { enroll, IN_APP, makeJourney, runsOf, setStatus, wait } from '../../../../test/builders/journeys.ts'
import { erase, identify } from '../../../../test/builders/people.ts'
import { addPeople, openPush } from '../../../../test/builders/sends.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const app = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const { operator, ctx } = app

const RIYADH = 'Asia/Riyadh'
const HOUR = 3_600
const SEND = { type: 'send', channel: 'push', content: { en: { title: 'Happy birthday' } } }
const nextYear = () => new Date(ctx.clock.ms()).getUTCFullYear() + 1

async function check() {
  await journeys.check(operator)
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
}

/** A workspace, and a journey for the trait `birthday` in it. */
async function greeting(more: object = {}, body: object = {}) {
  const ws = await workspaceOverTime(app)
  const trigger = { type: 'date', trait: 'birthday', ...more }
  const { id } = await makeJourney(ws.admin, { name: 'Birthday', trigger, steps: [IN_APP], ...body })
  expectStatus(await setStatus(ws.admin, id, 'active'), 200)
  const born = (userId: string, birthday: unknown) => identify(ws.app, `D-${userId}`, userId, { traits: { birthday } })
  /** Every date of each run, and every message, by person. */
  const greeted = async () => {
    const rows = await ctx.db
      .selectFrom('in_app_messages as m')
      .innerJoin('profiles as p', (join) => join.onRef('p.workspace_id', '=', 'm.workspace_id').onRef('p.id', '=', 'm.profile_id'))
      .select('p.user_id')
      .where('m.workspace_id', '=', ws.id)
      .where('p.workspace_id', '=', ws.id)
      .where('m.journey_id', '=', id)
      .orderBy('p.user_id')
      .execute()
    return rows.map(({ user_id }) => user_id)
  }
  const admin = (): Promise<Client> => ws.signIn()
  const runs = async (userId?: string) => runsOf({ admin: await admin() }, id, userId)
  return { ws, id, born, greeted, admin, runs }
}

/** To when clocks show it, and what the minute does then. */
async function checkAt(text: string, zone = RIYADH) {
  ctx.clock.advance((momentOf(text, zone)!.getTime() - ctx.clock.ms()) / 1_000)
  await check()
}

test('M-JRN-11 G-57 a birthday is greeted at its hour, once a year, and again the next year', async () => {
  const { ws, id, born, greeted, runs, admin } = await greeting()
  await born('U', '1990-05-04')
  await born('V', '1985-05-04T23:30:00Z')
  await born('W', '1990-05-05')
  for (const [index, value] of ['04.05.1990', '1990-13-04', 19900504, 641779200000, null, ['1990-05-04'], '1990-05-04 or so'].entries())
    await born(`X${index}`, value)
  const year = nextYear()
  await checkAt(`${year}-05-04 08:59:00`)
  assert.deepEqual(await greeted(), [])
  await checkAt(`${year}-05-04 09:00:00`)
  assert.deepEqual(await greeted(), ['U', 'V'])
  await checkAt(`${year}-05-04 09:01:00`)
  await checkAt(`${year}-05-04 23:00:00`)
  assert.deepEqual(await greeted(), ['U', 'V'])
  const [run] = await runs('U')
  assert.deepEqual([run.status, run.trigger], ['completed', { type: 'date', date: `${year}-05-04` }])
  assert.deepEqual((await enroll({ ...ws, admin: await admin() }, id, ['U'])).alreadyEnrolled, ['U'])
  await checkAt(`${year}-05-05 09:00:00`)
  assert.deepEqual(await greeted(), ['U', 'V', 'W'])
  await checkAt(`${year + 1}-05-04 09:00:00`)
  assert.deepEqual(await greeted(), ['U', 'U', 'V', 'V', 'W'])
  const [again] = await runs('U')
  assert.equal(again.trigger.date, `${year + 1}-05-04`)
  assert.ok(again.enteredAt > run.enteredAt)
  const report = expectStatus(await (await admin()).get(`/journeys/${id}/report`), 200).data
  assert.deepEqual([report.entered, report.completed, report.steps[0].entered, report.steps[0].inApp.opened], [3, 3, 5, 5])
})

test('M-JRN-11 G-66 a message over a channel leaves each year, and the ledger keeps both lines', async () => {
  const push = await openPush()
  const { ws, id, born, admin } = await greeting({}, { steps: [SEND, wait(60), SEND] })
  await push.connect(ws.admin)
  for (const userId of ['U', 'V']) await born(userId, '1990-06-01')
  await addPeople(ws, ['U', 'V'], (userId) => (userId === 'V' ? { consent: { push: false } } : {}))
  const year = nextYear()
  for (const [index, at] of [year, year + 1].entries()) {
    await checkAt(`${at}-06-01 09:00:00`)
    await check()
    assert.equal(push.calls().length, index * 2 + 1)
    await checkAt(`${at}-06-01 10:00:30`)
    assert.equal(push.calls().length, index * 2 + 2)
  }
  assert.deepEqual(new Set(push.tokens()), new Set(['token-U']))
  const by = await admin()
  const { sends } = expectStatus(await by.get(`/sends?sourceId=${id}`), 200).data
  assert.deepEqual(sends.map(({ userId, state, reason }: any) => `${userId} ${state} ${reason}`).toSorted(), [
    ...Array.from({ length: 4 }, () => 'U sent null'),
    ...Array.from({ length: 4 }, () => 'V skipped noConsent'),
  ])
  const { steps } = expectStatus(await by.get(`/journeys/${id}/report`), 200).data
  assert.deepEqual(
    steps.map(({ entered, sends: of }: any) => [entered, of?.channels.push.sent, of?.channels.push.skipped]),
    [
      [4, 2, { noConsent: 2 }],
      [4, undefined, undefined],
      [4, 2, { noConsent: 2 }],
    ],
  )
})

test('G-57 29 February is 28 February in years without it', async () => {
  const { born, greeted } = await greeting()
  await born('Leap', '2000-02-29')
  await born('Day before', '2000-02-28')
  await born('Day after', '2000-03-01')
  const leap = Math.ceil((nextYear() + 1) / 4) * 4
  await checkAt(`${leap - 1}-02-28 09:00:00`)
  assert.deepEqual(await greeted(), ['Day before', 'Leap'])
  await checkAt(`${leap - 1}-03-01 09:00:00`)
  await checkAt(`${leap}-02-28 09:00:00`)
  assert.deepEqual(await greeted(), ['Day after', 'Day before', 'Day before', 'Leap'])
  await checkAt(`${leap}-02-29 09:00:00`)
  assert.deepEqual(await greeted(), ['Day after', 'Day before', 'Day before', 'Leap', 'Leap'])
})

test('G-57 days before, across the end of a year, at the hour of the zone of the workspace', async () => {
  const { ws, born, greeted, runs } = await greeting({ daysBefore: 7, hour: 0 })
  expectStatus(
    await ws.admin.put('/settings/calendar', { timeZone: 'America/New_York', firstDayOfWeek: 0, weekend: [0, 6], hijri: false }),
    200,
  )
  await born('U', '1990-01-03')
  const year = nextYear()
  await checkAt(`${year}-12-26 23:59:00`, 'America/New_York')
  assert.deepEqual(await greeted(), [])
  await checkAt(`${year}-12-27 00:00:00`, 'America/New_York')
  assert.deepEqual(await greeted(), ['U'])
  assert.equal((await runs('U'))[0].trigger.date, `${year + 1}-01-03`)
  await checkAt(`${year + 1}-01-03 00:00:00`, 'America/New_York')
  assert.deepEqual(await greeted(), ['U'])
  await checkAt(`${year + 1}-12-27 00:00:00`, 'America/New_York')
  assert.deepEqual(await greeted(), ['U', 'U'])
})

test('M-JRN-11 a date that is changed greets nobody twice in a year; one that is gone, or whose person is, greets nobody', async () => {
  const { ws, born, greeted, runs } = await greeting()
  await born('Changed', '1990-03-01')
  await born('Gone', '1990-03-01')
  await born('Erased', '1990-03-01')
  const year = nextYear()
  await checkAt(`${year}-03-01 09:00:00`)
  assert.deepEqual(await greeted(), ['Changed', 'Erased', 'Gone'])
  await born('Changed', '1990-04-01')
  await identify(ws.app, 'D-Gone', 'Gone', { traits: { plan: 'gold' } })
  expectStatus(await erase(ws.app, 'D-Erased'), 200)
  await checkAt(`${year}-04-01 09:00:00`)
  assert.deepEqual(await greeted(), ['Changed', 'Gone'])
  await checkAt(`${year + 1}-03-01 09:00:00`)
  assert.deepEqual(await greeted(), ['Changed', 'Gone'])
  await checkAt(`${year + 1}-04-01 09:00:00`)
  assert.deepEqual(await greeted(), ['Changed', 'Changed', 'Gone'])
  assert.deepEqual((await runs()).map(({ userId }) => userId).toSorted(), ['Changed', 'Gone'])
})

test('M-JRN-14 a paused journey misses the day; a check that comes within a day is not too late, one that comes later is', async () => {
  const { id, born, greeted, admin } = await greeting()
  for (const [userId, day] of [
    ['Paused', '07-01'],
    ['Late', '07-05'],
    ['Too late', '07-10'],
  ] as const)
    await born(userId, `1990-${day}`)
  const year = nextYear()
  await checkAt(`${year}-06-30 12:00:00`)
  expectStatus(await setStatus(await admin(), id, 'paused'), 200)
  await checkAt(`${year}-07-01 09:00:00`)
  ctx.clock.advance(60)
  expectStatus(await setStatus(await admin(), id, 'active'), 200)
  await check()
  assert.deepEqual(await greeted(), [])
  await checkAt(`${year}-07-05 20:00:00`)
  assert.deepEqual(await greeted(), ['Late'])
  await checkAt(`${year}-07-11 09:01:00`)
  assert.deepEqual(await greeted(), ['Late'])
  await checkAt(`${year + 1}-07-01 09:00:00`)
  assert.deepEqual(await greeted(), ['Late', 'Paused'])
})

test('G-57 everybody is looked at, in as many steps as it takes, also where a check dies between them', async () => {
  const { ws, greeted } = await greeting()
  const userIds = Array.from({ length: 2_100 }, (_, number) => `U${number}`)
  await addPeople(ws, userIds)
  await ctx.db
    .updateTable('profiles')
    .set({ traits: JSON.stringify({ birthday: '1990-05-20' }) })
    .where('workspace_id', '=', ws.id)
    .execute()
  const year = nextYear()
  let steps = 0
  ctx.faults.watch((point) => {
    if (point === 'journeys: entered' && ++steps === 2) throw new Error('dead between two steps')
  })
  await checkAt(`${year}-05-20 09:00:00`)
  ctx.faults.watch(() => undefined)
  await checkAt(`${year}-05-20 09:01:00`)
  assert.deepEqual(await greeted(), userIds.toSorted())
})

test('M-JRN-11 who is still in it at the next date stays where they are, and enters at the one after that', async () => {
  const { born, runs } = await greeting({}, { steps: [wait(400 * 24 * 60), IN_APP] })
  await born('U', '1990-08-01')
  const year = nextYear()
  await checkAt(`${year}-08-01 09:00:00`)
  const [first] = await runs('U')
  await checkAt(`${year + 1}-08-01 09:00:00`)
  const [second] = await runs('U')
  assert.deepEqual([second.enteredAt, second.dueAt, second.status], [first.enteredAt, first.dueAt, 'active'])
  await checkAt(`${year + 1}-10-01 09:00:00`)
  assert.equal((await runs('U'))[0].status, 'completed')
  await checkAt(`${year + 2}-08-01 09:00:00`)
  assert.deepEqual([(await runs('U'))[0].status, (await runs('U'))[0].trigger.date], ['active', `${year + 2}-08-01`])
})

test('G-57 the goal is counted anew for each time, of the run that is the latest', async () => {
  const { ws, id, born, admin } = await greeting({}, { goal: { eventType: 'CONVERSION', days: 3 } })
  const converted = async () => expectStatus(await (await admin()).get(`/journeys/${id}/report`), 200).data.goal.converted
  await born('U', '1990-09-01')
  const year = nextYear()
  for (const birthday of [`${year}-09-01`, `${year + 1}-09-01`]) {
    await checkAt(`${birthday} 09:00:00`)
    assert.equal(await converted(), 0)
    ctx.clock.advance(HOUR)
    await born('U', '1990-09-01')
    await track(ws.app, 'D-U', [{ type: 'purchase', blockKey: 'promo' }])
    ctx.clock.advance(60)
    await check()
    assert.equal(await converted(), 1)
  }
})

test('M-JRN-11 who was added by hand is greeted on the day; who becomes another is not greeted twice that year', async () => {
  const { ws, id, born, greeted, admin } = await greeting()
  await born('U', '1990-10-01')
  await born('V', '1990-10-01')
  await identify(ws.app, 'A', undefined, { traits: { birthday: '1990-10-01' } })
  const year = nextYear()
  await checkAt(`${year}-09-01 09:00:00`)
  await enroll({ ...ws, admin: await admin() }, id, ['U'])
  await check()
  assert.deepEqual(await greeted(), ['U'])
  await checkAt(`${year}-10-01 09:00:00`)
  assert.deepEqual(await greeted(), ['U', 'U', 'V', null])
  await identify(ws.app, 'A', 'V')
  await checkAt(`${year}-10-01 09:02:00`)
  assert.deepEqual(await greeted(), ['U', 'U', 'V', 'V'])
  await checkAt(`${year + 1}-10-01 09:00:00`)
  assert.deepEqual(await greeted(), ['U', 'U', 'U', 'V', 'V', 'V'])
})

test('M-JRN-11 of two people who become one the run of the later year stays', async () => {
  const { ws, id, runs, admin } = await greeting()
  await identify(ws.app, 'D-W', 'W')
  await identify(ws.app, 'B', undefined, { traits: { birthday: '1990-11-01' } })
  const year = nextYear()
  await checkAt(`${year}-10-01 09:00:00`)
  await enroll({ ...ws, admin: await admin() }, id, ['W'])
  await checkAt(`${year}-11-01 09:00:00`)
  assert.deepEqual(
    (await runs('W')).map(({ trigger }) => trigger.type),
    ['manual'],
  )
  await identify(ws.app, 'B', 'W')
  assert.deepEqual(
    (await runs()).map(({ userId, trigger }) => [userId, trigger.type]),
    [['W', 'date']],
  )
})

test('M-JRN-11 other triggers and hands take nobody a second time, however long ago the first was', async () => {
  const { ws, admin } = await greeting()
  const { id } = await makeJourney(await admin(), { trigger: { type: 'event', eventType: 'CTA_CLICK' }, steps: [IN_APP] })
  expectStatus(await setStatus(await admin(), id, 'active'), 200)
  const click = async () => {
    await identify(ws.app, 'D', 'U')
    await track(ws.app, 'D', [{ type: 'cta_click', blockKey: 'promo' }])
    ctx.clock.advance(60)
    await check()
  }
  await click()
  const [first] = await runsOf({ admin: await admin() }, id)
  assert.equal(first.status, 'completed')
  ctx.clock.advance(400 * 24 * HOUR)
  await click()
  assert.deepEqual(await runsOf({ admin: await admin() }, id), [first])
})

test('G-57 what the trigger may say, and what is refused', async () => {
  const { ws } = await greeting()
  const send = (trigger: object) => ws.admin.post('/journeys', { name: 'n', trigger, steps: [] })
  const made = expectStatus(await send({ type: 'date', trait: 'birthday' }), 201).data
  assert.deepEqual(made.trigger, { type: 'date', trait: 'birthday', daysBefore: 0, hour: 9 })
  for (const [more, says] of [
    [{}, 'trigger.trait must name a trait: 1 to 64 letters, digits and _'],
    [{ trait: 'birth day' }, 'trigger.trait must name a trait: 1 to 64 letters, digits and _'],
    [{ trait: '__proto__' }, 'trigger.trait must name a trait: 1 to 64 letters, digits and _'],
    [{ trait: 'b', daysBefore: -1 }, 'trigger.daysBefore must be a whole number from 0 to 90'],
    [{ trait: 'b', daysBefore: 91 }, 'trigger.daysBefore must be a whole number from 0 to 90'],
    [{ trait: 'b', hour: 24 }, 'trigger.hour must be a whole number from 0 to 23'],
    [{ trait: 'b', hour: '9' }, 'trigger.hour must be a whole number from 0 to 23'],
  ] as const)
    assert.equal(expectStatus(await send({ type: 'date', ...more }), 400).body.error, says)
  assert.equal(
    expectStatus(await send({ type: 'full_moon' }), 400).body.error,
    'trigger.type must be one of event, custom_event, inactivity, segment_entry, hijri, date, manual',
  )
})
