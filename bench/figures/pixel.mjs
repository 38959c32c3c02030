/** From the press of Publish to the pixel: how soon a save stands in the demo shop in a real browser. */
import { chromium } from 'playwright-core'
import { freshDatabase } from '../../packages/server/test/harness/start-app.ts'
import { clientOf } from '../../packages/server/test/builders/builders.ts'
import { sleep } from '../lib/processes.mjs'
import { startProduct } from '../lib/product.mjs'
import { median, ms, quantile, spread } from '../lib/stats.mjs'

const CHROMIUM = '/usr/bin/chromium'
const PUBLISHES = 50
/** Before counting: the page opens its stream meanwhile. */
const WARM_PUBLISHES = 3
const MEDIAN_MS = 500
const P99_MS = 1_000
const BLOCK = 'home_hero'
/** Longer than the shop takes to draw, so that one publish is over when the next begins. */
const PAUSE_MS = 150

export const pixelFigure = { name: 'pixel', run: measure }

async function measure({ isQuick, quiet }) {
  const database = await freshDatabase()
  const product = await startProduct({ ...database.env, CF_DEMO: 'on' }, { core: null })
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const marketer = await signIn(product)
    const page = await browser.newPage()
    await page.goto(`${product.url}/demo/shop/`)
    const hero = (await marketer.get(`/blocks/${BLOCK}/instances?limit=50`)).data.instances.find(({ status }) => status === 'published')
    const times = { pixel: [], answer: [] }
    for (let i = -WARM_PUBLISHES; i < (isQuick ? 10 : PUBLISHES); i++) {
      if (i >= 0 && i % 10 === 0) await quiet()
      const title = `Headline number ${i}`
      await page.evaluate((text) => {
        window.shown = new Promise((resolve) => {
          const look = () => (document.body.innerText.includes(text) ? resolve(Date.now()) : requestAnimationFrame(look))
          look()
        })
      }, title)
      const pressed = Date.now()
      const answer = await marketer.put(`/blocks/${BLOCK}/instances/${hero.id}`, { values: { '#title': title } })
      if (answer.status !== 200) throw new Error(`The save was refused: ${answer.text}`)
      const answered = Date.now()
      const shown = await page.evaluate(() => window.shown)
      if (i >= 0) {
        times.answer.push(answered - pressed)
        times.pixel.push(shown - pressed)
      }
      await sleep(PAUSE_MS)
    }
    const row = (name, what, most, pick) => ({
      name,
      what,
      target: { most, unit: 'ms' },
      value: pick(times.pixel),
      ours: ms(pick(times.pixel)),
      limit: `${ms(pick(times.answer))} until the save itself is answered`,
      made: [`${times.pixel.length} publishes, one after another, in Chromium on the same machine: ${spread(times.pixel, 0)} ms.`],
    })
    return [
      row('pixel-median', 'Publish to pixel in the demo shop, median', MEDIAN_MS, median),
      row('pixel-p99', 'Publish to pixel in the demo shop, p99', P99_MS, (values) => quantile(values, 0.99)),
    ]
  } finally {
    await browser.close()
    await product.stop()
    await database.remove()
  }
}

async function signIn({ url, printed }) {
  const login = { email: printed('Sign in'), password: printed('Password') }
  const { data } = await clientOf(`${url}/api/v1`).post('/auth/login', login)
  return clientOf(`${url}/api/v1`, { authorization: `Bearer ${data.token}`, 'x-tenant-id': printed('Workspace') })
}
