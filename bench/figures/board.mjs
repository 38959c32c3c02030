/** How soon the board of all content stands, numbers and first instances of every screen, in a browser on a large workspace. */
import { chromium } from 'playwright-core'
import { PASSWORD } from '../../packages/server/test/builders/builders.ts'
import { openWorkspace, withProduct } from '../lib/product.mjs'
import { count, median, ms, spread } from '../lib/stats.mjs'

const OPEN_MS = 500
const BROWSER = { executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--no-first-run'] }

/** Screens whose types hold this many instances; one type alone has more than a page of a list. */
const LARGE = { home: [1_500, 40], cart: [515], deals: [5, 0] }
const SMALL = { home: [1, 1], cart: [1], deals: [1, 0] }
const sumOf = (screens) =>
  Object.values(screens)
    .flat()
    .reduce((sum, each) => sum + each)

export const boardFigure = { name: 'board', run: measure }

async function measure(options) {
  return withProduct(options, async ({ url }) => {
    const browser = await chromium.launch(BROWSER)
    try {
      const sides = { large: await openDashboard(browser, url, LARGE), small: await openDashboard(browser, url, SMALL) }
      const found = { address: { large: [], small: [] }, link: { large: [], small: [] } }
      // The first round warms up.
      for (let round = 0; round <= options.rounds; round++) {
        await options.quiet()
        for (const side of ['large', 'small']) {
          const times = { address: await timeAddress(sides[side]), link: await timeLink(sides[side]) }
          if (round > 0) for (const way of ['address', 'link']) found[way][side].push(times[way])
        }
      }
      return ['link', 'address'].map((way) => describe(way, found[way]))
    } finally {
      await browser.close()
    }
  })
}

async function openDashboard(browser, url, screens) {
  const { id, email, write } = await openWorkspace(url)
  const { status, text } = await write.post('/cards/sync', { blocks: manifestOf(screens) })
  if (status !== 200) throw new Error(`The content was refused: ${text}`)
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
  await page.goto(`${url}/login`)
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/w\//)
  return { page, home: `${url}/w/${id}`, screens }
}

function manifestOf(screens) {
  const fields = [{ id: 'f_title', tag: '#title', type: 'text' }]
  return Object.entries(screens).flatMap(([screen, types]) =>
    types.map((instances, place) => {
      const key = `${screen}_${place}`
      const seed = (_, index) => ({
        externalId: `${key}-${index}`,
        title: `${key} ${index}`,
        priority: -index,
        status: index % 2 === 0 ? 'live' : 'draft',
        values: { '#title': `Offer ${index}, as good as any` },
      })
      return { key, name: key, screen, fields, instances: Array.from({ length: instances }, seed) }
    }),
  )
}

/** From the address that is opened to the first cards of every column; what the browser keeps it has kept. */
async function timeAddress({ page, home, screens }) {
  const began = performance.now()
  await page.goto(`${home}/content`, { waitUntil: 'commit' })
  await boardStands(page, screens)
  return performance.now() - began
}

/** The same from a click on another page. */
async function timeLink({ page, home, screens }) {
  await page.goto(`${home}/segments`, { waitUntil: 'networkidle' })
  const began = performance.now()
  await page.getByRole('link', { name: 'Content', exact: true }).first().click()
  await boardStands(page, screens)
  return performance.now() - began
}

async function boardStands(page, screens) {
  const wanted = Object.fromEntries(Object.entries(screens).map(([screen, types]) => [screen, types.filter((each) => each > 0).length]))
  await page.waitForFunction(
    (columns) =>
      Object.entries(columns).every(([screen, types]) => {
        const column = document.querySelector(`section[aria-label="${screen}"]`)
        return column !== null && [...column.querySelectorAll('ol')].filter((list) => list.querySelector('li')).length === types
      }),
    wanted,
  )
}

function describe(way, { large, small }) {
  return {
    name: `board-${way}`,
    what: `The board of ${count(sumOf(LARGE))} instances, opened by ${way === 'link' ? 'a click' : 'its address'}, until every column shows its first instances`,
    target: { most: OPEN_MS, unit: 'ms' },
    value: median(large),
    limitValue: median(small),
    spread: spread(large, 0),
    ours: ms(median(large)),
    limit: `${ms(median(small))}, a board of ${count(sumOf(SMALL))}`,
    made: [
      'In Chromium, beside PostgreSQL on the core that the server does not have; numbers, states and cards are drawn.',
      way === 'address'
        ? 'The whole dashboard is started anew, its files are in the browser’s cache.'
        : 'The dashboard is open on another page.',
    ],
  }
}
