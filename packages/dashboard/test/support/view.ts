/** One window of the dashboard on one device, and what is asked of every page: that it fits, can be used by all and looks right. */
import type Axe from 'axe-core'
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { PATIENCE_MS, until } from '../../../server/test/harness/until.ts'
import { watchTraffic, type Traffic } from './traffic.ts'

/** Looked at by people, so not drawn in CI; not in git. */
const SCREENSHOTS = fileURLToPath(new URL('../screenshots', import.meta.url))
const HEIGHTS: Record<number, number> = { 390: 844, 1024: 768, 1440: 900 }

type Look = { width?: number; language?: 'en' | 'ar'; theme?: 'light' | 'dark' }

/** What a page is looked at in: every width, language and theme, without every pairing of them. Axe sees each of them once. */
const LOOKS: (Look & { isAudited: boolean })[] = [
  { width: 1440, language: 'en', theme: 'light', isAudited: true },
  { width: 1440, language: 'ar', theme: 'dark', isAudited: false },
  { width: 1024, language: 'ar', theme: 'light', isAudited: false },
  { width: 390, language: 'en', theme: 'light', isAudited: false },
  { width: 390, language: 'ar', theme: 'dark', isAudited: true },
]

/** Nobody looks at pictures of CI. */
const IS_DRAWN = !process.env['CI']

export type View = {
  url: string
  page: Page
  context: BrowserContext
  /** What pages said in the console that they should not: errors, exceptions, violations of the content policy. */
  complaints: string[]
  /** Opens a page of the workspace: `''` is Home, `/settings/keys` the keys. Waits until it has its heading. */
  goto(path: string): Promise<void>
  inArabic(): Promise<void>
  inEnglish(): Promise<void>
  inDark(): Promise<void>
  inLight(): Promise<void>
  inWidth(width: number): Promise<void>
  /** Writes `test/screenshots/<name>.png` of the whole page, in another look when one is named; the page keeps the look it had. */
  shot(name: string, look?: Look): Promise<void>
  /** No finding of axe, on the page and what lies over it. */
  expectAccessible(): Promise<void>
  /** Nothing sticks out to the side. */
  expectFits(): Promise<void>
  /** Accessible, fitting and drawn to `<name>-<width>-<language>-<theme>.png` in the looks people have. */
  expectPresentable(name: string): Promise<void>
  /** How much has jumped since the page was opened (cumulative layout shift; under 0.1 counts as still). */
  layoutShift(): Promise<number>
  setOffline(isOffline: boolean): Promise<void>
  /** Every answer takes this much longer; 0 ends it. */
  slow(ms: number): Promise<void>
}

type Place = { url: string; workspaceId: string }

export async function openView(browser: Browser, { url, workspaceId }: Place): Promise<View> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Asia/Riyadh',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  context.setDefaultTimeout(PATIENCE_MS)
  const complaints: string[] = []
  context.on('console', (message) => {
    // The browser writes refused and failed requests itself; pages show them to people, which tests look at.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) complaints.push(message.text())
  })
  context.on('weberror', (error) => void complaints.push(String(error.error())))
  const page = await context.newPage()
  const traffic = watchTraffic(page)
  const setLook = (look: Look) => applyLook(page, look)
  const network = await context.newCDPSession(page)

  /** What lies over a page covers the window only, so the window is drawn then. */
  const draw = async (name: string) => {
    mkdirSync(SCREENSHOTS, { recursive: true })
    const fullPage = (await page.locator('[role="dialog"]:visible').count()) === 0
    // Head and navigation stay at the top of the window, wherever that is.
    if (fullPage) await page.evaluate(() => scrollTo(0, 0))
    await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage, animations: 'disabled' })
  }
  return {
    url,
    page,
    context,
    complaints,
    goto: async (path) => {
      await page.goto(`${url}/w/${workspaceId}${path}`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
    },
    inArabic: () => setLook({ language: 'ar' }),
    inEnglish: () => setLook({ language: 'en' }),
    inDark: () => setLook({ theme: 'dark' }),
    inLight: () => setLook({ theme: 'light' }),
    inWidth: (width) => setLook({ width }),
    shot: async (name, look = {}) => {
      if (!IS_DRAWN) return
      const before = await currentLook(page)
      await setLook(look)
      await settle(page, traffic)
      await draw(name)
      await setLook(before)
    },
    expectAccessible: async () => {
      // A colour that is still on its way is none that anybody reads. What is being loaded may go on.
      await standStill(page)
      await expectAccessible(page)
    },
    expectFits: () => expectFits(page),
    expectPresentable: async (name) => {
      const before = await currentLook(page)
      for (const { isAudited, ...look } of LOOKS) {
        await setLook(look)
        await settle(page, traffic)
        await expectFits(page)
        if (isAudited) await expectAccessible(page)
        if (IS_DRAWN) await draw(`${name}-${look.width}-${look.language}-${look.theme}`)
      }
      await setLook(before)
    },
    layoutShift: () => layoutShift(page),
    setOffline: (isOffline) => context.setOffline(isOffline),
    slow: async (latency) => {
      await network.send('Network.emulateNetworkConditions', { offline: false, latency, downloadThroughput: -1, uploadThroughput: -1 })
    },
  }
}

async function currentLook(page: Page): Promise<Look> {
  return page.evaluate(() => ({
    width: innerWidth,
    language: document.documentElement.lang === 'ar' ? 'ar' : 'en',
    theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
  }))
}

async function applyLook(page: Page, { width, language, theme }: Look): Promise<void> {
  if (width !== undefined) await page.setViewportSize({ width, height: HEIGHTS[width] ?? 900 })
  if (theme !== undefined) await page.emulateMedia({ colorScheme: theme })
  // The page's own switch, also where a dialog covers it: the page stays as it is.
  if (language !== undefined && (await currentLook(page)).language !== language) {
    await page.locator(`button[lang="${language}"]`).dispatchEvent('click')
    await page.waitForFunction((wanted) => document.documentElement.lang === wanted, language)
  }
}

/** Nothing is asked for any more, also because of what came, fonts are there, and nothing moves. */
async function settle(page: Page, traffic: Traffic): Promise<void> {
  do {
    await traffic.end()
    await standStill(page)
  } while (traffic.isBusy())
}

async function standStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    for (;;) {
      // A change of the theme or the language is drawn with the next frame, and what it moves begins then.
      await frame()
      await frame()
      // What turns or pulses while something loads has no end.
      const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
      if (ending.length === 0) return
      // What a person would wait for is skipped; what begins because of it is seen with the next frames.
      for (const animation of ending) animation.finish()
    }
  })
}

/** Every rule of WCAG 2.2 up to AA and of good practice. The size of what is pressed is the one rule that axe leaves out by itself. */
const RULES = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  rules: { 'target-size': { enabled: true } },
}

/** One text, read once, that a document runs when it is looked at for the first time: to run it takes longer than to look. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

async function expectAccessible(page: Page): Promise<void> {
  // Axe takes what a bar that stays in view covers for too small to be pressed; a reader scrolls it out from under the bar.
  await page.evaluate(() => scrollTo(0, 0))
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const violations = await page.evaluate(
    async (options) => (await (window as unknown as { axe: typeof Axe }).axe.run(document, options)).violations,
    { ...RULES, resultTypes: ['violations' as const] },
  )
  const found: { id: string; help: string; where: string[] }[] = []
  for (const { id, help, nodes } of violations) {
    const where: string[] = []
    for (const { target, failureSummary } of nodes)
      if (!OF_LISTS.has(id) || !(await isInList(page, target.join(' ')))) where.push(`${target.join(' ')}: ${failureSummary}`)
    if (where.length > 0) found.push({ id, help, where })
  }
  assert.deepEqual(found, [], `${page.url()} cannot be used by everybody`)
}

/**
 * The open list of a field stands at the end of the document and is reached and scrolled by the arrow keys of its field,
 * which names it. So it needs no landmark and no focus of its own, and these rules do not know.
 */
const OF_LISTS = new Set(['region', 'scrollable-region-focusable'])

async function isInList(page: Page, target: string): Promise<boolean> {
  return page
    .locator(target)
    .first()
    .evaluate((element) => element.closest('[data-portal] [role="presentation"]')?.querySelector('[role="listbox"]') != null)
}

/** A page that was made narrower a moment ago is drawn anew first. */
async function expectFits(page: Page): Promise<void> {
  let wide: string[] = []
  const fits = async () => {
    wide = await tooWide(page)
    return wide.length === 0
  }
  await until(`${page.url()} fits into the window of ${page.viewportSize()?.width} px`, fits, () => wide.slice(0, 5).join('\n'))
}

async function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.documentElement
    if (root.scrollWidth <= root.clientWidth) return []
    return [...document.body.querySelectorAll('*')]
      .filter((element) => {
        const { left, right } = element.getBoundingClientRect()
        return right > root.clientWidth + 1 || left < -1
      })
      .map(({ tagName, className, textContent }) => `${tagName}.${className}: ${textContent.slice(0, 60)}`)
  })
}

/** How many pixels a text begins beside the label above it, on the side where the page's lines begin. */
export async function besideLabel(text: Locator): Promise<number> {
  return text.evaluate((element) => {
    const [label, shown] = [element.previousElementSibling, element].map((each) => {
      const range = document.createRange()
      if (each) range.selectNodeContents(each)
      return range.getBoundingClientRect()
    })
    const side = document.documentElement.dir === 'rtl' ? 'right' : 'left'
    return Math.abs((label?.[side] ?? 0) - (shown?.[side] ?? 0))
  })
}

async function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        const add = (entries: PerformanceEntryList) => {
          for (const entry of entries as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
            if (!entry.hadRecentInput) sum += entry.value
        }
        const observer = new PerformanceObserver((list) => add(list.getEntries()))
        observer.observe({ type: 'layout-shift', buffered: true })
        // Two frames: what was buffered has been handed over.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            add(observer.takeRecords())
            resolve(sum)
          }),
        )
      }),
  )
}
