/**
 * Random histories of a catalog against a small model: after every call the answer, and what clients are sent in each
 * language, are as the model says. The seed of a failing history is in its error; `fc.assert(..., {seed, path})` repeats it.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertProperty } from '../../../test/harness/assert-property.ts'
import { expectStatus, type Answer, type Workspace } from '../../../test/builders/builders.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { addLocales, catalog } from '../../../test/builders/strings.ts'
import { StringsModel, type Act } from '../../../test/histories/strings-model.ts'

const { workspace, operator, fault } = await startApp()

const key = fc.constantFrom('a', 'b', 'c')
const locale = fc.constantFrom('ar', 'ar-SA')
const text = fc.constantFrom('x', 'y', 'z')
const row = fc.record(
  {
    key,
    sourceText: fc.constantFrom('S1', 'S2', ''),
    values: fc.dictionary(fc.constantFrom('ar', 'ar-SA', 'en'), fc.constantFrom('x', 'y', ''), { noNullPrototype: true }),
  },
  { requiredKeys: ['key'] },
)
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('sync' as const), rows: fc.array(row, { minLength: 1, maxLength: 4 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('disable' as const, 'sensor' as const), key }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constantFrom('source' as const, 'save' as const, 'approve-text' as const), key, locale, text }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('visibility' as const), key, isHidden: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('approve' as const), key, locale }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('fault' as const), rows: fc.array(fc.record({ key, sourceText: text }), { minLength: 1 }) }),
  },
)

async function send(ws: Workspace, step: Act): Promise<Answer> {
  const { admin, write } = ws
  if (step.kind === 'sync') return write.post('/strings/sync', { strings: step.rows })
  if (step.kind === 'fault') {
    await fault('localization', true)
    const answer = await write.post('/strings/sync', { strings: step.rows })
    await fault('localization', false)
    return answer
  }
  const path = `/strings/${step.key}`
  if (step.kind === 'disable') return write.post('/strings/disable', { keys: [step.key] })
  if (step.kind === 'sensor') return admin.put(`${path}/sensor`, { enabled: true })
  if (step.kind === 'source') return admin.put(path, { sourceText: step.text })
  if (step.kind === 'visibility') return admin.put(path, { hidden: step.isHidden })
  const translation = `${path}/translations/${step.locale}`
  if (step.kind === 'save') return admin.put(translation, { text: step.text })
  return admin.post(`${translation}/approve`, step.kind === 'approve' ? {} : { text: step.text })
}

test('C-STR-36..C-STR-43 M-STRS-08 M-STRS-12..M-STRS-21 a text is delivered exactly when it is approved, after every history', async () => {
  await assertProperty(
    [fc.array(act, { minLength: 5, maxLength: 25 })],
    async (acts) => {
      const ws = await workspace()
      expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
      await addLocales(ws, 'ar', 'ar-SA')
      const model = new StringsModel()
      for (const step of acts) {
        const told = JSON.stringify(step)
        assert.equal((await send(ws, step)).status, model.apply(step), told)
        for (const [tag, chain] of [
          ['ar', ['ar']],
          ['ar-SA', ['ar-SA', 'ar']],
          ['en', []],
        ] as const) {
          const { strings, smartKeys, withheldKeys } = await catalog(ws, tag)
          assert.deepEqual({ strings, smartKeys, withheldKeys }, model.catalog(chain), `${tag} after ${told}`)
        }
      }
    },
    { numRuns: 30, interruptAfterTimeLimit: 15_000 },
  )
})
