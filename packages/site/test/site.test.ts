/** The documentation as it is given out: every link of it, its search, and every page as people see it. */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse, type DefaultTreeAdapterTypes } from 'parse5'
import { openView, type View } from '../../dashboard/test/support/view.ts'
import { launchChromium } from '../../server/test/harness/chromium.ts'
import { startApp } from '../../server/test/harness/start-app.ts'

const DIST = fileURLToPath(new URL('../dist', import.meta.url))
const { url } = await startApp()
const browser = await launchChromium()
after(() => browser.close())

const PAGES = globSync('**/*.html', { cwd: DIST })
  .filter((file) => file !== '404.html')
  .map((file) => `/guide/${file.replace(/(^|\/)index\.html$/, '$1')}`)
  .sort()

type Element = DefaultTreeAdapterTypes.Element

/** What a page links to and loads, and the places in it that links may name. */
async function readPage(path: string): Promise<{ links: string[]; ids: Set<string> }> {
  const answer = await fetch(url + path)
  assert.equal(answer.status, 200, path)
  const links: string[] = []
  const ids = new Set<string>()
  const visit = (node: DefaultTreeAdapterTypes.Node) => {
    for (const { name, value } of (node as Element).attrs ?? []) {
      if (name === 'href' || name === 'src') links.push(value)
      if (name === 'id') ids.add(value)
    }
    for (const child of 'childNodes' in node ? node.childNodes : []) visit(child)
  }
  visit(parse(await answer.text()))
  return { links, ids }
}

test('every link leads to a page, an anchor or a file of this server, every page is reached, and nothing is loaded from elsewhere', async () => {
  assert.ok(PAGES.length > 100)
  const pages = new Map(await Promise.all(PAGES.map(async (path) => [path, await readPage(path)] as const)))
  const files = new Set<string>()
  const reached = new Set<string>()
  const broken: string[] = []
  for (const [from, { links }] of pages)
    for (const link of links) {
      if (/^(https?|mailto):/.test(link)) continue
      const { pathname, hash } = new URL(link, url + from)
      const target = pages.get(pathname)
      if (target === undefined) files.add(pathname)
      else if (hash !== '' && !target.ids.has(decodeURIComponent(hash.slice(1)))) broken.push(`${from}: ${link}`)
      if (pathname !== from) reached.add(pathname)
    }
  for (const path of files) if ((await fetch(url + path, { redirect: 'manual' })).status !== 200) broken.push(path)
  assert.deepEqual(broken, [])
  assert.deepEqual(
    PAGES.filter((path) => !reached.has(path)),
    [],
    'no page links here',
  )
})

test('search finds a word in both languages, in Arabic with and without its marks, and leads to its place', async () => {
  for (const { home, button, word, found } of [
    { home: '/guide/', button: 'Search', word: 'request id', found: /\/guide\/run\/troubleshooting\.html#a-request-id/ },
    { home: '/guide/ar/', button: 'بحث', word: 'أولا', found: /\/guide\/ar\/marketers-day\.html#/ },
    { home: '/guide/ar/', button: 'بحث', word: 'أولًا', found: /\/guide\/ar\/marketers-day\.html#/ },
  ]) {
    const view = await open()
    await view.page.goto(url + home)
    await view.page.getByRole('button', { name: button, exact: true }).click()
    await view.page.getByRole('searchbox').fill(word)
    const first = view.page.locator('.VPLocalSearchBox .result').first()
    await first.waitFor()
    assert.match((await first.getAttribute('href')) ?? '', found, word)
    await first.click()
    await view.page.waitForURL(found)
    await close(view)
  }
})

test('the language leads to the same page where there is one, and to the first page otherwise', async () => {
  const view = await open()
  const switchTo = async (language: string) => {
    await view.page.locator('.VPNavBarTranslations button').hover()
    await view.page.getByRole('link', { name: language, exact: true }).click()
  }
  await view.page.goto(`${url}/guide/marketers-day.html`)
  await switchTo('العربية')
  await view.page.waitForURL('**/guide/ar/marketers-day.html')
  await view.page.waitForFunction(() => document.documentElement.lang === 'ar' && document.documentElement.dir === 'rtl')
  await switchTo('English')
  await view.page.waitForURL('**/guide/marketers-day.html')
  await view.page.goto(`${url}/guide/concepts.html`)
  await switchTo('العربية')
  await view.page.waitForURL('**/guide/ar/')
  await close(view)
})

test('every page can be used by everybody and fits, on phones and wide windows, in light and dark', async () => {
  // Decisions are all made alike.
  const [decision, ...others] = PAGES.filter((path) => /\/decisions\/\d/.test(path))
  const queue = PAGES.filter((path) => !others.includes(path))
  assert.ok(decision && queue.includes(decision) && queue.includes('/guide/ar/'))
  const faults: string[] = []
  const look = async () => {
    const view = await open()
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      await view.inWidth(1280)
      await view.inLight()
      await view.page.goto(url + path)
      for (const width of [1280, 375]) {
        await view.inWidth(width)
        await (width === 375 ? view.inDark() : view.inLight())
        await view.expectAccessible().catch((error: Error) => faults.push(error.message))
        await view.expectFits().catch((error: Error) => faults.push(error.message))
      }
    }
    await close(view)
  }
  await Promise.all([look(), look()])
  assert.deepEqual(faults, [])
})

const open = () => openView(browser, { url, workspaceId: '' })

/** None may have complained in its console, about the content policy least of all. */
async function close({ context, complaints }: View): Promise<void> {
  await context.close()
  assert.deepEqual(complaints, [])
}
