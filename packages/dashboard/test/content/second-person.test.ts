/** What an approver reads before they agree: all of it, as text, where the review queue leads, also on a phone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPeople, openEmail } from '../../../server/test/builders/sends.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'
import { besideLabel } from '../support/view.ts'

const dashboard = await openDashboard()
const { admin, ws, openAs } = dashboard
const email = await openEmail()
await email.connect(admin)
await addPeople(ws, ['sara', 'omar'])
const SEGMENT = { name: 'Buyers', logicalOperator: 'AND', rules: [{ field: 'demographic.email', operator: 'exists', value: true }] }
const segment = expectStatus(await admin.post('/segments', SEGMENT), 201).data.id
expectStatus(await admin.put('/settings/publishing', { approval: true }), 200)
const sara = await openAs('editor', { name: 'Sara', canApprove: true })
const queue = sara.page.getByRole('region', { name: 'Review queue' })
const dialog = sara.page.getByRole('dialog')

test('of a first publication the approver reads every variant with its share, every language, links, audience and moment', async () => {
  const { id } = await ws.instance(
    'promo_banner',
    {
      title: 'Autumn',
      values: { '#title': 'Shared', '#cta_url': '/offers' },
      seg: 'Buyers',
      translations: { ar: { '#title': 'خريف' } },
      schedule: { endTime: '2031-01-01T00:00:00Z' },
      variants: [
        { id: 'A', weight: 1, values: { '#title': 'Quiet' } },
        { id: 'B', weight: 99, values: { '#title': 'Loud', '#cta_url': 'https://loud.example/now' } },
      ],
    },
    { publish: false },
  )
  expectStatus(await admin.post(`/blocks/promo_banner/instances/${id}/publish`, {}), 202)
  await sara.goto('')
  await queue.getByRole('link', { name: 'Autumn' }).click()
  const all = dialog.getByRole('list', { name: 'Everything in it' })
  for (const text of ['Shared', '/offers', 'خريف', 'Buyers', 'Quiet', 'Loud', 'https://loud.example/now', 'A 1% · B 99%'])
    await all.getByText(text, { exact: true }).first().waitFor()
  await all.getByText(/2031/).waitFor()
  await dialog.getByText('Live apps get it as soon as it is approved').waitFor()
  await sara.expectPresentable('review-first')
  await dialog.getByRole('button', { name: 'Approve and publish' }).click()
  await sara.page.getByRole('alert').filter({ hasText: 'Approved' }).first().waitFor()

  const noura = await openAs('editor', { name: 'Noura' })
  await noura.goto(`/content/promo_banner/${id}`)
  await noura.page.getByRole('button', { name: 'More actions', exact: true }).click()
  await noura.page.getByRole('menuitem', { name: /^Delete/ }).click()
  await noura.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await noura.page.getByRole('alert').filter({ hasText: 'Submitted for review' }).first().waitFor()
  await sara.goto('')
  await queue.getByRole('link', { name: 'Autumn' }).click()
  await dialog.getByText('Deleted as soon as it is approved, and live apps stop getting it').waitFor()
  await sara.expectPresentable('review-delete')
  await dialog.getByRole('button', { name: 'Approve and delete' }).click()
  await sara.page.getByRole('alert').filter({ hasText: 'Approved' }).first().waitFor()
  assert.equal((await admin.get(`/blocks/promo_banner/instances/${id}`)).status, 404)
})

test('of a first submission of a campaign the approver reads every variant and language, and looks at each variant', async () => {
  const content = {
    en: {
      title: 'Weekend',
      body: 'Shared body',
      ctaUrl: 'https://shop.example/offers',
      variants: [
        { id: 'A', weight: 1, values: { title: 'Quiet weekend' } },
        { id: 'B', weight: 99, values: { title: 'Loud weekend', ctaUrl: 'https://loud.example/now' } },
      ],
    },
    ar: { title: 'نهاية الأسبوع', body: 'نص' },
  }
  const campaign = { name: 'Weekend plan', type: 'promo', segments: ['Buyers'], schedule: {}, dispatchChannels: ['email'], content }
  const { id } = expectStatus(await admin.post('/campaigns', campaign), 201).data
  expectStatus(await admin.post(`/campaigns/${id}/submit-review`, {}), 200)
  await sara.goto('')
  await queue.getByRole('link', { name: 'Weekend plan' }).click()
  const all = sara.page.getByRole('list', { name: 'Everything in it' })
  const texts = [
    'Weekend',
    'https://shop.example/offers',
    'Quiet weekend',
    'Loud weekend',
    'https://loud.example/now',
    'نهاية الأسبوع',
    'Buyers',
  ]
  for (const text of [...texts, 'A: 1', 'B: 99', 'Email']) await all.getByText(text, { exact: true }).first().waitFor()
  await sara.expectPresentable('review-campaign-first')
  const preview = sara.page.getByRole('region', { name: 'Preview', exact: true })
  await preview.getByText('Quiet weekend').first().waitFor()
  await preview.getByRole('combobox', { name: 'Variant' }).click()
  await sara.page.getByRole('option', { name: 'B · 99%' }).click()
  await preview.getByText('Loud weekend').first().waitFor()
})

test('a message to a segment waits in the queue with all that it says, and leaves when the approver agrees', async () => {
  expectStatus(await admin.put('/settings/protections', { protections: { approveMessages: true } }), 200)
  const content = { title: 'Hello all', body: 'Come by', ctaLabel: 'Go', ctaUrl: 'https://shop.example/go' }
  expectStatus(await admin.post(`/notifications/segment/${segment}`, { channel: 'email', content }), 202)
  await sara.goto('')
  await queue.getByText('Message to a segment').waitFor()
  await queue.getByRole('link', { name: 'Hello all' }).click()
  for (const text of ['Buyers', 'Email', ...Object.values(content)]) await dialog.getByText(text, { exact: true }).first().waitFor()
  await sara.expectPresentable('review-message')
  assert.equal(email.calls().length, 0)
  await dialog.getByRole('button', { name: 'Approve and send' }).click()
  await sara.page.getByRole('alert').filter({ hasText: 'Approved' }).first().waitFor()
  assert.equal(email.calls().length, 2)
})

test('of a journey the approver reads whom it takes in and every step: messages in each language, links, conditions, waits and ways', async () => {
  const words = (title: string, more: object = {}) => ({ title, body: `${title} body`, ...more })
  const steps = [
    { id: 'first', type: 'wait', minutes: 90 },
    {
      id: 'mail',
      type: 'send',
      channel: 'email',
      content: { en: words('Welcome', { ctaLabel: 'Start', ctaUrl: 'https://shop.example/start' }), ar: words('أهلًا') },
    },
    {
      id: 'ways',
      type: 'condition',
      rule: { logicalOperator: 'AND', rules: [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }] },
      then: [
        {
          id: 'lot',
          type: 'split',
          percent: 30,
          then: [
            {
              id: 'wa',
              type: 'send',
              channel: 'whatsapp',
              content: { en: { whatsappTemplate: { id: 'HX12', variables: { name: 'Dear {{name}}' } } } },
            },
          ],
          else: [{ id: 'pop', type: 'in_app', content: { en: words('In the app', { imageUrl: 'https://shop.example/p.png' }) } }],
        },
      ],
      else: [{ id: 'end', type: 'exit' }],
    },
  ]
  const trigger = { type: 'segment_entry', segment }
  const goal = { eventType: 'CONVERSION', days: 7 }
  const { id } = expectStatus(await admin.post('/journeys', { name: 'Long way', trigger, goal, steps }), 201).data
  expectStatus(await admin.patch(`/journeys/${id}/status`, { status: 'active' }), 202)
  expectStatus(await admin.put('/settings/launch-protection', { mode: 'otp' }), 200)
  await sara.goto('')
  await queue.getByRole('link', { name: 'Long way' }).click()
  const facts = ['Enters “Buyers”', 'Purchase (7 days)']
  for (const text of facts) await dialog.getByText(text, { exact: true }).waitFor()
  const all = dialog.getByRole('list', { name: 'Everything in it' })
  const texts = [
    '90 minutes',
    'Welcome',
    'Welcome body',
    'Start',
    'https://shop.example/start',
    'أهلًا',
    'أهلًا body',
    'plan is gold',
    'If met',
    '30% of people',
    '70% of people',
    'In the app',
    'https://shop.example/p.png',
    'Otherwise',
    'End',
    'English · Title',
    'Arabic · Title',
  ]
  for (const text of texts) await all.getByText(text, { exact: true }).first().waitFor()
  await all.getByText('HX12').filter({ hasText: 'name: Dear {{name}}' }).waitFor()
  await sara.expectPresentable('review-journey')
  await sara.inArabic()
  assert.ok((await besideLabel(dialog.getByText('Welcome body', { exact: true }))) < 2, 'an English text begins below its Arabic label')
  await sara.inEnglish()
  const sent = sara.page.waitForResponse((response) => response.url().endsWith(`/journeys/${id}/launch-otp`))
  await dialog.getByRole('button', { name: 'Send code' }).click()
  const { data } = (await (await sent).json()) as { data: { code: string } }
  await dialog.getByLabel('One-time code').fill(data.code)
  await sara.inWidth(390)
  await dialog.getByText('Welcome body').scrollIntoViewIfNeeded()
  await sara.shot('review-journey-phone')
  await sara.inWidth(1440)
  await dialog.getByRole('button', { name: 'Approve and activate' }).click()
  await sara.page.getByRole('alert').filter({ hasText: 'Approved' }).first().waitFor()
  assert.equal(expectStatus(await admin.get(`/journeys/${id}`), 200).data.status, 'active')
  expectStatus(await admin.put('/settings/launch-protection', { mode: 'off' }), 200)
})

test('G-92 who may not submit is told why in both languages; only a refusal that says no more is one of roles', async () => {
  expectStatus(await admin.put('/settings/protections', { protections: { strictApprovals: true } }), 200)
  const { id } = await ws.instance(
    'promo_banner',
    { title: 'Winter', values: { '#title': 'Winter', '#cta_url': '/winter' } },
    { publish: false },
  )
  const huda = await openAs('editor', { name: 'Huda' })
  await huda.goto(`/content/promo_banner/${id}`)
  await huda.page.getByRole('button', { name: 'Publish', exact: true }).click()
  await huda.page.getByRole('menuitem', { name: 'Submit for review' }).click()
  const refused = huda.page.getByRole('dialog').getByRole('alert')
  await huda.page.getByRole('dialog').getByRole('button', { name: 'Submit for review' }).click()
  await refused.getByText('Submitting and approving take a member whose email address is proven').waitFor()
  await huda.inArabic()
  await refused.getByText('طلب المراجعة واعتمادها لأعضاء ثبت بريدهم وحدهم').waitFor()
  await huda.inEnglish()
  const { members } = expectStatus(await admin.get('/members?limit=200'), 200).data
  const { userId } = members.find(({ name }: any) => name === 'Huda')
  expectStatus(await admin.delete(`/members/${userId}`), 200)
  await huda.page.keyboard.press('Escape')
  await huda.page.getByRole('link', { name: 'Segments' }).first().click()
  await huda.page.getByText("Your role in this workspace doesn't allow this. Ask an admin.").waitFor()
  await huda.context.close()
})
