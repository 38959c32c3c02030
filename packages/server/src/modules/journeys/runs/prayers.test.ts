/** A wait until after a prayer: in the engine, tried out, in the document of the workspace, and what is refused. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { advance as advanceRun, beginRun } from '@contentflow/core/journeys/advance.ts'
import type { Step } from '@contentflow/core/journeys/journey.ts'
import { NOBODY } from '@contentflow/core/targeting/subject.ts'
import { momentOf } from '@contentflow/core/calendar/zoned-time.ts'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import * as journeys from '../../../../test/builders/journeys.ts'
import { enroll, IN_APP, makeJourney, runsOf, startJourney } from '../../../../test/builders/journeys.ts'
import { workspaceOverTime } from '../../../../test/builders/events.ts'
import { addPeople } from '../../../../test/builders/sends.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { compile } from '../compile.ts'

const app = await startApp()
const { workspace, advance, operator, ctx } = app
const check = () => journeys.check(operator)

const MINUTE = 60_000
const RIYADH = { latitude: 24.713552, longitude: 46.675297 }
const ISHA = { id: 'isha', type: 'wait_until', afterPrayer: 'isha', minutesAfter: 20, ...RIYADH }
const PRAYERS = ['fajr', 'dhuhr', 'asr', 'maghrib', 'isha'] as const
type City = { zone: string; latitude: number; longitude: number; rows: string[] }
const { cities } = JSON.parse(readFileSync(new URL('../../calendar/published-times.json', import.meta.url), 'utf8')) as {
  cities: Record<string, City>
}

const sentTo = async ({ id }: Workspace) =>
  (await ctx.db.selectFrom('in_app_messages').select('profile_id').where('workspace_id', '=', id).execute()).length

/** When somebody who comes to this step at this moment goes on. */
function leftAt(step: Step, now: number): number {
  const steps = [step]
  const { run } = advanceRun(compile('j', steps), beginRun(steps, now), { id: 'p', subject: NOBODY }, now, now + 1)
  return run.dueAt ?? Number.NaN
}

test('G-57 M-JRN-12 the engine holds who waits for a prayer until after it, says so, and a test run tells the same minute', async () => {
  const ws = await workspaceOverTime(app)
  await addPeople(ws, ['U'])
  const steps = [ISHA, { ...IN_APP, id: 'then' }]
  const id = await startJourney(ws, { steps })
  await enroll(ws, id, ['U'])
  await check()
  const [{ step, waiting, dueAt, enteredAt }] = await runsOf(ws, id)
  assert.deepEqual([step, waiting], ['isha', true])
  const due = Date.parse(dueAt)
  const day = (ms: number) => new Date(ms + 3 * 3_600_000).toISOString().slice(11, 16)
  assert.ok(day(due) > '18:30' && day(due) < '21:30', `the evening of Riyadh, by its clocks: ${dueAt}`)
  const explained = expectStatus(await ws.admin.get(`/journeys/${id}/explain?userId=U`), 200).data
  assert.deepEqual([explained.because, explained.run.dueAt], ['waits_for_prayer', dueAt])
  const tried = expectStatus(await ws.admin.post(`/journeys/${id}/test-run`, { userIds: ['U'], days: 2 }), 200).data.timelines[0].moments
  assert.deepEqual(
    tried.map(({ step: at, did }: any) => [at, did]),
    [
      ['isha', 'began_wait'],
      ['isha', 'waited'],
      ['then', 'sent'],
    ],
  )
  assert.ok(Math.abs(Date.parse(enteredAt) + tried[1].minute * MINUTE - due) <= 2 * MINUTE)
  await advance(Math.floor((due - ctx.clock.ms()) / 1_000) - 45)
  await check()
  assert.equal(await sentTo(ws), 0, 'not early')
  await advance(60)
  await check()
  assert.equal(await sentTo(ws), 1)
  assert.equal((await runsOf({ admin: await ws.signIn() }, id))[0].status, 'completed')
})

test('G-57 G-71 nobody goes on before the printed time and its tolerance, nor long after it: in Saudi cities, in Ramadan too', () => {
  for (const name of ['Makkah', 'Madinah', 'Riyadh', 'Jeddah']) {
    const { rows, zone, latitude, longitude } = cities[name]!
    assert.ok(rows.length >= 12, name)
    for (const row of rows) {
      const [day, ...printed] = row.split(' ')
      for (const [index, afterPrayer] of PRAYERS.entries()) {
        const at = momentOf(`${day} ${printed[index]}:00`, zone)!.getTime()
        const step = { id: 's', type: 'wait_until', afterPrayer, minutesAfter: 30, latitude, longitude } as const
        // Also who comes between the prayer and the end of the wait.
        for (const from of [at - 300 * MINUTE, at, at + 29 * MINUTE]) {
          const behind = (leftAt(step, from) - at) / MINUTE - 30
          assert.ok(behind >= 1 && behind <= 3, `${name}, ${day}, ${afterPrayer}: ${behind} minutes behind`)
        }
      }
    }
  }
})

test('G-57 G-71 at every place and day that a step may name a wait ends within a day and three quarters of an hour', () => {
  for (const latitude of [-65, -33, 0, 24.7, 51.5, 65])
    for (const longitude of [-180, -97, 0, 46.7, 179.9])
      for (let now = Date.parse('2026-01-01T05:17:00Z'); now < Date.parse('2027-01-01'); now += 109 * 3_600_000)
        for (const afterPrayer of PRAYERS) {
          const step = { id: 's', type: 'wait_until', afterPrayer, minutesAfter: 180, latitude, longitude } as const
          const hours = (leftAt(step, now) - now) / 3_600_000
          assert.ok(hours > 0 && hours < 24.75, `${latitude}, ${longitude}, ${new Date(now).toISOString()}, ${afterPrayer}: ${hours} hours`)
        }
})

test('G-57 what such a step says is held, changed, versioned and carried by the document of the workspace', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  const { id, steps } = await makeJourney(ws.admin, { name: 'After prayer', steps: [ISHA] })
  assert.deepEqual(steps, [ISHA])
  const put = async (step: object) => expectStatus(await ws.admin.put(`/journeys/${id}`, { steps: [step] }), 200).data.steps[0]
  const { minutesAfter: _, id: __, ...short } = ISHA
  assert.deepEqual(await put(short), { ...ISHA, minutesAfter: 0 }, 'without an id it is the step at its place')
  const hour = { id: 'isha', type: 'wait_until', hour: 9, zone: 'Asia/Riyadh' }
  assert.deepEqual(await put(hour), hour)
  assert.deepEqual(await put(ISHA), ISHA)
  const versions = expectStatus(await ws.admin.get(`/journeys/${id}/versions`), 200).data.versions
  assert.deepEqual(versions[0].changes.steps, [{ step: 'isha', type: 'wait_until', change: 'changed' }])
  const code = expectStatus(await ws.admin.get('/workspace/code?only=journeys'), 200).data
  assert.deepEqual(code.journeys[0].steps, [ISHA])
  const { version } = expectStatus(await other.admin.post('/workspace/code/plan', { document: code }), 200).data
  expectStatus(await other.admin.post('/workspace/code/apply', { document: code, version }), 200)
  const [carried] = expectStatus(await other.admin.get('/journeys'), 200).data.journeys
  assert.deepEqual(carried.steps, [ISHA])
})

test('G-57 another prayer, minutes or place than there is, and an hour beside a prayer, are refused by name', async () => {
  const ws = await workspace()
  const wrong: [part: object, says: string][] = [
    [{ afterPrayer: 'jumuah' }, 'steps[0].afterPrayer must be one of fajr, dhuhr, asr, maghrib, isha'],
    [{ minutesAfter: 181 }, 'steps[0].minutesAfter must be a whole number from 0 to 180'],
    [{ latitude: 69.6 }, 'steps[0].latitude must be a number of degrees, -65 to 65; beyond there are days without sunrise'],
    [{ longitude: undefined }, 'steps[0].longitude must be a number of degrees, -180 to 180'],
    [{ hour: 9, zone: 'UTC' }, 'steps[0] waits until an hour or until after a prayer: send hour or afterPrayer, not both'],
  ]
  for (const [part, says] of wrong) {
    const steps = [{ ...ISHA, ...part }]
    const answer = await ws.admin.post('/journeys', { name: 'n', trigger: { type: 'manual' }, steps })
    assert.equal(expectStatus(answer, 400).body.error, says)
  }
  assert.deepEqual((await ws.admin.get('/journeys')).data.journeys, [])
})
