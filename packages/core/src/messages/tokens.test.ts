import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillMember, fillTokens, neededTokensIn, tokensIn, type TokenValues } from './tokens.ts'

const of = (values: Partial<TokenValues>): TokenValues => ({
  name: null,
  email: null,
  phone: null,
  userId: null,
  customAttributes: {},
  enrichment: {},
  ...values,
})
const filled = (text: string, value: string) => {
  const fill = fillMember('ctaUrl', text, of({ name: value, email: value, phone: value, customAttributes: { x: value } }), null)
  return fill.ok ? fill.text : undefined
}

test('M-DISP-06 a value in a link is itself and nothing else: it begins no parameter, no part and no other link', () => {
  for (const [text, value, link] of [
    ['https://s.example/?n={{name}}&id=7', 'Tom & Co#1', 'https://s.example/?n=Tom%20%26%20Co%231&id=7'],
    ['https://s.example/?n={{name}}&id=7', 'x&id=1', 'https://s.example/?n=x%26id%3D1&id=7'],
    ['https://s.example/?n={{name}}', 'a+b', 'https://s.example/?n=a%2Bb'],
    ['https://s.example/?n={{name}}', 'Sara\r\nAli', 'https://s.example/?n=Sara%0D%0AAli'],
    ['https://s.example/?n={{name}}', 'سارة', 'https://s.example/?n=%D8%B3%D8%A7%D8%B1%D8%A9'],
    ['https://s.example/?n={{name}}', "O'Neil (b)*", 'https://s.example/?n=O%27Neil%20%28b%29%2A'],
    ['https://s.example/?n={{name}}', 'half \ud83d', 'https://s.example/?n=half%20%EF%BF%BD'],
    ['https://s.example/#{{name}}', 'a b', 'https://s.example/#a%20b'],
    ['https://s.example/u/{{name}}/x', 'a/b?c', 'https://s.example/u/a%2Fb%3Fc/x'],
    ['https://s.example/u/{{name}}/x', '..', undefined],
    ['/u/{{name}}', 'a/../b', '/u/a%2F..%2Fb'],
    ['/u?n={{name}}', 'a&b', '/u?n=a%26b'],
    ['myapp://orders/{{name}}', '7 a', 'myapp://orders/7%20a'],
    ['mailto:{{email}}', 'a@b.example', 'mailto:a@b.example'],
    ['mailto:{{email}}', 'a@b.example,c@d.example?cc=x', 'mailto:a@b.example%2Cc@d.example%3Fcc%3Dx'],
    ['tel:{{phone}}', '+966500000000', 'tel:+966500000000'],
    ['https://{{name}}.s.example/', 'riyadh', 'https://riyadh.s.example/'],
    ['https://{{name}}.s.example/', 'evil.example/', undefined],
    ['https://s.example{{name}}/', '@evil.example', undefined],
    ['https://{{name}}/', '', undefined],
    // A whole link, and what is behind it.
    ['{{customAttributes.x}}', 'https://s.example/a?b=c&d=e#f', 'https://s.example/a?b=c&d=e#f'],
    ['{{customAttributes.x}}', 'https://s.example/a b', 'https://s.example/a%20b'],
    ['{{customAttributes.x}}?n={{name}}', 'https://s.example/a', 'https://s.example/a?n=https%3A%2F%2Fs.example%2Fa'],
    ['{{customAttributes.x}}', 'http://s.example/', undefined],
    ['{{customAttributes.x}}', 'javascript:alert(1)', undefined],
    ['{{customAttributes.x}}', 'myapp://orders/7', 'myapp://orders/7'],
    ['{{customAttributes.x}}', '/offers', undefined],
    ['{{customAttributes.x}}', 'gold', undefined],
    ['{{customAttributes.x}}', 'https://s.example\n/x', undefined],
    ['{{customAttributes.x}}', 'https://', undefined],
  ] as const)
    assert.equal(filled(text, value), link, JSON.stringify([text, value]))
  const picture = (value: string) => fillMember('imageUrl', '{{customAttributes.x}}', of({ customAttributes: { x: value } }), null).ok
  assert.deepEqual(['http://s.example/a.png', 'https://s.example/a.png', '/a.png', 'a.png'].map(picture), [true, true, false, false])
})

test('M-DISP-06 the same in the links that a text holds; beside them a value is read', () => {
  for (const [text, shown] of [
    ['Hi {{name}}: https://s.example/?n={{name}}&id=7', 'Hi Tom & Co. ab: https://s.example/?n=Tom%20%26%20Co.ab&id=7'],
    ['https://s.example/{{name}} {{name}}', 'https://s.example/Tom%20%26%20Co.ab Tom & Co. ab'],
    ['www.s.example/?n={{name}}', 'www.s.example/?n=Tom%20%26%20Co.ab'],
    ['offers?n={{name}}', 'offers?n=Tom%20%26%20Co.ab'],
    ['<https://s.example/>{{name}}', '<https://s.example/>Tom & Co. ab'],
    ['https://s.example،{{name}}', 'https://s.example،Tom & Co. ab'],
    ['n={{name}}', 'n=Tom & Co. ab'],
  ] as const) {
    const fill = fillTokens(text, of({ name: 'Tom & Co.ab' }))
    assert.equal(fill.ok && fill.text, shown, text)
  }
})

test('to a tester tokens stand as they are written, in links too', () => {
  const values = of({ userId: '{{userId}}', customAttributes: { x: '{{customAttributes.x}}' } })
  for (const text of ['https://s.example/?u={{userId}}', '{{customAttributes.x}}', '{{customAttributes.x}}?u={{userId}}'])
    assert.deepEqual(fillMember('ctaUrl', text, values, null), { ok: true, text })
})

test('filling takes time in proportion to the text', () => {
  const values = of({ name: 'a b' })
  for (const part of ['{{name}}', 'https://s.example/{{name}}', ' {{name}}', 'a://', 'www.', '?=', 'https://a{{name}}?'])
    assert.equal(typeof fillTokens(`${part.repeat(20_000)}{{name}}`, values).ok, 'boolean', part)
})

test('a token may say what is said without a value, and how a value is written', () => {
  const known = { customAttributes: { total: 1234.5, at: '2026-12-02', empty: '', words: 'gold' }, language: 'en' }
  const say = (text: string, more: Partial<TokenValues> = known) => {
    const fill = fillTokens(text, of(more))
    return fill.ok ? fill.text : null
  }
  for (const [text, shown] of [
    ['Hi {{name | friend}}', 'Hi friend'],
    ['Hi{{ customAttributes.empty |}}!', 'Hi!'],
    ['{{customAttributes.words | silver}}', 'gold'],
    ['{{date customAttributes.at | soon}}', 'December 2, 2026'],
    ['{{date customAttributes.words | soon}}', 'soon'],
    ['{{number customAttributes.total}}', '1,234.5'],
    ['{{money SAR customAttributes.total}}', 'SAR 1,234.50'],
    ['{{money SAR customAttributes.words | 0}}', '0'],
    ['{{money SAR customAttributes.words}}', null],
    ['{{money sar customAttributes.total}}', null],
    ['{{number name | {x}}}', null],
    ['{{date }}', null],
    ['https://s.example/?n={{name | a friend}}', 'https://s.example/?n=a%20friend'],
  ] as const)
    assert.equal(say(text)?.replaceAll('\u00a0', ' ') ?? null, shown, text)
  assert.match(say('{{date customAttributes.at}}', { ...known, language: 'ar' }) ?? '', /ديسمبر/)
  assert.match(say('{{number customAttributes.total}}', { ...known, language: 'no such tag!' }) ?? '', /1,234\.5/)
  // A name that somebody chose is cut and made harmless in every place, as before.
  assert.equal(say('{{name | x}}', { name: 'www.evil.example' })?.includes('www.evil'), false)
  const texts = ['{{name | friend}} {{money SAR customAttributes.total}} {{event.a|b}}']
  assert.deepEqual(tokensIn(texts), ['name', 'customAttributes.total', 'event.a'])
  assert.deepEqual(neededTokensIn(texts), ['customAttributes.total'])
})
