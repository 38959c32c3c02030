/** The brand of a workspace on the pages behind the links of its mails. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { personRow } from '../../../test/builders/people.ts'
import { addPeople } from '../../../test/builders/sends.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const app = await startApp()
const { ctx, workspace, url } = app

const BRAND = {
  logo: { src: '/logo.png', darkSrc: 'https://img.example.com/dark.png', alt: 'Shop & Co', width: 140 },
  light: { primary: '#0f766e', link: '#0f766e' },
  dark: { primary: '#0f766e', link: '#5eead4' },
  font: 'georgia',
  radius: 3,
  texts: {
    en: { company: 'Example <Shop>', address: '1 Market Street', footer: 'Only of mails' },
    ar: { company: 'متجر المثال', address: 'شارع السوق 1', footer: '' },
  },
}

async function linksTo(ws: Workspace, userId: string) {
  const { id = '' } = (await personRow(ctx, ws.id, userId)) ?? {}
  const day = ctx.clock.now().toISOString().slice(0, 10)
  return {
    preferences: `/api/v1/preferences/${(await ctx.links.sealer('preferences'))([ws.id, id, day])}`,
    unsubscribe: `/api/v1/unsubscribe/${(await ctx.links.sealer('unsubscribe'))([ws.id, id])}`,
  }
}
async function open(path: string, language: string, method = 'GET') {
  const answer = await fetch(url + path, { method, headers: { 'accept-language': language } })
  return { status: answer.status, html: await answer.text(), policy: answer.headers.get('content-security-policy') ?? '' }
}

test('both pages have logo, colours, letters and company in their language, and load only the logo', async () => {
  const ws = await workspace()
  await addPeople(ws, ['U'])
  expectStatus(await ws.admin.put('/settings/web-address', { url: 'https://shop.example.com' }), 200)
  expectStatus(await ws.admin.put('/settings/brand', { brand: BRAND }), 200)
  for (const path of Object.values(await linksTo(ws, 'U'))) {
    const { status, html, policy } = await open(path, 'en')
    assert.equal(status, 200)
    assert.match(html, /<source srcset="https:\/\/img\.example\.com\/dark\.png" media="\(prefers-color-scheme: dark\)">/)
    assert.match(html, /<img class="logo" src="https:\/\/shop\.example\.com\/logo\.png" alt="Shop &amp; Co" width="140">/)
    assert.match(policy, /default-src 'none'.*; img-src https:\/\/shop\.example\.com https:\/\/img\.example\.com$/)
    assert.match(html, /--link:light-dark\(#0f766e,#5eead4\).*--primary:light-dark\(#0f766e,#0f766e\).*--radius:3px;--font:Georgia/)
    assert.match(html, /<footer><p>Example &lt;Shop&gt;<\/p><p>1 Market Street<\/p><\/footer>/)
    assert.doesNotMatch(html, /Only of mails|<script/)
    assert.match((await open(path, 'ar')).html, /dir="rtl".*<footer><p>متجر المثال<\/p><p>شارع السوق 1<\/p><\/footer>/s)
  }
  const { preferences, unsubscribe } = await linksTo(ws, 'U')
  assert.match((await open(preferences, 'en')).html, /<p class="who">Example &lt;Shop&gt; · For/)
  assert.match((await open(unsubscribe, 'en', 'POST')).html, /class="logo".*You are unsubscribed/s)
})

test('without a brand the pages are plain and load nothing; a picture that leads nowhere is left out; unknown links tell nothing', async () => {
  const [plain, ws] = [await workspace(), await workspace()]
  for (const each of [plain, ws]) await addPeople(each, ['U'])
  expectStatus(await ws.admin.put('/settings/brand', { brand: { ...BRAND, logo: { ...BRAND.logo, darkSrc: '/dark.png' } } }), 200)
  for (const path of Object.values(await linksTo(plain, 'U'))) {
    const { html, policy } = await open(path, 'en')
    assert.doesNotMatch(html, /https?:|<img|<footer/)
    assert.doesNotMatch(policy, /img-src/)
  }
  for (const path of Object.values(await linksTo(ws, 'U'))) {
    const { html, policy } = await open(path, 'en')
    assert.doesNotMatch(html + policy, /<img|img-src/)
    assert.match(html, /#0f766e/)
  }
  for (const path of ['/api/v1/preferences/preview', '/api/v1/unsubscribe/preview']) {
    const { status, html } = await open(path, 'en')
    assert.equal(status, 404)
    assert.doesNotMatch(html, /#0f766e|<footer/)
  }
})
