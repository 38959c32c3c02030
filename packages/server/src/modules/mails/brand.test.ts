/** The brand of a workspace, from the setting to the mail that somebody reads (decision 70). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PLAIN_BRAND } from '@contentflow/core/mail/brand/brand.ts'
import { EXAMPLE } from '@contentflow/core/mail/example-mail.ts'
import { expectStatus } from '../../../test/builders/builders.ts'
import { approve, create, submit } from '../../../test/builders/campaigns.ts'
import { addPeople, openEmail } from '../../../test/builders/sends.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const app = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_PUBLIC_URL: 'https://flow.example' })
const { workspace, operator } = app

const MAIL = JSON.parse(JSON.stringify(EXAMPLE).replaceAll('"/new"', '"https://shop.example.com/new"')) as typeof EXAMPLE
const BRAND = {
  logo: { src: 'https://img.example.com/logo.png', alt: 'Example Shop', width: 120 },
  light: { primary: '#0f766e', link: '#0f766e' },
  radius: 3,
  texts: { en: { company: 'Example Shop', address: '1 Market Street', footer: 'Since 1999' } },
  social: [{ network: 'instagram', url: 'https://www.instagram.com/example' }],
}
const SAID = /Example Shop<\/p>.*1 Market Street<\/p>.*Since 1999<\/p>/
const campaign = (mail: unknown = MAIL) => ({ content: { en: { title: 'Short' } }, dispatchChannels: ['email'], mail })

test('a brand is set by admins, read by everybody, refused with its place, and taken back', async () => {
  const ws = await workspace()
  const editor = await ws.editor()
  assert.deepEqual(expectStatus(await (await ws.viewer()).get('/settings/brand'), 200).data, { brand: PLAIN_BRAND, isSet: false })
  assert.equal((await editor.put('/settings/brand', { brand: BRAND })).status, 403)
  const set = expectStatus(await ws.admin.put('/settings/brand', { brand: BRAND }), 200).data
  assert.deepEqual([set.isSet, set.brand.light.primary, set.brand.light.page], [true, '#0f766e', PLAIN_BRAND.light.page])
  for (const [brand, error] of [
    [{ light: { text: '#eeeeee' } }, /^brand\.light\.text #eeeeee on brand\.light\.surface #fefefe has a contrast of 1\.\d\d; it must/],
    [{ dark: { onPrimary: '#3869f5' } }, /^brand\.dark\.onPrimary #3869f5 on brand\.dark\.primary/],
    [{ social: [{ network: 'x', url: '/x' }] }, /^brand\.social\[0\]\.url must be a complete https link/],
    ['red', /^brand must be an object/],
  ] as const) {
    const refused = await ws.admin.put('/settings/brand', { brand })
    assert.equal(refused.status, 400)
    assert.match(refused.body.error, error)
  }
  for (const body of [{}, [], 'x']) assert.equal((await ws.admin.put('/settings/brand', body)).status, 400)
  assert.deepEqual(expectStatus(await editor.get('/settings/brand'), 200).data, set)
  expectStatus(await ws.admin.put('/settings/brand', { brand: null }), 200)
  assert.equal(expectStatus(await editor.get('/settings/brand'), 200).data.isSet, false)
})

test('drawing, the preview, a test and what is sent show the brand as it is then', async () => {
  const ws = await workspace()
  const editor = await ws.editor()
  const email = await openEmail()
  await email.connect(ws.admin)
  await addPeople(ws, ['U'])
  expectStatus(await ws.admin.put('/settings/brand', { brand: BRAND }), 200)
  const withLogo = structuredClone(MAIL)
  const [top] = withLogo.sections
  assert.ok(top?.type === 'section')
  top.columns[0]?.nodes.unshift({ id: 'logo', type: 'logo' }, { id: 'social', type: 'social' })
  const drawn = expectStatus(await editor.post('/mails/render', { mail: withLogo, locale: 'en' }), 200).data
  const { id } = await create(editor, campaign(withLogo))
  const preview = expectStatus(await editor.post(`/campaigns/${id}/preview`, {}), 200).data
  expectStatus(await editor.post(`/campaigns/${id}/test-send`, { to: ['U'] }), 200)
  const tried = email.mails().at(-1)
  const waiting = (await create(editor, campaign(withLogo))).id
  expectStatus(await submit(editor, waiting), 200)
  // A brand that changes while a mail waits changes the mail.
  expectStatus(await ws.admin.put('/settings/brand', { brand: { ...BRAND, radius: 4 } }), 200)
  expectStatus(await approve(ws.admin, waiting, { activateTarget: 'live' }), 200)
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
  const sent = email.mails().at(-1)
  assert.notEqual(sent, tried)
  for (const html of [drawn.html, preview.channels.email.samples[0].html, tried.html, sent.html]) {
    assert.match(html, SAID)
    assert.match(html, /<img src="https:\/\/img\.example\.com\/logo\.png" alt="Example Shop" width="120"/)
    assert.match(html, /href="https:\/\/www\.instagram\.com\/example"/)
  }
  assert.match(tried.html, /border-radius:3px/)
  assert.match(sent.html, /border-radius:4px/)
  assert.match(sent.text, /Example Shop\n1 Market Street\nSince 1999\nUnsubscribe/)
})

test('where hosts are named, whoever has a link to another one gets no mail, which the preview says before', async () => {
  const ws = await workspace()
  const email = await openEmail()
  await email.connect(ws.admin)
  await addPeople(ws, ['U'])
  const mail = structuredClone(MAIL)
  const { en } = mail.texts
  assert.ok(en)
  en.nodes['shop'] = { label: 'Go', url: '{{customAttributes.page | https://evil.example/}}' }
  const { id } = await create(ws.admin, campaign(mail))
  const skipped = async () => expectStatus(await ws.admin.post(`/campaigns/${id}/preview`, {}), 200).data.channels.email.skipped
  assert.deepEqual(await skipped(), {})
  expectStatus(await ws.admin.put('/settings/brand', { brand: { linkHosts: ['shop.example.com'] } }), 200)
  assert.deepEqual(await skipped(), { unresolvedToken: 1 })
})

test('a sandbox begins with the brand of its workspace', async () => {
  const ws = await workspace()
  expectStatus(await ws.admin.put('/settings/brand', { brand: BRAND }), 200)
  const { workspaceId } = expectStatus(await ws.admin.post('/settings/sandbox', {}), 201).data
  const headers = { 'x-tenant-id': workspaceId }
  const { brand, isSet } = expectStatus(await ws.admin.get('/settings/brand', { headers }), 200).data
  assert.deepEqual([isSet, brand.radius, brand.texts.en.company], [true, 3, 'Example Shop'])
})
