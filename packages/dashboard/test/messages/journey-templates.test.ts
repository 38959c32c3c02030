/** Every journey to start from is a whole draft, in both languages, that people walk through to its end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listSteps, type Journey } from '@contentflow/core/journeys/journey.ts'
import { listenedTypes } from '@contentflow/core/journeys/hearing.ts'
import { addPeople } from '../../../server/test/builders/sends.ts'
import { expectStatus } from '../../../server/test/builders/builders.ts'
import { startApp } from '../../../server/test/harness/start-app.ts'
import { makeTemplate, TEMPLATES } from '../../src/modules/journeys/templates/templates.ts'

const { workspace } = await startApp()
const ws = await workspace()
await addPeople(ws, ['sara'])
const LOCALES = [
  { code: 'en', name: 'English', source: true, rtl: false },
  { code: 'ar', name: 'العربية', source: false, rtl: true },
] as unknown as Parameters<typeof makeTemplate>[2]
/** What the events of the templates say. */
const PROPERTIES = { cartId: 'C1', bookingId: 'B1', productId: 'P1', productName: 'Lamp', price: 80 }

for (const template of TEMPLATES.filter((each) => each !== 'blank'))
  test(`the template ${template} is a whole draft, and trying it out comes to an end whatever happens`, async () => {
    const journey: Journey = makeTemplate(template, template, LOCALES)
    const made = expectStatus(await ws.admin.post('/journeys', journey), 201).data
    assert.deepEqual([made.incomplete, made.status, made.trigger], [false, 'draft', journey.trigger])
    for (const step of listSteps(journey.steps))
      if ('content' in step) assert.deepEqual(Object.keys(step.content), ['en', 'ar'], `${template}: ${step.id}`)
    const walk = async (events: object[]) => {
      const isBegun = journey.trigger.type === 'custom_event'
      const body = { userIds: ['sara'], days: 90, events, ...(isBegun && { begin: { properties: PROPERTIES } }) }
      const { timelines } = expectStatus(await ws.admin.post(`/journeys/${made.id}/test-run`, body), 200).data
      assert.equal(timelines.length, 1)
      assert.notEqual(timelines[0].status, 'active', `${template} does not end`)
      const reasons = timelines[0].moments.flatMap(({ reason }: { reason?: string }) => reason ?? [])
      assert.ok(!reasons.includes('unresolvedToken') && !reasons.includes('noContent'), `${template}: ${reasons}`)
      return timelines[0]
    }
    const quiet = await walk([])
    assert.ok(quiet.moments.length > 0)
    // Each event it listens to, on its own.
    for (const event of listenedTypes(journey)) await walk([{ event, properties: PROPERTIES, afterMinutes: 30 }])
  })
