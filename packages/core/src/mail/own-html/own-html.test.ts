/** Mails of own HTML: read, filled, drawn, as plain text, checked (decision 73). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parse, serialize } from 'parse5'
import { trackedNodes } from '../../messages/responses/tracked-nodes.ts'
import { linksOfMail } from '../../messages/links.ts'
import { tokensIn } from '../../messages/tokens.ts'
import { checkMail } from '../checks.ts'
import type { MailDocument, MailTexts } from '../document.ts'
import { EXAMPLE } from '../example-mail.ts'
import { fillTexts, textsOfMail } from '../fill-texts.ts'
import { checkWholeMail, mailBytes } from '../measure-mail.ts'
import { readMail } from '../read-document.ts'
import { renderMailDocument } from '../render-mail.ts'
import { PLAIN_THEME } from '../theme.ts'
import { readDeclarations, readStyleSheet } from './allowed-css.ts'
import { htmlFault } from './html-fault.ts'

const OUTLOOK = `<!--[if mso]><table width="600"><tr><td><v:roundrect href="https://shop.example.com/go" style="height:48px" arcsize="8%"><w:anchorlock/><center>Go</center></v:roundrect><![endif]-->`
const BODY = `<div style="display:none">Hidden</div><h1 title="{{name | you}}">Hello {{name | friend}} &amp; all</h1>${OUTLOOK}<!--[if !mso]><!--><p>See <a href="https://shop.example.com/go">the shop</a> or<br><a href="https://shop.example.com/n?q={{name | you}}&amp;b=1"><img src="https://img.example.com/a.png" alt="A &quot;shoe&quot;"></a></p><!--<![endif]--><!--[if mso]></td></tr></table><![endif]--><ul><li>One</li><li>Two</li></ul>`
const page = (body: string, head = '') =>
  `<!doctype html><html><head><meta charset="utf-8"><title>T</title>${head}</head><body style="margin:0">${body}</body></html>`
const PAGE = page(BODY, '<style>@media (max-width:600px){.a > td{width:100%!important}}</style>')
const LEAVE = '<p><a href="{{unsubscribeUrl}}">Leave</a></p>'
const mailOf = (html: string, more: Partial<MailTexts> = {}): MailDocument => ({
  version: 1,
  kind: 'html',
  sections: [],
  texts: { en: { subject: 'Hello {{name | friend}}', nodes: {}, html, ...more } },
})
const textsIn = ({ texts }: Pick<MailDocument, 'texts'>): MailTexts => {
  const found = texts['en']
  assert.ok(found)
  return found
}
const PERSON = { name: 'Sara <b> "x"', email: null, phone: null, userId: null, customAttributes: { path: 'a b/c"' }, enrichment: {} }
const UNSUBSCRIBE = 'https://mail.example.com/u/1?a=1&b=2'

function draw(mail: MailDocument, more: { hrefOf?: (node: string, url: string) => string | undefined; unsubscribeUrl?: undefined } = {}) {
  return renderMailDocument({
    document: mail,
    texts: textsIn(mail),
    locale: 'en',
    theme: PLAIN_THEME,
    unsubscribeUrl: UNSUBSCRIBE,
    hrefOf: (_, url) => url,
    sourceOf: (src) => (src.startsWith('/') ? undefined : src),
    ...more,
  })
}

test('decision 73: own HTML is read as it is stored, with or without the members that it has not', () => {
  const mail = mailOf(PAGE, { preheader: 'Soon' })
  assert.deepEqual(readMail('mail', mail), { ok: true, value: mail })
  const { subject, html } = textsIn(mail)
  const short = readMail('mail', { version: 1, kind: 'html', texts: { en: { subject, html } } })
  assert.ok(short.ok)
  assert.deepEqual(short.value, mailOf(PAGE))
})

test('decision 73: HTML that nobody cleaned is refused with its place and line', () => {
  for (const [html, error] of [
    [page('<p>a</p>\n<script>x</script>'), 'mail.texts.en.html, line 2: <script> must not stand here; POST /mails/import-html cleans HTML'],
    [page('<p onclick="x">a</p>'), /<p> has an attribute or a value that a mail may not have/],
    [page('<p style="position:fixed">a</p>'), /<p> has an attribute/],
    [page('<a href="javascript:x">a</a>'), /<a> has an attribute/],
    [page('<P>a</P>'), /<P> must not stand here/],
    [page('<p class=a>a</p>'), /is not written as a mail needs it/],
    [page('<p>a > b</p>'), /a text has signs that must be escaped/],
    [page('<p>a & b</p>'), /a text has signs that must be escaped/],
    [page('<div><p>a</div></p>'), /<\/div> closes nothing/],
    [page('<div>a'), /<\/body> closes nothing/],
    [page('</body><p>a</p>'), /<p> must not stand here/],
    [page('<!-- a -->'), /is not written/],
    [page('<!--[if mso]><p>a</p>'), /must not stand here/],
    [page('<!--[if true]><!--><p>a</p>'), /must end with/],
    [page('<!--[if mso]><!--[if mso]><![endif]--><![endif]-->'), /must not stand in another/],
    [page('<!--[if mso]><style>a{color:red}<![endif]-->'), /ends that did not begin|a style has/],
    [page('', '<style>a{position:fixed}</style>'), /a style has something/],
    [page('', '<meta http-equiv="refresh" content="0">'), /<meta> has an attribute/],
    [page('<style>a{color:red}</style>'), /<style> must not stand here/],
    [page('<div>'.repeat(101) + '</div>'.repeat(101)), /at most 100 elements in each other/],
    [page('<br>'.repeat(10_001)), /at most 10000 elements/],
    ['<p>a</p>', /<p> must not stand here/],
    ['', /must be a whole page/],
    [page('').slice(0, -7), /must be closed/],
    [7, 'mail.texts.en.html must be a text of at most 100000 characters'],
    ['x'.repeat(100_001), /at most 100000 characters/],
  ] as [string, string | RegExp][]) {
    const read = readMail('mail', mailOf(html))
    assert.ok(!read.ok, html)
    if (typeof error === 'string') assert.equal(read.error, error)
    else assert.match(read.error, error, html)
  }
  const some = readMail('mail', { ...mailOf(PAGE), sections: EXAMPLE.sections })
  assert.ok(!some.ok && some.error.startsWith('mail.sections must be an array of at most 0'))
})

test('decision 73: a node of a mail of sections may be own HTML, a part without a frame', () => {
  const mail = structuredClone(EXAMPLE)
  const [first] = mail.sections
  assert.ok(first?.type === 'section' && first.columns[0])
  first.columns[0].nodes.push({ id: 'own', type: 'html' })
  textsIn(mail).nodes['own'] = { html: '<p>See <a href="https://own.example.com/{{name | you}}">this</a></p>' }
  const read = readMail('mail', mail)
  assert.ok(read.ok)
  const { html, body } = draw(
    { ...read.value, texts: { en: filled(read.value) } },
    { hrefOf: (node, url) => `https://t.example/${node}?${url}` },
  )
  assert.match(html, /<p>See <a href="https:\/\/t\.example\/own\.1\?https:\/\/own\.example\.com\/Sara%20/)
  assert.match(body, /See this \(https:\/\/t\.example\/own\.1/)
  assert.equal(trackedNodes({ content: {}, mail: read.value }).find(({ node }) => node === 'own.1')?.label, 'this')
  textsIn(mail).nodes['own'] = { html: page('<p>a</p>') }
  const whole = readMail('mail', mail)
  assert.ok(!whole.ok && /nodes\["own"\]\.html, line 1: must be a part of a mail/.test(whole.error))
})

function filled(mail: MailDocument): MailTexts {
  const result = fillTexts(textsIn(mail), PERSON, null)
  assert.ok(result.ok)
  return result.texts
}

test('decision 73: tokens are filled as their places need it', () => {
  const mail = mailOf(
    page(`<p title="{{name}}">Hello {{name}}</p><a href="https://a.example/{{customAttributes.path}}?x={{name}}&amp;y=1">a</a>${LEAVE}`),
  )
  const { html = '' } = filled(mail)
  assert.match(html, /<p title="Sara &lt;b&gt; &quot;x&quot;">Hello Sara &lt;b&gt; "x"<\/p>/)
  assert.match(html, /href="https:\/\/a\.example\/a%20b%2Fc%22\?x=Sara%20%3Cb%3E%20%22x%22&amp;y=1"/)
  assert.match(html, /href="\{\{unsubscribeUrl\}\}"/)
  assert.equal(htmlFault(html, 'mail'), undefined)
  assert.deepEqual(tokensIn(textsOfMail(textsIn(mail))), ['name', 'customAttributes.path'])
  const lacking = mailOf(page('<p>{{customAttributes.city}}</p>'))
  assert.deepEqual(fillTexts(textsIn(lacking), PERSON, null), { ok: false, token: 'customAttributes.city' })
})

test('decision 73: whatever a value holds, the tags of the mail stay as they were', () => {
  const tags = (html: string) => serialize(parse(html)).match(/<\/?[a-z0-9]+/g)
  const mail = mailOf(page(`<p title="{{name | x}}">Hi {{name | x}}</p><a href="https://a.example/{{name | x}}">a</a>`))
  const plain = tags(draw(mail).html)
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (name) => {
      const result = fillTexts(textsIn(mail), { ...PERSON, name }, null)
      assert.ok(result.ok)
      assert.deepEqual(tags(draw({ ...mail, texts: { en: result.texts } }).html), plain)
    }),
    { numRuns: 200 },
  )
})

test('decision 73: links are numbered as they stand, and what Outlook is shown of a link has its number', () => {
  const asked: string[] = []
  const { html, body } = draw(mailOf(PAGE, { preheader: 'Soon' }), {
    hrefOf: (node, url) => {
      asked.push(node)
      return `https://t.example/${node}${url.endsWith('go') ? '' : '/n'}`
    },
  })
  assert.deepEqual([...new Set(asked)], ['html.1', 'html.2'])
  assert.match(html, /<v:roundrect href="https:\/\/t\.example\/html\.1"/)
  assert.match(html, /<a href="https:\/\/t\.example\/html\.1">the shop/)
  assert.match(html, /<body style="margin:0"><div style="display:none;[^>]+>Soon/)
  assert.match(html, /<html lang="en" dir="ltr">/)
  assert.deepEqual(
    trackedNodes({ content: {}, mail: mailOf(PAGE) }).map(({ node, label }) => [node, label]),
    [
      ['html.1', 'the shop'],
      ['html.2', 'A "shoe"'],
    ],
  )
  assert.deepEqual(
    linksOfMail('mail', mailOf(PAGE)).map(({ at }) => at),
    ['mail.texts.en.html', 'mail.texts.en.html', 'mail.texts.en.html'],
  )
  assert.equal(
    body,
    'Hello {{name | friend}} & all\n\nSee the shop (https://t.example/html.1) or\nA "shoe" (https://t.example/html.2/n)\n\n- One\n- Two\n\n--\nUnsubscribe from these emails: https://mail.example.com/u/1?a=1&b=2',
  )
})

test('decision 73: the way out is where the mail has it, or at its end', () => {
  const without = draw(mailOf(PAGE))
  assert.match(
    without.html,
    /<a href="https:\/\/mail\.example\.com\/u\/1\?a=1&amp;b=2"[^>]*>Unsubscribe from these emails<\/a><\/p><\/body><\/html>$/,
  )
  const own = draw(mailOf(page(BODY + LEAVE)))
  assert.equal(own.html.split('/u/1').length, 2)
  assert.match(own.html, /<a href="https:\/\/mail\.example\.com\/u\/1\?a=1&amp;b=2">Leave<\/a>/)
  assert.equal(own.body.split('/u/1').length, 2)
  assert.doesNotMatch(draw(mailOf(page(BODY + LEAVE)), { unsubscribeUrl: undefined }).html, /unsubscribeUrl/)
})

test('decision 73: pictures and links that lead nowhere are left out; what is counted of opening stands at the top', () => {
  const mail = mailOf(page('<img src="/a.png" alt="x"><a href="/b">b</a><p>c</p>'))
  assert.match(draw(mail, { hrefOf: () => undefined }).html, /<body style="margin:0"><a>b<\/a><p>c<\/p>/)
})

test('decision 73: the checks before sending see into own HTML', () => {
  const codes = (html: string, hasWebAddress = false) =>
    checkMail(mailOf(html), { bytesIn: () => 1_000, hasWebAddress }).map(({ code, node, value }) =>
      [code, node, value].filter(Boolean).join(' '),
    )
  assert.deepEqual(codes(PAGE), ['few_words 12'])
  assert.deepEqual(codes(page('')), ['nothing_said'])
  const many = `<p>${'word '.repeat(20)}</p>`
  assert.deepEqual(
    codes(
      page(`${many}<img src="/a.png"><a href="/b">b</a><a href="https://10.0.0.1/">c</a><a href="https://x.example/">bank.example</a>`),
    ),
    [
      'alt_missing html /a.png',
      'picture_missing html /a.png',
      'link_shows_other_host html.3 https://x.example/',
      'link_to_number html.2 https://10.0.0.1/',
      'link_leads_nowhere html.1 /b',
    ],
  )
  assert.deepEqual(codes(page(`${many}<img src="/a.png" alt=""><a href="/b">b</a>`), true), [])
  const large = mailOf(page(`<p>${'x'.repeat(99_000)}</p><a href="https://a.example/">a</a>`.repeat(1)))
  assert.ok(mailBytes(large, 'en') > 99_000)
  assert.ok(checkWholeMail(large, null).some(({ code }) => code === 'large' || code === 'too_large'))
})

test('decision 73: CSS comes out in one form, which stays as it is', () => {
  for (const [css, read] of [
    ['COLOR : Red ;; ', 'color:Red'],
    ['background: url( "https://a.example/x;y" ) no-repeat', "background:url('https://a.example/x;y') no-repeat"],
    ['background: url( https://a.example/x ) no-repeat', "background:url('https://a.example/x') no-repeat"],
    ['font-family: "Segoe UI", \'Noto\', خط', undefined],
    ['font-family: "Segoe UI", \'خط عربي\', sans-serif', "font-family:'Segoe UI', 'خط عربي', sans-serif"],
    ['width:calc(100% - (2 * 8px))', undefined],
    ['width:calc(100% - 16px) !important', 'width:calc(100% - 16px) !important'],
    ['color:rgba(0,0,0,.5);mso-line-height-rule:exactly', 'color:rgba(0,0,0,.5);mso-line-height-rule:exactly'],
    ['background:linear-gradient(90deg, rgb(1,2,3) 0%, #fff)', 'background:linear-gradient(90deg, rgb(1,2,3) 0%, #fff)'],
    ['color:red/* ; */;width:1px', 'color:red;width:1px'],
    ['color:red)', undefined],
    ['position:fixed', undefined],
  ] as [string, string | undefined][]) {
    const { css: written, dropped } = readDeclarations(css)
    assert.equal(written, read ?? '')
    if (read === undefined) assert.ok(dropped.length > 0)
    assert.deepEqual(readDeclarations(written), { css: written, dropped: [] })
  }
  const { css } = readStyleSheet(
    '@import "x"; a:hover, [data-ogsc] .b > td { color : red } @media  screen and (max-width:600px) { .c{width:100% !important} } @font-face{src:url(x)}',
  )
  assert.equal(css, 'a:hover, [data-ogsc] .b > td{color:red}@media screen and (max-width:600px){.c{width:100% !important}}')
  assert.deepEqual(readStyleSheet(css), { css, dropped: [] })
})
