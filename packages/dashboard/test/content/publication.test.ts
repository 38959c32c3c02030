/** What apps get of an instance and when: moments to come, earlier versions, a second person, and what was. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { clientFor, expectStatus, openDashboard } from '../support/browser.ts'

const dashboard = await openDashboard()
const { page, goto, admin, ws, openAs, expectPresentable, shot } = dashboard

// The browser's clock is that of Riyadh, six hours behind.
const TOKYO = { timeZone: 'Asia/Tokyo', firstDayOfWeek: 1, weekend: [6, 0], hijri: false }
expectStatus(await admin.put('/settings/calendar', TOKYO), 200)

const button = (name: string, at: Page = page) => at.getByRole('button', { name, exact: true })
const dialog = (name: string | RegExp, at: Page = page) => at.getByRole('dialog', { name })
const said = (text: string, at: Page = page) => at.getByRole('alert').filter({ hasText: text }).first().waitFor()
const planned = page.getByRole('list', { name: 'Scheduled publications' })
const timeline = page.locator('[class*="Timeline-root"]')

async function make(publish: 'live' | false) {
  const body = { title: 'Moments', values: { '#title': 'One', '#cta_url': '/offers' } }
  const { id } = await ws.instance('promo_banner', body, { publish })
  const api = `/blocks/promo_banner/instances/${id}`
  const save = async (title: string) => expectStatus(await admin.put(`${api}?draft=true`, { values: { '#title': title } }), 200)
  const live = async () => expectStatus(await admin.get(api), 200).data.live as number | null
  return { id, api, path: `/content/promo_banner/${id}`, save, live }
}

/** Midnight of a day of the month after this one, where the workspace is. */
async function chooseDay(day: number): Promise<string> {
  await button('Publish at').click()
  const calendar = page.locator('[data-dates-dropdown]').last()
  await calendar.getByRole('button', { name: 'Next' }).click()
  const cell = calendar.getByRole('button', { name: new RegExp(`^${day} `) }).first()
  const label = (await cell.getAttribute('aria-label')) ?? ''
  await cell.click()
  // It closes the calendar, not the dialog that it stands in.
  await page.keyboard.press('Escape')
  await calendar.waitFor({ state: 'hidden' })
  return new Date(Date.parse(`${label} 00:00 UTC`) - 9 * 3_600_000).toISOString()
}

async function askToPublish(item: string | RegExp): Promise<void> {
  await button('Publish').click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('G-82 G-83 a revision is published at a moment by the clocks of the workspace, which is moved and cancelled', async () => {
  const { api, path, live } = await make(false)
  await goto(path)
  await askToPublish('Publish to live apps')
  await page.getByText('At a set time').click()
  assert.ok(
    await dialog(/live apps/)
      .getByRole('button', { name: 'Schedule' })
      .isDisabled(),
  )
  const first = await chooseDay(12)
  await expectPresentable('editor-schedule')
  await dialog(/live apps/)
    .getByRole('button', { name: 'Schedule' })
    .dblclick()
  await said('Scheduled')
  await planned.getByText('Version 1 is published to live apps 12').waitFor()
  const schedule = async () => expectStatus(await admin.get(`${api}/schedule`), 200).data.schedule
  assert.deepEqual(
    (await schedule()).map(({ at, revision }: any) => [at, revision]),
    [[first, 1]],
  )
  await page.getByText('Scheduled', { exact: true }).first().waitFor()
  await expectPresentable('editor-scheduled')
  // The twelfth begins there on the day before in UTC.
  await goto(`/content?view=calendar&month=${new Date(Date.parse(first) + 9 * 3_600_000).toISOString().slice(0, 7)}`)
  const day = page.getByRole('cell').filter({ hasText: /^12/ }).first()
  await day.getByRole('link', { name: /Moments.*is published/ }).waitFor()
  await expectPresentable('calendar-scheduled')
  await goto(path)
  await planned.getByRole('button', { name: 'Move' }).click()
  const later = await chooseDay(20)
  await dialog('Move to another moment').getByRole('button', { name: 'Move' }).click()
  await said('Moved')
  assert.equal((await schedule())[0].at > first, true)
  assert.match(later, /T15:00:00/)
  await planned.getByRole('button', { name: 'Cancel publication' }).click()
  await dialog('Cancel this publication?').getByRole('button', { name: 'Cancel publication' }).click()
  await said('Publication cancelled')
  await planned.waitFor({ state: 'detached' })
  assert.deepEqual([await schedule(), await live()], [[], null])
})

test('the dialog says what apps show when, and warns of a moment after the end, in both languages', async () => {
  const { api, path } = await make('live')
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString()
  const body = { values: { '#title': 'Eid' }, schedule: { endTime: day(2) } }
  expectStatus(await admin.put(`${api}?draft=true`, body), 200)
  const { data } = expectStatus(await admin.post(`${api}/publish`, { at: day(1) }), 202)
  assert.equal(data.warnings, undefined)
  await goto(path)
  await askToPublish('Publish the changes to live apps')
  await page.getByText('At a set time').click()
  await chooseDay(12)
  const shownWhen = dialog('Publish the changes').getByRole('list', { name: 'What apps show when' })
  await shownWhen.getByText('Nothing').last().waitFor()
  await dialog('Publish the changes').getByRole('alert').filter({ hasText: 'Apps never show it: it ends' }).waitFor()
  await expectPresentable('editor-never-shown')
  await page.keyboard.press('Escape')
  await goto(path)
  await planned.getByRole('button', { name: 'Move' }).click()
  await chooseDay(12)
  await dialog('Move to another moment').getByRole('alert').filter({ hasText: 'Apps never show it' }).waitFor()
  await expectPresentable('editor-move-never-shown')
})

test('G-82 history says who did what, an earlier version is live again at once, and what was live at a time is told', async () => {
  const { api, path, save, live } = await make('live')
  await save('Two')
  expectStatus(await admin.post(`${api}/publish`, {}), 200)
  await save('Three')
  const second = await openAs('editor', { name: 'Noura' })
  const noura = await clientFor(dashboard, second.account)
  await second.context.close()
  expectStatus(await noura.post(`${api}/publish`, { target: 'test' }), 200)
  await goto(`${path}?side=revisions`)
  await timeline.getByText('Version 2 published to live apps').waitFor()
  await timeline.getByText('Version 3 published to test apps').waitFor()
  await timeline.getByText('by Noura').waitFor()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Not saved yet')
  await timeline.getByRole('button', { name: /^Version 1/ }).click()
  await button('Publish this version').click()
  await dialog('Publish version 1').getByRole('list', { name: 'Differences' }).getByText('Two').waitFor()
  await shot('editor-roll-back')
  await dialog('Publish version 1')
    .getByRole('button', { name: /^Publish/ })
    .dblclick()
  await said('Published to live apps')
  assert.equal(await live(), 1)
  assert.equal(expectStatus(await admin.get(api), 200).data.head, 3)
  await timeline.getByText('Version 1 published to live apps').nth(1).waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue(), 'Not saved yet')
  await button('Discard').click()
  await button('What was live at').click()
  const calendar = page.locator('[data-dates-dropdown]').last()
  await calendar.getByRole('button', { name: 'Previous' }).click()
  await calendar.getByRole('button', { name: /^12 / }).first().click()
  await page.keyboard.press('Escape')
  await page.getByText('Live apps got nothing of it.').waitFor()
  await expectPresentable('editor-history-events')
})

test('G-82 with approval on, live waits for a second person, who sees the differences and approves or rejects with a note', async () => {
  const { path, save, live } = await make('live')
  await goto('/settings/publishing')
  await page.getByRole('switch', { name: 'Publishing to live needs a second person' }).dispatchEvent('click')
  await said('Review required')
  await save('Second')
  const editor = await openAs('editor', { name: 'Noura' })
  const approver = await openAs('editor', { name: 'Sara', canApprove: true })
  const ask = async () => {
    await editor.goto(path)
    await button('Publish', editor.page).click()
    await editor.page.getByRole('menuitem', { name: 'Submit for review' }).click()
    await dialog(/changes/, editor.page)
      .getByRole('button', { name: 'Submit for review' })
      .dblclick()
    await said('Submitted for review', editor.page)
    await editor.page.getByText('You submitted version 2 for review').waitFor()
  }
  const review = async () => {
    await approver.goto('')
    const queue = approver.page.getByRole('region', { name: 'Review queue' })
    await queue.getByText('1 request to review').waitFor()
    await queue.getByText('Submitted by Noura').waitFor()
    await queue.getByRole('link', { name: 'Moments' }).click()
    await dialog('Version 2 for live apps', approver.page).getByRole('list', { name: 'Differences' }).getByText('Second').waitFor()
    return dialog('Version 2 for live apps', approver.page)
  }
  await ask()
  assert.equal(await live(), 1)
  const first = await review()
  await approver.expectPresentable('editor-review')
  assert.ok(await first.getByRole('button', { name: 'Reject' }).isDisabled())
  await first.getByRole('textbox', { name: 'Note' }).fill('Too loud')
  await first.getByRole('button', { name: 'Reject' }).click()
  await said('Rejected', approver.page)
  await editor.goto(`${path}?side=revisions`)
  await editor.page.getByText('“Too loud”').waitFor()
  await ask()
  await approver.goto('')
  await approver.page.getByRole('region', { name: 'Review queue' }).waitFor()
  await approver.expectPresentable('home-reviews')
  await (await review()).getByRole('button', { name: 'Approve and publish' }).dblclick()
  await said('Approved', approver.page)
  assert.equal(await live(), 2)
  await approver.page.getByText('submitted version 2').first().waitFor({ state: 'detached' })
  await goto('/settings/publishing')
  await expectPresentable('settings-publishing')
  await page.getByRole('switch', { name: 'Publishing to live needs a second person' }).dispatchEvent('click')
  await said('Review no longer required')
})

test('the state of who, when and variants is always in view and leads to it; a long name wraps and pushes nothing away', async () => {
  const { path } = await make('live')
  await goto(path)
  const bar = page.getByRole('navigation', { name: 'Settings', exact: true })
  await bar.getByText('Everyone').waitFor()
  const top = async (name: string) => (await page.getByRole('region', { name, exact: true }).boundingBox())?.y ?? -1
  for (const name of ['Variants', 'Schedule', 'Audience']) {
    await bar.getByRole('button', { name: new RegExp(`^${name}`) }).click()
    await page.waitForTimeout(100)
    const [y, height] = [await top(name), page.viewportSize()?.height ?? 0]
    assert.ok(y >= 56 && y < height - 100, `${name} at ${y}`)
    assert.ok(await bar.evaluate((element) => element.getBoundingClientRect().top >= 0), 'the bar stays in view')
  }
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await page.evaluate(() => scrollTo(0, 0))
  await name.fill('A very long name of a promotion that says everything about it, for everybody, in all of the cities and all of the weeks')
  await expectPresentable('editor-long-name')
  await page.reload()
})

test('the preview opens on the language of the reader and on a variant that somebody gets', async () => {
  const body = {
    values: { '#title': 'Shared', '#cta_url': '/offers' },
    translations: { ar: { '#title': 'نص عربي' } },
    variants: [
      { id: 'off', weight: 0, values: { '#title': 'Of nobody' } },
      { id: 'on', weight: 1, values: { '#title': 'Of somebody' } },
    ],
  }
  const { id } = await ws.instance('promo_banner', body, { publish: false })
  await goto(`/content/promo_banner/${id}`)
  const preview = page.getByRole('group', { name: /^Preview of/ })
  await preview.getByText('Of somebody').waitFor()
  await dashboard.inArabic()
  assert.equal(await page.getByRole('combobox', { name: 'لغة المعاينة' }).inputValue(), 'العربية')
  await dashboard.inEnglish()
})
