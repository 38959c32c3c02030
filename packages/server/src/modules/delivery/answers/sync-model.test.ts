/** Random content, devices and times against a model of the delivery rules that shares no code with the server. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { insertDevice } from '../../../../test/builders/devices.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, ctx, advance, operator } = await startApp()

/** Times are counted in steps this long, far longer than a run takes. */
const STEP_SECONDS = 1_000

type Texts = Record<string, string>
type Instance = {
  id: string
  key: string
  publishedAt: string
  status: 'draft' | 'live' | 'test'
  seg: string | null
  priority: number
  /** Steps; the schedule's edges lie on whole steps, the questions between them. */
  from: number | null
  to: number | null
  values: Texts
  translations: Record<string, Texts>
  variants: { id: string; weight: number; values: Texts }[]
}
type Device = { id: string; consent: 'granted' | 'denied' | 'unknown'; segments: string[]; environment: 'live' | 'test'; lapsesAt: number }
type Question = { environment: 'live' | 'test'; device: Device | undefined; deviceId: string | undefined; locale: string; at: number }

// --- the model ---

function expectedBlocks(instances: Instance[], question: Question) {
  return instances
    .filter((instance) => isPublishedFor(instance, question) && isOnAir(instance, question.at) && reaches(instance, question))
    .sort((a, b) => b.priority - a.priority || a.publishedAt.localeCompare(b.publishedAt) || (a.id < b.id ? -1 : 1))
    .map((instance) => ({
      key: instance.key,
      instanceId: instance.id,
      segment: isForEveryone(instance) ? undefined : instance.seg,
      values: valuesFor(instance, question),
    }))
}
const isPublishedFor = ({ status }: Instance, { environment }: Question) =>
  status === 'live' || (status === 'test' && environment === 'test')
const isOnAir = ({ from, to }: Instance, at: number) => (from === null || from < at) && (to === null || at < to)
const isForEveryone = ({ seg }: Instance) => seg === null || seg === '' || seg === 'All users'
function reaches(instance: Instance, { device, environment, at }: Question): boolean {
  if (isForEveryone(instance)) return true
  if (!device || device.consent !== 'granted' || device.environment !== environment || at >= device.lapsesAt) return false
  return device.segments.includes(instance.seg ?? '')
}
function valuesFor(instance: Instance, { locale, deviceId }: Question): Texts {
  const values = { ...instance.values }
  const words = locale.toLowerCase().split('-')
  for (let length = 1; length <= words.length; length++) {
    const wanted = words.slice(0, length).join('-')
    for (const [code, texts] of Object.entries(instance.translations)) if (code.toLowerCase() === wanted) Object.assign(values, texts)
  }
  return Object.assign(values, deviceId === undefined ? {} : variantFor(instance, deviceId))
}
function variantFor({ id, variants }: Instance, deviceId: string): Texts {
  const drawn = variants.flatMap((variant) => Array.from({ length: variant.weight }, () => variant.values))
  if (drawn.length === 0) return {}
  return drawn[createHash('sha256').update(`${deviceId}:${id}`).digest().readUInt32BE(0) % drawn.length] ?? {}
}

// --- the generators ---

const SEGMENTS = ['Gold', 'gold', 'VIP', 'خاص', 'All users']
const LOCALES = ['en', 'ar', 'ar-SA', 'zh', 'zh-Hant']
const ASKED = ['en', 'en-GB', 'ar', 'AR-sa', 'ar-EG', 'zh-Hant-TW', 'zh-Hans', 'fr']
const TAGS = ['#title', '#body']

const texts = fc.dictionary(
  fc.constantFrom(...TAGS),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }).filter((text) => !/[\r\n\0]/.test(text)),
)
const steps = fc.integer({ min: 1, max: 4 })
const anInstance = fc
  .record({
    key: fc.constantFrom('alpha', 'beta'),
    status: fc.constantFrom('draft' as const, 'live' as const, 'live' as const, 'test' as const),
    seg: fc.constantFrom(null, '', ...SEGMENTS),
    priority: fc.integer({ min: -1, max: 1 }),
    from: fc.option(steps, { freq: 2 }),
    to: fc.option(steps, { freq: 2 }),
    values: texts,
    translations: fc.dictionary(
      fc.constantFrom(...LOCALES),
      texts.filter((some) => Object.keys(some).length > 0),
    ),
    variants: fc
      .array(fc.record({ weight: fc.integer({ min: 0, max: 3 }), values: texts }), { maxLength: 3 })
      .map((list) => (list.some(({ weight }) => weight > 0) ? list.map((variant, index) => ({ id: `v${index}`, ...variant })) : [])),
  })
  .filter(({ from, to }) => from === null || to === null || from < to)
const aDevice = fc.record({
  consent: fc.constantFrom('granted' as const, 'granted' as const, 'denied' as const, 'unknown' as const),
  segments: fc.subarray(SEGMENTS),
  environment: fc.constantFrom('live' as const, 'test' as const),
  lapsesAt: fc.integer({ min: 1, max: 6 }),
})
const aQuestion = fc.record({
  environment: fc.constantFrom('live' as const, 'test' as const),
  /** An index into the devices; one past the end is a device nobody knows, -1 sends no device. */
  device: fc.integer({ min: -1, max: 4 }),
  locale: fc.constantFrom(...ASKED),
})

// --- the run ---

/** Stores everything through one manifest; ids and times of publication are read back. */
async function store(ws: Workspace, plans: Omit<Instance, 'id' | 'publishedAt'>[]): Promise<Instance[]> {
  const start = ctx.clock.ms()
  const timeOf = (step: number | null) => (step === null ? undefined : new Date(start + step * STEP_SECONDS * 1000).toISOString())
  const fields = TAGS.map((tag) => ({ id: `f_${tag}`, tag, type: 'text' }))
  const blocks = ['alpha', 'beta'].map((key) => ({
    key,
    fields,
    instances: plans
      .map((plan, index) => ({ ...plan, externalId: `x${index}`, schedule: { startTime: timeOf(plan.from), endTime: timeOf(plan.to) } }))
      .filter((plan) => plan.key === key),
  }))
  const report = expectStatus(await ws.write.post('/cards/sync', { blocks }), 200).data
  assert.deepEqual([report.errors, report.instances.created], [[], plans.length])
  const stored = new Map<string, any>()
  for (const key of ['alpha', 'beta'])
    for (const each of (await ws.admin.get(`/blocks/${key}/instances?limit=200`)).data.instances) stored.set(each.externalId, each)
  return plans.map((plan, index) => {
    const { id, updatedAt } = stored.get(`x${index}`)
    return { ...plan, id, publishedAt: updatedAt }
  })
}

const byKey = (blocks: any[], key: string) =>
  blocks
    .filter((block) => block.key === key)
    .map((block) => ({ key: block.key, instanceId: block.instanceId, segment: block.segment, values: block.values }))

test('C-SYNC-05 C-SYNC-10 C-SYNC-11 C-SYNC-13..20 C-SYNC-03 C-SYNC-04 what random devices get at random times is what the rules say, and a 304 exactly when nothing changed', async () => {
  const plan = fc.record({
    instances: fc.array(anInstance, { maxLength: 10 }),
    devices: fc.array(aDevice, { maxLength: 4 }),
    questions: fc.array(aQuestion, { minLength: 1, maxLength: 8 }),
  })
  await fc.assert(
    fc.asyncProperty(plan, async ({ instances: plans, devices: deviceInputs, questions }) => {
      const ws = await workspace()
      expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
      const devices: Device[] = deviceInputs.map((input, index) => ({ ...input, id: `${ws.id}-device-${index}` }))
      for (const { id, lapsesAt, ...input } of devices)
        await insertDevice(ctx, ws.id, id, { ...input, livesSeconds: lapsesAt * STEP_SECONDS })
      const instances = await store(ws, plans)
      const known = questions.map(() => ({ etag: '', text: '' }))
      // From half a step on, so that no question falls on an edge.
      await advance(STEP_SECONDS / 2)
      for (let at = 0.5; at < 6; at++) {
        for (const [index, { environment, device: which, locale }] of questions.entries()) {
          const deviceId = which === -1 ? undefined : `${ws.id}-device-${which}`
          const question: Question = { environment, device: devices[which], deviceId, locale, at }
          const headers = {
            'x-cf-key': environment === 'live' ? ws.live : ws.test,
            ...(deviceId !== undefined && { 'x-cf-device': deviceId }),
          }
          const client = ws.sdk(headers)
          const fresh = expectStatus(await client.get(`/sync?locale=${locale}`), 200)
          const expected = expectedBlocks(instances, question)
          for (const key of ['alpha', 'beta']) {
            assert.deepEqual(byKey(fresh.data.blocks, key), byKey(expected, key))
            const single = expectStatus(await client.get(`/blocks/${key}?locale=${locale}`), 200).data
            assert.deepEqual(single.visible ? byKey(single.instances, key) : [], byKey(expected, key))
          }
          const before = known[index]!
          const again = await client.get(`/sync?locale=${locale}`, { headers: { 'if-none-match': before.etag } })
          assert.equal(again.status === 304, before.text === fresh.text)
          known[index] = { etag: fresh.headers.get('etag') ?? '', text: fresh.text }
        }
        await advance(STEP_SECONDS)
      }
    }),
    { numRuns: 30 },
  )
})
