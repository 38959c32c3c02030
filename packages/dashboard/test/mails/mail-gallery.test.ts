/**
 * The templates of mails as Chromium draws them: each in both languages, on a phone and on a desk, in the light, in the dark
 * as Apple Mail has it, and turned around as Gmail does. Each picture is held against a small grey one that somebody has looked
 * at (mail-gallery.json). After a change that is meant, `CF_PICTURES=1 npm run test:only -- mail-gallery` draws them anew and
 * writes the whole pictures to `test/screenshots`: look at them before the small ones are committed.
 */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { PLAIN_BRAND, themeOf, type Brand } from '@contentflow/core/mail/brand/brand.ts'
import { fillTexts } from '@contentflow/core/mail/fill-texts.ts'
import { galleryOf, type GalleryMail } from '@contentflow/core/mail/gallery/gallery.ts'
import { renderMailDocument } from '@contentflow/core/mail/render-mail.ts'
import type { TokenValues } from '@contentflow/core/messages/tokens.ts'
import { launchChromium } from '../../../server/test/harness/chromium.ts'

const KNOWN = fileURLToPath(new URL('mail-gallery.json', import.meta.url))
const SCREENSHOTS = fileURLToPath(new URL('../screenshots', import.meta.url))
const LOCALES = ['en', 'ar'] as const
const WIDTHS = [375, 680] as const
const LOOKS = ['light', 'dark', 'inverted'] as const
/** Of a small picture; pixels. */
const [COLUMNS, ROWS] = [12, 32]
/** How far a small picture may be from the known one: of 255, on average; how far its height, of one. */
const [MOST_GREY, MOST_HEIGHT] = [4, 0.02]

const BRAND: Brand = {
  ...PLAIN_BRAND,
  texts: {
    en: { company: 'Example Shop', address: '1 Market Street, Riyadh 12345', footer: 'You get this because you are a customer.' },
    ar: { company: 'متجر المثال', address: 'شارع السوق 1، الرياض 12345', footer: 'تصلك هذه الرسالة لأنك من عملائنا.' },
  },
  social: [
    { network: 'instagram', url: 'https://www.instagram.com/example' },
    { network: 'website', url: 'https://www.example.com' },
  ],
}

/** Whoever gets the mail: nothing is known of them, so the words behind the tokens stand. */
const NOBODY: TokenValues = { name: null, email: null, phone: null, userId: null, customAttributes: {}, enrichment: {} }

/** Devices have other letters, so the pictures are drawn in those of the dashboard. */
const LETTERS = [
  ['inter', 'inter-latin-wght-normal', 'U+0000-00FF, U+2000-206F'],
  ['noto-sans-arabic', 'noto-sans-arabic-arabic-wght-normal', 'U+0600-06FF, U+FB50-FDFF, U+FE70-FEFF'],
]
  .map(([family, file, range]) => {
    const path = fileURLToPath(import.meta.resolve(`@fontsource-variable/${family}/files/${file}.woff2`))
    const source = `data:font/woff2;base64,${readFileSync(path).toString('base64')}`
    return `@font-face { font-family: Known; font-weight: 100 900; unicode-range: ${range}; src: url(${source}) format('woff2') }`
  })
  .join('\n')

/** `height`: of the whole mail; pixels. `grey`: of the small picture, base64. */
type Small = { height: number; grey: string }

const known: Record<string, Small> = process.env['CF_PICTURES'] ? {} : JSON.parse(readFileSync(KNOWN, 'utf8'))
const drawn: Record<string, Small> = {}
let browser: Browser
let page: Page

before(async () => {
  browser = await launchChromium()
  page = await browser.newPage()
})
after(async () => {
  await browser.close()
  if (process.env['CF_PICTURES']) writeFileSync(KNOWN, `${JSON.stringify(drawn, null, 2)}\n`)
})

for (const mail of galleryOf(BRAND))
  test(`decision 70: ${mail.id} looks as it did, in both languages, on a phone and on a desk, light, dark and inverted`, async () => {
    for (const locale of LOCALES) {
      await page.setContent(htmlOf(mail, locale))
      await page.addStyleTag({ content: `${LETTERS} * { font-family: Known !important }` })
      await page.evaluate('document.fonts.ready')
      for (const width of WIDTHS)
        for (const look of LOOKS) {
          const name = `${mail.id}-${locale}-${width}-${look}`
          const picture = await draw(width, look)
          assert.ok((await sideways()) <= 0, `${name} sticks out to the side`)
          const small = await shrink(picture)
          drawn[name] = small
          if (process.env['CF_PICTURES']) keep(name, picture)
          else compare(name, small)
        }
    }
  })

test('decision 70: a long word without a place to break it keeps within a narrow column', async () => {
  const mail = galleryOf(BRAND).find(({ id }) => id === 'loyalty-level')
  assert.ok(mail)
  await page.setContent(htmlOf(mail, 'en', { ...NOBODY, name: 'n'.repeat(150), customAttributes: { level: 'l'.repeat(150) } }))
  await page.setViewportSize({ width: 375, height: 900 })
  assert.ok((await sideways()) <= 0)
})

test('decision 70: every known picture is of a template that there is', () => {
  if (process.env['CF_PICTURES']) return
  assert.deepEqual(Object.keys(known).toSorted(), Object.keys(drawn).toSorted())
})

/** By how many pixels the page is wider than its window. */
const sideways = (): Promise<number> => page.evaluate('document.documentElement.scrollWidth - innerWidth')

function htmlOf({ document }: GalleryMail, locale: (typeof LOCALES)[number], values: TokenValues = NOBODY): string {
  const texts = document.texts[locale]
  assert.ok(texts)
  const filled = fillTexts(texts, { ...values, language: locale }, null)
  assert.ok(filled.ok)
  const { html } = renderMailDocument({
    document,
    texts: filled.texts,
    locale,
    theme: themeOf(BRAND),
    brand: BRAND,
    unsubscribeUrl: 'https://example.com/leave',
    hrefOf: (_, url) => `https://example.com${url}`,
    sourceOf: (src) => src,
  })
  return html
}

async function draw(width: number, look: (typeof LOOKS)[number]): Promise<Buffer> {
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme: look === 'dark' ? 'dark' : 'light' })
  const turned = look === 'inverted' ? 'invert(1) hue-rotate(180deg)' : ''
  await page.evaluate(`document.documentElement.style.filter = ${JSON.stringify(turned)}`)
  return page.screenshot({ fullPage: true })
}

async function shrink(picture: Buffer): Promise<Small> {
  const { height } = await sharp(picture).metadata()
  const grey = await sharp(picture).greyscale().resize(COLUMNS, ROWS, { fit: 'fill' }).raw().toBuffer()
  return { height, grey: grey.toString('base64') }
}

function compare(name: string, { height, grey }: Small): void {
  const before = known[name]
  assert.ok(before, `${name} was never drawn`)
  assert.ok(Math.abs(height - before.height) <= before.height * MOST_HEIGHT, `${name} is ${height} pixels high, not ${before.height}`)
  const [one, other] = [Buffer.from(grey, 'base64'), Buffer.from(before.grey, 'base64')]
  const difference = one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length
  assert.ok(difference <= MOST_GREY, `${name} differs by ${difference.toFixed(1)} of 255`)
}

function keep(name: string, picture: Buffer): void {
  mkdirSync(SCREENSHOTS, { recursive: true })
  writeFileSync(join(SCREENSHOTS, `mail-${name}.png`), picture)
}
