/** Mails in the eyes of others: a validator of HTML, and the table of what mail programs support. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PLAIN_BRAND, themeOf, type Brand } from '@contentflow/core/mail/brand/brand.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { EXAMPLE } from '@contentflow/core/mail/example-mail.ts'
import { galleryOf } from '@contentflow/core/mail/gallery/gallery.ts'
import { renderMailDocument } from '@contentflow/core/mail/render-mail.ts'

const TOOLS = fileURLToPath(new URL('../../../../ops/mail-check/', import.meta.url))
const run = async (command: string, args: string[]) => (await promisify(execFile)(command, args, { cwd: TOOLS })).stdout

const BRAND: Brand = {
  ...PLAIN_BRAND,
  logo: { src: 'https://img.example.com/logo.png', darkSrc: 'https://img.example.com/dark.png', alt: 'Example', width: 120 },
  texts: { en: { company: 'Example Shop', address: '1 Market Street, Riyadh 12345', footer: 'You are a customer.' } },
  social: [{ network: 'instagram', url: 'https://www.instagram.com/example' }],
}

function draw(locale: string, document: MailDocument = EXAMPLE, brand: Brand | null = null): string {
  const texts = document.texts[locale]
  assert.ok(texts)
  return renderMailDocument({
    document,
    texts,
    locale,
    theme: themeOf(brand),
    brand,
    unsubscribeUrl: 'https://mail.example.com/u/1?a=1&b=2',
    hrefOf: (_, url) => (url.startsWith('/') ? `https://shop.example.com${url}` : url),
    sourceOf: (src) => src,
    pictureUrl: 'https://mail.example.com/o/1.gif',
  }).html
}

test('a validator, and what mail programs are known to support, find nothing in a mail that has no reason', async () => {
  // In a folder of their own, because nothing else needs them; .ci/run installs them.
  if (!existsSync(`${TOOLS}node_modules/html-validate`)) await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'])
  const folder = mkdtempSync(join(tmpdir(), 'cf-mails-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const files = Object.keys(EXAMPLE.texts).map((locale) => {
    const file = join(folder, `${locale}.html`)
    writeFileSync(file, draw(locale))
    return file
  })
  // What only a brand brings into a mail: logo, social pages, company.
  const [welcome] = galleryOf(BRAND)
  assert.ok(welcome)
  files.push(join(folder, 'brand.html'))
  writeFileSync(join(folder, 'brand.html'), draw('en', welcome.document, BRAND))
  assert.equal(await run('node', ['check.mjs', ...files]), '')
  const broken = join(folder, 'broken.html')
  writeFileSync(broken, draw('en').replace('</h1>', '</h2>').replace('text-align:left', 'position:fixed'))
  const said = await run('node', ['check.mjs', ...files, broken])
  assert.match(said, /^broken\.html:\d+:\d+ close-order: /m)
  assert.match(said, /^broken\.html position: not in gmail\./m)
})
