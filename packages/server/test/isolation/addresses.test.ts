/** Email addresses are read by one rule wherever they come from (G-86), and nothing is written to what is none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../builders/builders.ts'
import { identify, personRow } from '../builders/people.ts'
import { addPeople, openEmail } from '../builders/sends.ts'
import { startApp } from '../harness/start-app.ts'

const { ctx, workspace } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })

const MENDED = [
  'sara@example.com;',
  ' mailto:sara@example.com ,',
  '\u200bsara@example.com',
  '\u202bsara@exam\u0007ple.com\u202c',
  'sara@example.com\u200f;',
]
const NONE = ['sara@example.com)', 'sara@example.com;;', 'sara@example.com?subject=x', 'mailto:', 'sara@example.com; noura@example.com']

test('G-86 C-IDN-07 an identify stores the address that was meant, and names in one line; what is no address is left out', async () => {
  const { id, app } = await workspace()
  for (const [index, email] of MENDED.entries()) {
    await identify(app, `D${index}`, `U${index}`, { email, name: 'Sara\r\n\u202eAli' })
    const person = await personRow(ctx, id, `U${index}`)
    assert.deepEqual([person?.email, person?.name], ['sara@example.com', 'Sara Ali'], JSON.stringify(email))
  }
  for (const email of NONE) {
    await identify(app, 'N', 'N', { email })
    assert.equal((await personRow(ctx, id, 'N'))?.email, null, email)
  }
})

test('G-86 M-BULK-10 contacts and imports: what can be mended is, the rest is reported', async () => {
  const { id, admin } = await workspace()
  const contacts = [...MENDED, ...NONE].map((email, index) => ({ userId: `U${index}`, email }))
  const loaded = expectStatus(await admin.post('/users/bulk/contacts', { contacts }), 200).data
  assert.deepEqual([loaded.created, loaded.errorCount, loaded.mendedEmails], [contacts.length, NONE.length, MENDED.length])
  assert.equal((await personRow(ctx, id, 'U0'))?.email, 'sara@example.com')
  assert.equal((await personRow(ctx, id, 'U5'))?.email, null)
  expectStatus(await admin.post('/users/bulk/contacts', { contacts: [{ userId: 'One', email: 'one@example.com' }] }), 200)
  const mapping = { identity: { column: 'mail', type: 'email' }, columns: [{ column: 'tier', name: 'tier', type: 'string' }] }
  const { importId } = expectStatus(await admin.post('/enrichment/imports', { headers: ['mail', 'tier'], mapping }), 201).data
  const rows = [['mailto:One@Example.com;', 'gold'], ...NONE.map((email) => [email, 'gold'])]
  expectStatus(await admin.post(`/enrichment/imports/${importId}/rows`, { startRow: 1, rows }), 200)
  expectStatus(await admin.post(`/enrichment/imports/${importId}/match`), 202)
  await ctx.due.workOff('imports', id)
  const { counts, rejectReasons } = expectStatus(await admin.get(`/enrichment/imports/${importId}`), 200).data
  assert.deepEqual([counts.matched, rejectReasons], [1, { invalid_email: NONE.length }])
})

test('G-86 M-DISP-04 what is stored from before and is no address is not written to: noContact', async () => {
  const ws = await workspace()
  const email = await openEmail()
  await email.connect(ws.admin)
  await addPeople(ws, ['A'], () => ({ email: 'a@example.com', consent: { email: true } }))
  const send = { userId: 'A', channel: 'email', content: { title: 'Hi', body: 'x' } }
  assert.deepEqual(expectStatus(await ws.admin.post('/notifications', send), 200).data, { sent: true })
  await ctx.db.updateTable('profiles').set({ email: 'a@example.com;' }).where('workspace_id', '=', ws.id).execute()
  assert.deepEqual(expectStatus(await ws.admin.post('/notifications', send), 200).data, { sent: false, reason: 'noContact' })
})

test('G-86 an account is opened, found and signed in to by the address that was meant', async () => {
  const ws = await workspace()
  const member = { name: 'Noura', password: 'correct horse battery staple', role: 'editor' }
  const made = expectStatus(await ws.admin.post('/members', { ...member, email: 'mailto:noura@example.com;' }), 201).data
  assert.equal(made.email, 'noura@example.com')
  expectStatus(await ws.admin.post('/members', { ...member, email: '\u200b@\u200b' }), 400)
})
