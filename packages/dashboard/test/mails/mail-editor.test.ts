/** The editor of mails of sections, in the composer: by keys alone, by pointer, in two languages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesOf, type MailDocument, type NodeText } from '@contentflow/core/mail/document.ts'
import { EXAMPLE } from '@contentflow/core/mail/example-mail.ts'
import { create } from '../../../server/test/builders/campaigns.ts'
import { until } from '../../../server/test/harness/until.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, admin, ws, expectAccessible, expectFits, inArabic, inEnglish, inWidth, shot } = await openDashboard()

const dialog = page.getByRole('dialog', { name: 'Designed mail' })
const mail = dialog.getByRole('group', { name: 'Mail', exact: true })
const part = (name: string | RegExp) => mail.getByRole('group', { name, exact: typeof name === 'string' })
const field = (name: string) => dialog.getByRole('textbox', { name, exact: true })
const button = (name: string | RegExp) => dialog.getByRole('button', { name, exact: typeof name === 'string' })
const side = (name: string | RegExp) => dialog.getByRole('tab', { name })
const focused = (name: string) =>
  page.waitForFunction((wanted) => document.activeElement?.getAttribute('aria-label')?.replaceAll(/[\u2068\u2069]/g, '') === wanted, name)
const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const stored = async (id: string): Promise<MailDocument> => expectStatus(await admin.get(`/campaigns/${id}`), 200).data.mail
const words = (text: NodeText | undefined) =>
  text && 'blocks' in text ? text.blocks.flatMap(linesOf).map((runs) => runs.map(({ v }) => v).join('')) : []
const types = (document: MailDocument) =>
  document.sections.map((section) =>
    section.type === 'section' ? section.columns.map(({ nodes }) => nodes.map(({ type }) => type)) : section.type,
  )

/** A draft with the example's mail, opened in the editor. */
async function open(name: string): Promise<string> {
  const { id } = await create(admin, { name, content: { en: { title: 'Short' } }, dispatchChannels: ['email'], mail: EXAMPLE })
  await goto(`/campaigns/${id}/edit`)
  await page.getByRole('button', { name: 'Edit the mail' }).click()
  await mail.waitFor()
  return id
}

test('decision 71: a mail is made by keys alone, in two languages, and the campaign keeps it', async () => {
  await goto('/campaigns/new')
  await page.getByRole('textbox', { name: /^Name/ }).fill('Spring')
  await page
    .getByRole('group', { name: 'Channels' })
    .getByText(/^Email/)
    .click()
  await page.getByRole('radio', { name: 'Designed' }).focus()
  await press('Space')
  await page
    .getByRole('dialog', { name: 'Begin the mail with' })
    .getByRole('button', { name: /^Blank/ })
    .focus()
  await press('Enter')
  await mail.waitFor()
  await field('Subject').fill('Spring is here')
  // Into the mail, to the heading, and into its words.
  await part('Section 1').focus()
  await press('ArrowDown')
  await focused('Heading')
  await press('Enter')
  await page.keyboard.type('Good news')
  await press('Escape')
  await focused('Heading: Good news')
  await press('ArrowDown', 'Enter')
  await page.keyboard.type('Every dress is a ')
  await press('Control+b')
  await page.keyboard.type('fifth')
  await press('Control+b')
  await page.keyboard.type(' off')
  await press('Enter')
  await page.keyboard.type('Until Saturday')
  await press('Escape')
  await focused('Text: Every dress is a fifth off Until Saturday')
  // Above the heading, and back by undoing.
  await press('Alt+ArrowUp')
  await part(/^Text/).first().waitFor()
  await focused('Text: Every dress is a fifth off Until Saturday')
  await press('ArrowDown')
  await focused('Heading: Good news')
  await press('Control+z', 'ArrowDown')
  await focused('Text: Every dress is a fifth off Until Saturday')
  // A button behind the text, and a space that is taken out again.
  await button('Button').focus()
  await press('Enter')
  await part('Button').waitFor()
  await focused('Button')
  await press('Enter')
  await page.keyboard.type('Shop')
  await press('Tab', 'Tab')
  await page.keyboard.type('https://shop.example.com/spring')
  await button('Space').focus()
  await press('Enter')
  await part('Space').waitFor()
  await press('Delete')
  await part('Space').waitFor({ state: 'detached' })
  await focused('Button: Shop')
  // In Arabic: what is missing is begun from the English.
  await dialog.getByRole('tab', { name: /Arabic.*texts are missing/ }).focus()
  await press('Enter')
  await dialog.getByText('Nothing is written in Arabic yet.').waitFor()
  await button('Copy what is missing from English').focus()
  await press('Enter')
  await field('Subject').fill('الربيع هنا')
  await part(/^Heading/).focus()
  await press('Enter', 'Control+a')
  await page.keyboard.type('أخبار سارة')
  await press('Escape')
  assert.equal(await part(/^Heading/).evaluate((element) => getComputedStyle(element).direction), 'rtl')
  await expectAccessible()
  await button('Done').focus()
  await press('Enter')
  await page.getByText('English: Spring is here').waitFor()
  await page.getByRole('radio', { name: 'Everyone' }).check()
  await page.getByText('Nothing is missing.').first().waitFor()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.waitForURL(/campaigns\/[0-9a-f-]{36}\/edit/)
  const id = /campaigns\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''
  const kept = await stored(id)
  assert.deepEqual(types(kept), [[['heading', 'text', 'button']], 'footer'])
  const [section] = kept.sections
  assert.ok(section?.type === 'section')
  const [heading, text, shop] = section.columns[0]?.nodes.map((node) => node.id) ?? []
  assert.ok(heading && text && shop)
  assert.deepEqual(kept.texts['en'], {
    subject: 'Spring is here',
    nodes: {
      [heading]: { blocks: [{ p: [{ v: 'Good news' }] }] },
      [text]: { blocks: [{ p: [{ v: 'Every dress is a ' }, { v: 'fifth', b: true }, { v: ' off' }] }, { p: [{ v: 'Until Saturday' }] }] },
      [shop]: { label: 'Shop', url: 'https://shop.example.com/spring' },
    },
  })
  assert.deepEqual([kept.texts['ar']?.subject, words(kept.texts['ar']?.nodes[heading])], ['الربيع هنا', ['أخبار سارة']])
})

test('parts are dragged by pointer and by keys, and steps are undone and done again', async () => {
  const id = await open('Dragged')
  await part(/^Picture: A parcel/).click()
  const handle = button('Drag: Picture: A parcel at a door')
  // By keys: picked up, one place on, dropped.
  await handle.focus()
  await press('Space')
  await page.getByText('Picked up Picture: A parcel at a door.').waitFor({ state: 'attached' })
  // What the keys lead to is heard of a moment after it is picked up.
  await until('it is over another place', async () => {
    await press('ArrowDown')
    return (await page.getByText(/is at place/).count()) > 0
  })
  await press('Space')
  await page.getByText('Dropped Picture: A parcel at a door.').waitFor({ state: 'attached' })
  const order = async () =>
    (await stored(id)).sections.flatMap((each) =>
      each.type === 'section' ? each.columns.flatMap(({ nodes }) => nodes.map((node) => node.id)) : [],
    )
  await until('the picture stands behind the text', async () => /^hello intro (shop )?hero/.test((await order()).join(' ')))
  // By pointer: a new divider from the palette to the top of the mail.
  await button('Divider').scrollIntoViewIfNeeded()
  const from = await button('Divider').boundingBox()
  assert.ok(from)
  await page.mouse.move(from.x + 10, from.y + 10)
  await page.mouse.down()
  await page.mouse.move(from.x + 30, from.y + 30, { steps: 3 })
  // The mail moves while something is dragged near its edge, so the place is looked for again.
  await until('it is over the first place', async () => {
    const to = await part(/^Heading: Good news/).boundingBox()
    assert.ok(to)
    await page.mouse.move(to.x + to.width / 2, to.y - 4, { steps: 4 })
    return (await page.getByText('Divider is at place 1 of column 1 in section 1.').count()) > 0
  })
  await page.mouse.up()
  await until('a divider stands above the heading', async () => (await order())[1] === 'hello')
  await button('Undo').click()
  await until('the divider is gone', async () => (await order())[0] === 'hello')
  await button('Redo').click()
  await until('and there again', async () => (await order())[1] === 'hello')
  await button('Undo').click()
  await button('Undo').click()
  await until('all is as it was', async () => (await order()).join(' ').startsWith('hello hero intro shop'))
  assert.equal(await button('Undo').isDisabled(), true)
})

test('words keep what the mail knows of their look, typed or pasted', async () => {
  const id = await open('Words')
  await part(/^Text: Scarves/).click()
  await dialog.getByRole('textbox', { name: 'Words of Text' }).waitFor()
  await press('Control+a')
  await page.evaluate(() => {
    const data = new DataTransfer()
    data.setData(
      'text/html',
      '<h2 style="color:red">Warm <b>scarves</b></h2><ul><li>Wool<script>alert(1)</script></li><li><a href="javascript:alert(1)">Silk</a> and <a href="https://shop.example.com/silk">more</a></li></ul><table><tr><td>cell</td></tr></table>',
    )
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })
  const said = async () => (await stored(id)).texts['en']?.nodes['right']
  await until('what was pasted is stored', async () => words(await said()).includes('Wool'))
  assert.deepEqual(await said(), {
    blocks: [
      { p: [{ v: 'Warm ' }, { v: 'scarves', b: true }] },
      { ul: [[{ v: 'Wool' }], [{ v: 'Silk and ' }, { v: 'more', url: 'https://shop.example.com/silk' }]] },
      { p: [{ v: 'cell' }] },
    ],
  })
  // A link, a list, and a placeholder by the toolbar.
  await press('Control+a')
  await page.keyboard.type('See all scarves')
  await press('Control+a', 'Control+k')
  const address = page.getByRole('textbox', { name: 'Address of the link' })
  const set = page.getByRole('button', { name: 'Set link' })
  await address.fill('http://not-safe.example.com')
  await set.click()
  await page.getByText('Enter a whole address').waitFor()
  await address.fill('https://shop.example.com/scarves')
  await set.click()
  await button('Numbered list').click()
  await press('End')
  await page.waitForFunction(() => getSelection()?.isCollapsed)
  await page.keyboard.type(', ')
  await button('Insert placeholder: Text').click()
  await page.getByRole('menuitem', { name: '{{name}}' }).click()
  await until('the list is stored', async () => JSON.stringify(await said()).includes('{{name}}'))
  assert.deepEqual(await said(), {
    blocks: [{ ol: [[{ v: 'See all scarves', url: 'https://shop.example.com/scarves' }, { v: ', {{name}}' }]] }],
  })
})

test('the preview shows phone and desktop, light and dark, without pictures and as plain text; checks lead to their place', async () => {
  await open('Looks')
  await side('Preview').click()
  const frame = dialog.frameLocator('iframe')
  await frame.getByRole('heading', { name: 'Good news, Sara' }).waitFor()
  const ground = () => frame.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)
  assert.equal(await ground(), 'rgb(243, 244, 246)')
  await dialog.getByText('Dark', { exact: true }).click()
  await until('it is dark', async () => (await ground()) === 'rgb(22, 24, 29)')
  await dialog.getByText('Inverted', { exact: true }).click()
  await until('it is inverted', async () =>
    (await frame.locator('html').evaluate((html) => getComputedStyle(html).filter)).includes('invert'),
  )
  await dialog.getByRole('switch', { name: 'Pictures' }).uncheck()
  await until('pictures are off', async () => (await frame.locator('img').first().getAttribute('src')) === 'data:,')
  const width = () => frame.locator('html').evaluate((html) => html.clientWidth)
  assert.equal(await width(), 375)
  await dialog.getByText('Desktop', { exact: true }).click()
  await until('it is as wide as a desktop', async () => (await width()) === 680)
  await dialog.getByText('Plain text', { exact: true }).click()
  await dialog.getByText('1. Open').waitFor()
  await dialog.getByText(/Gmail cuts longer mails off/).waitFor()
  // A path leads nowhere without a web address; the check leads to its button.
  await side(/^Checks/).click()
  await button(/^\/new leads nowhere/)
    .first()
    .click()
  await focused('Button: كل الجديد')
  await field('Link').fill('https://shop.example.com/new')
  await side(/^Checks/).click()
  await dialog.getByText('1 thing must be corrected before it is sent.').waitFor()
})

test('the editor is presentable in both languages, on a desktop and a phone', async () => {
  await open('Shown')
  for (const language of ['en', 'ar'] as const) {
    await (language === 'ar' ? inArabic() : inEnglish())
    for (const width of [1440, 1024, 390]) {
      await inWidth(width)
      await shot(`mail-editor-${width}-${language}`)
      await expectFits()
    }
    await expectAccessible()
    await inWidth(1440)
    await expectAccessible()
  }
  await inEnglish()
  await part(/^Text: Socks/).click()
  await dialog.getByRole('toolbar').waitFor()
  await expectAccessible()
  await shot('mail-editor-writing-1440-en')
  await press('Escape')
  await side('Preview').click()
  await expectAccessible()
  await shot('mail-editor-preview-1440-en')
  await inArabic()
  await shot('mail-editor-preview-1440-ar')
  await inEnglish()
  await side(/^Checks/).click()
  await expectAccessible()
  await shot('mail-editor-checks-1440-en')
})

test('a mail that is given up is gone from the campaign, and back when somebody changes their mind', async () => {
  const id = await open('Simple again')
  await button('Done').click()
  await page.getByText('Simple', { exact: true }).click()
  await until('the stored campaign has none', async () => (await stored(id)) === undefined)
  await page.getByText('Designed', { exact: true }).first().click()
  await mail.waitFor()
  await until('and has it again', async () => (await stored(id))?.texts['en']?.subject === EXAMPLE.texts['en']?.subject)
  assert.ok(ws.id)
})
