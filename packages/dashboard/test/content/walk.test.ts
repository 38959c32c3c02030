/** The first real campaign of content, from an empty workspace to one that was taken back, in either language, by the pages alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../server/test/harness/until.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, admin, ws, inArabic, inEnglish, shot } = await openDashboard({ isDemo: false })

expectStatus(await admin.post('/locales', { code: 'ar' }), 201)
const calendar = { timeZone: 'Asia/Riyadh', firstDayOfWeek: 0, weekend: [5, 6], hijri: false }
expectStatus(await admin.put('/settings/calendar', calendar), 200)

const ENGLISH = {
  name: 'Name',
  label: 'Label',
  tag: 'Tag',
  createType: 'Create block type',
  newItem: 'New item',
  blockType: 'Block type',
  createDraft: 'Create draft',
  english: 'Message (English)',
  arabic: 'Message (Arabic)',
  preview: /^Preview of/,
  draftSaved: 'Draft saved',
  changesSaved: 'Changes saved, not published',
  publish: 'Publish',
  toTest: 'Publish to test apps',
  toLive: 'Publish to live apps',
  changesToLive: 'Publish the changes to live apps',
  inTest: 'Published to test apps',
  inLive: 'Published to live apps',
  confirmChanges: 'Publish the changes',
  atMoment: 'At a set time',
  moment: 'Publish at',
  schedule: 'Schedule',
  planned: 'Scheduled publications',
  cancelPlan: 'Cancel publication',
  cancelled: 'Publication cancelled',
  history: 'History',
  versionTwo: /^Version 2/,
  publishVersion: 'Publish this version',
  publishTwo: 'Publish version 2',
  more: 'More actions',
  delete: 'Delete',
  restore: /^Restore/,
  restored: /restored as a draft$/,
  draft: 'Draft',
}
const ARABIC: Record<keyof typeof ENGLISH, string | RegExp> = {
  name: 'الاسم',
  label: 'التسمية',
  tag: 'الوسم',
  createType: 'إنشاء نوع الكتلة',
  newItem: 'عنصر جديد',
  blockType: 'نوع الكتلة',
  createDraft: 'إنشاء مسودة',
  english: /^\P{L}*Message\P{L}* \(الإنجليزية\)$/u,
  arabic: /^\P{L}*Message\P{L}* \(العربية\)$/u,
  preview: /^معاينة/,
  draftSaved: 'حُفظت المسودة',
  changesSaved: 'حُفظت التغييرات ولم تُنشر',
  publish: 'نشر',
  toTest: 'النشر في تطبيقات الاختبار',
  toLive: 'النشر في التطبيقات الفعلية',
  changesToLive: 'نشر التغييرات في التطبيقات الفعلية',
  inTest: 'نُشر في تطبيقات الاختبار',
  inLive: 'نُشر في التطبيقات الفعلية',
  confirmChanges: 'نشر التغييرات',
  atMoment: 'في وقت محدّد',
  moment: 'موعد النشر',
  schedule: 'جدولة',
  planned: 'النشر المجدول',
  cancelPlan: 'إلغاء النشر',
  cancelled: 'أُلغي النشر',
  history: 'السجل',
  versionTwo: /^الإصدار 2/,
  publishVersion: 'نشر هذا الإصدار',
  publishTwo: 'نشر الإصدار 2',
  more: 'إجراءات أخرى',
  delete: 'حذف',
  restore: /^استعادة/,
  restored: /^تمت استعادة/,
  draft: 'مسودة',
}

const dialog = page.getByRole('dialog')
const main = page.getByRole('main')
type Name = string | RegExp
const button = (name: Name) => page.getByRole('button', { name, exact: true })
const field = (name: Name) => page.getByRole('textbox', { name, exact: true })
const said = (text: Name) => page.getByRole('alert').filter({ hasText: text }).first().waitFor()

for (const [language, words, key] of [
  ['en', ENGLISH, 'winter_note'],
  ['ar', ARABIC, 'summer_note'],
] as const)
  test(`the first campaign of content, from its type to its restoration (${language})`, async () => {
    const shown = async (app: typeof ws.app, locale = 'en') => {
      const { data } = await app.get(`/blocks/${key}?locale=${locale}`)
      return data?.values?.['#message'] as string | undefined
    }
    /** What was said before may still stand on the page, so it is asked what apps get. */
    const serves = async (text: string | undefined, app = ws.app) => until(`apps get ${text}`, async () => (await shown(app)) === text)
    const choose = async (item: Name, confirm: Name) => {
      await button(words.publish).click()
      await page.getByRole('menuitem', { name: item, exact: true }).click()
      await dialog.getByRole('button', { name: confirm, exact: true }).click()
    }
    await goto('')
    if (language === 'ar') await inArabic()

    // A type, by its form.
    await goto('/content/types/new-type')
    await field(words.name).fill(key.replace('_', ' '))
    await field(words.label).fill('Message')
    await field(words.tag).fill('#message')
    await button(words.createType).click()
    await page.waitForURL(new RegExp(`/content/types/${key}$`))

    // An item in two languages, with its preview.
    await goto('/content')
    await main.getByRole('button', { name: words.newItem, exact: true }).first().click()
    await dialog.getByRole('combobox', { name: words.blockType }).fill(key)
    await page.getByRole('option').filter({ hasText: key }).click()
    await dialog.getByRole('textbox', { name: words.name }).fill('First campaign')
    await dialog.getByRole('button', { name: words.createDraft }).click()
    await page.waitForURL(new RegExp(`/content/${key}/[\\w-]+$`))
    const path = new URL(page.url()).pathname.replace(/^\/w\/[^/]+/, '')
    await field(words.english).fill('Good to see you')
    await field(words.arabic).fill('سعدنا بزيارتك')
    const reads = language === 'ar' ? 'سعدنا بزيارتك' : 'Good to see you'
    await page.getByRole('group', { name: words.preview }).getByText(reads).first().waitFor()
    await page.keyboard.press('Control+s')
    await said(words.draftSaved)
    assert.deepEqual([await shown(ws.app), await shown(ws.testApp)], [undefined, undefined], 'a draft reaches nobody')

    // To test apps, then to live ones.
    await choose(words.toTest, words.toTest)
    await said(words.inTest)
    assert.deepEqual([await shown(ws.app), await shown(ws.testApp, 'ar')], [undefined, 'سعدنا بزيارتك'])
    await choose(words.toLive, words.toLive)
    await said(words.inLive)
    assert.deepEqual([await shown(ws.app), await shown(ws.app, 'ar')], ['Good to see you', 'سعدنا بزيارتك'])

    // A change: a draft first, planned for a moment, and then published at once after all.
    await field(words.english).fill('Even better to see you')
    await page.keyboard.press('Control+s')
    await said(words.changesSaved)
    assert.equal(await shown(ws.app), 'Good to see you')
    await button(words.publish).click()
    await page.getByRole('menuitem', { name: words.changesToLive, exact: true }).click()
    await dialog.getByText(words.atMoment).click()
    await dialog.getByRole('button', { name: words.moment, exact: true }).click()
    const days = page.locator('[data-dates-dropdown]').last()
    await days.locator('button[data-direction="next"]').click()
    await days.getByRole('button', { name: /^12 / }).first().click()
    await page.keyboard.press('Escape')
    await days.waitFor({ state: 'hidden' })
    await shot(`walk-schedule-${language}`)
    await dialog.getByRole('button', { name: words.schedule, exact: true }).click()
    const planned = page.getByRole('list', { name: words.planned })
    await planned.getByRole('button', { name: words.cancelPlan, exact: true }).click()
    await dialog.getByRole('button', { name: words.cancelPlan, exact: true }).click()
    await said(words.cancelled)
    await choose(words.changesToLive, words.confirmChanges)
    await serves('Even better to see you')

    // Back to what it was: the first version is the blank draft.
    await goto(`${path}?side=revisions`)
    await page.locator('[class*="Timeline-root"]').getByRole('button', { name: words.versionTwo }).first().click()
    await button(words.publishVersion).click()
    await page
      .getByRole('dialog', { name: words.publishTwo })
      .getByRole('button', { name: new RegExp(`^${String(words.publish)}`) })
      .click()
    await serves('Good to see you')
    await shot(`walk-history-${language}`)

    // Deleted, and restored as a draft.
    await button(words.more).click()
    await page.getByRole('menuitem', { name: words.delete, exact: true }).click()
    await dialog.getByRole('button', { name: words.delete, exact: true }).click()
    await page.waitForURL(/\/content$/)
    assert.equal(await shown(ws.app), undefined)
    await goto('/content?view=deleted')
    await main.getByRole('button', { name: words.restore }).first().click()
    await said(words.restored)
    await goto(path)
    await main.getByText(words.draft, { exact: true }).first().waitFor()
    assert.equal(await shown(ws.app), undefined)
    assert.equal(await field(words.english).inputValue(), 'Even better to see you')
    if (language === 'ar') await inEnglish()
  })
