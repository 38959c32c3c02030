import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace } = await startApp()

const SOURCE = 'Hi {name}, {count, plural, one {# order} other {# orders}}'
const GOOD = 'أهلا {name}، {count, plural, zero {لا طلبات} one {طلب} two {طلبان} few {# طلبات} many {# طلبا} other {# طلب}}'
const BROKEN = 'أهلا {nom}، {count, plural, one {طلب} other {# طلب}}'

async function workspaceWith(text: string): Promise<Workspace> {
  const ws = await workspace()
  expectStatus(await ws.admin.post('/locales', { code: 'ar' }), 201)
  expectStatus(await ws.write.post('/strings/sync', { strings: [{ key: 'k', sourceText: SOURCE, values: { ar: text } }] }), 200)
  return ws
}

const listed = async (ws: Workspace) => expectStatus(await ws.admin.get('/strings?locale=ar'), 200).data.strings[0].translations.ar
const served = async (ws: Workspace) => expectStatus(await ws.app.get('/strings?locale=ar'), 200).data.strings.k
const path = '/strings/k/translations/ar'

test('G-39 what is wrong with placeholders is told in the list and with the string, and stops no sync', async () => {
  const ws = await workspaceWith(BROKEN)
  assert.equal(await served(ws), BROKEN, 'a pipeline is not refused')
  const { status, warnings } = await listed(ws)
  assert.equal(status, 'ok')
  assert.deepEqual(
    warnings.map(({ code, placeholder, isBreaking }: any) => [code, placeholder, isBreaking]),
    [
      ['missing_placeholder', '{name}', true],
      ['extra_placeholder', '{nom}', true],
      ['missing_plural', '{count, plural}', false],
    ],
  )
  assert.match(warnings[2].message, /zero, two, few, many/)
  assert.deepEqual(expectStatus(await ws.admin.get('/strings/k'), 200).data.translations.ar.warnings, warnings)
  assert.deepEqual((await listed(await workspaceWith(GOOD))).warnings, [])
})

test('G-39 approving a translation with broken placeholders is refused with their names, unless it is forced', async () => {
  const ws = await workspaceWith(GOOD)
  expectStatus(await ws.admin.put(path, { text: BROKEN }), 200)
  for (const body of [{}, { text: BROKEN }, { force: false }]) {
    const refused = expectStatus(await ws.admin.post(`${path}/approve`, body), 409)
    assert.equal(refused.body.code, 'PLACEHOLDER_MISMATCH')
    assert.match(refused.body.error, /\{name\} from the source text is missing/)
  }
  assert.equal((await listed(ws)).status, 'review')
  assert.equal(await served(ws), SOURCE)
  expectStatus(await ws.admin.post(`${path}/approve`, { force: 'yes' }), 400)
  expectStatus(await ws.admin.post(`${path}/approve`, { text: 'أهلا {name' }), 409)
  expectStatus(await ws.admin.post(`${path}/approve`, { force: true }), 200)
  assert.equal(await served(ws), BROKEN)
  expectStatus(await ws.admin.post(`${path}/approve`, { text: GOOD }), 200)
  assert.equal(await served(ws), GOOD)
})

test('C-STR-36 placeholders that are only worth a warning stop no approval', async () => {
  const ws = await workspaceWith(GOOD)
  const fewForms = 'أهلا {name}، {count, plural, one {طلب} other {# طلب}} <b>'
  expectStatus(await ws.admin.post(`${path}/approve`, { text: fewForms }), 200)
  assert.equal(await served(ws), fewForms)
})

test('G-39 of many approvals those with broken placeholders are told and wait, unless they are forced', async () => {
  const ws = await workspaceWith(GOOD)
  expectStatus(await ws.write.post('/strings/sync', { strings: [{ key: 'good', sourceText: 'Hello' }] }), 200)
  expectStatus(await ws.admin.put(path, { text: BROKEN }), 200)
  expectStatus(await ws.admin.put('/strings/good/translations/ar', { text: 'أهلا' }), 200)
  const body = { locale: 'ar', keys: ['k', 'good'] }
  assert.deepEqual(expectStatus(await ws.admin.post('/strings/approve', body), 200).data, {
    approved: ['good'],
    alreadyApproved: [],
    missing: [],
    unknown: [],
    mismatched: [{ key: 'k', message: '{name} from the source text is missing' }],
  })
  assert.equal(await served(ws), SOURCE)
  expectStatus(await ws.admin.post('/strings/approve', { ...body, force: 1 }), 400)
  assert.deepEqual(expectStatus(await ws.admin.post('/strings/approve', { ...body, force: true }), 200).data.approved, ['k'])
  assert.equal(await served(ws), BROKEN)
})
