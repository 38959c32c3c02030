/** The library as a marketer meets it: pictures come in by choosing, dropping and pasting, are described, and are used in content. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { makePicture, uploadFile } from '../../../server/test/builders/files.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const dashboard = await openDashboard()
const { ws, page, admin, goto, shot, openAs, expectPresentable } = dashboard

const card = (name: string, at: Page = page) => at.getByRole('button', { name: new RegExp(`^${name} `) })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const filesOf = async () => expectStatus(await admin.get('/content'), 200).data.content
const fileNamed = async (name: string) => (await filesOf()).find((each: any) => each.fileName === name)

/** Files from outside the browser, dropped or pasted on what is found there. */
async function bring(how: 'drop' | 'paste', selector: string, name: string, bytes: Buffer): Promise<void> {
  await page
    .locator(selector)
    .first()
    .evaluate(
      (target, [kind, fileName, base64]) => {
        const data = new DataTransfer()
        data.items.add(new File([Uint8Array.from(atob(base64), (each) => each.charCodeAt(0))], fileName, { type: 'image/png' }))
        const init = { bubbles: true, cancelable: true }
        target.dispatchEvent(
          kind === 'drop'
            ? new DragEvent('drop', { ...init, dataTransfer: data })
            : new ClipboardEvent('paste', { ...init, clipboardData: data }),
        )
      },
      [how, name, bytes.toString('base64')] as const,
    )
}

test('M-CONT-04 an empty library says what to do, and files come in by choosing, dropping and pasting', async () => {
  await goto('/library')
  await page.getByRole('heading', { name: 'No files yet' }).waitFor()
  await expectPresentable('library-empty')
  await page.locator('input[type=file]').setInputFiles({ name: 'hero.png', mimeType: 'image/png', buffer: await makePicture(1_200, 700) })
  await card('hero.png').waitFor()
  await bring('drop', 'main ul', 'dropped.png', await makePicture(600, 600, 200))
  await card('dropped.png').waitFor()
  await bring('paste', 'main ul', 'pasted.png', await makePicture(500, 800, 120))
  await card('pasted.png').waitFor()
  assert.equal((await filesOf()).length, 3)
  await page.locator('input[type=file]').setInputFiles({ name: 'lie.png', mimeType: 'image/png', buffer: Buffer.from('<html>') })
  await page.getByText('is not of the type image/png').waitFor()
  await shot('library-failed', { width: 390, language: 'ar' })
  await button('Hide').click()
})

test('M-CONT-04 a file is found, described in each language, and its focal point is set by a click', async () => {
  await uploadFile(admin, '%PDF-1.7 price list', 'Price list 2026.pdf', 'application/pdf')
  await goto('/library')
  await card('Price list 2026.pdf').waitFor()
  await page
    .locator('main img')
    .first()
    .evaluate((image: HTMLImageElement) => image.decode())
  await expectPresentable('library')
  await page.getByRole('searchbox').fill('hero')
  await card('dropped.png').waitFor({ state: 'detached' })
  await card('hero.png').click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('textbox', { name: 'English' }).fill('A wide orange landscape')
  await panel.getByRole('textbox', { name: 'Arabic' }).fill('منظر برتقالي واسع')
  const picture = panel.getByRole('button', { name: /^Focal point/ })
  const box = await picture.boundingBox()
  assert.ok(box)
  await picture.click({ position: { x: box.width / 4, y: box.height / 2 } })
  await panel.getByRole('button', { name: 'Focal point, 25% from the left, 50% from the top' }).press('ArrowDown')
  await panel.getByRole('button', { name: /55% from the top/ }).waitFor()
  await expectPresentable('library-file')
  await panel.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const asset = await fileNamed('hero.png')
  assert.deepEqual(
    [asset.alt, asset.focalPoint],
    [
      { en: 'A wide orange landscape', ar: 'منظر برتقالي واسع' },
      { x: 0.25, y: 0.55 },
    ],
  )
})

test('M-CONT-11 in the editor a picture is chosen from the library, dropped, or its address typed', async () => {
  const { id } = await ws.instance('home_hero', { title: 'Test / Picture', values: { '#title': 'Hello' } }, { publish: false })
  const api = `/blocks/home_hero/instances/${id}`
  await goto(`/content/home_hero/${id}`)
  const choose = page.getByRole('button', { name: /^Choose from library/ }).first()
  await choose.click()
  await card('hero.png').waitFor()
  await expectPresentable('library-picker')
  // Between the widths of a phone and a desk the editor is another one.
  await goto(`/content/home_hero/${id}`)
  await choose.click()
  await card('hero.png').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const hero = await fileNamed('hero.png')
  await shot('library-editor')
  await button('Save draft').first().click()
  const saved = async () => JSON.stringify((await admin.get(api)).data)
  while (!(await saved()).includes(`/content/${hero.contentId}/raw`)) await page.waitForTimeout(50)
  assert.equal((await admin.get(`/content/${hero.contentId}`)).data.usedBy.instanceCount, 1)
  await bring('drop', `input[value*="${hero.contentId}"]`, 'new.png', await makePicture(300, 300, 300))
  await page.locator(`input[value*="${hero.contentId}"]`).waitFor({ state: 'detached' })
  const dropped = await fileNamed('new.png')
  const address = page.locator(`input[value*="${dropped.contentId}"]`)
  await address.waitFor()
  await address.fill('https://example.com/a.png')
  await page.locator('input[value="https://example.com/a.png"]').waitFor()
  await address.waitFor({ state: 'detached' })
})

test('M-CONT-08 a used file says where, and asks before it is deleted; who only looks changes nothing', async () => {
  const hero = await fileNamed('hero.png')
  const viewer = await openAs('viewer')
  await viewer.goto(`/library?file=${hero.contentId}`)
  await viewer.page.getByRole('link', { name: 'Test / Picture' }).waitFor()
  assert.equal(await viewer.page.getByRole('button', { name: 'Delete' }).count(), 0)
  assert.equal(await viewer.page.locator('input[type=file]').count(), 0)
  await page.goto(`${dashboard.url}/w/${ws.id}/library?file=${hero.contentId}`)
  await button('Delete').click()
  await page.getByText('1 item uses it').waitFor()
  await shot('library-delete')
  await page.getByRole('dialog', { name: 'Delete file?' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('File deleted').waitFor()
  assert.equal((await admin.get(`/content/${hero.contentId}`)).status, 404)
  await card('hero.png').waitFor({ state: 'detached' })
})
