import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledUrlFault, linksFault, newAppLinks, readLinkSchemes, schemeFault, schemeNameFault } from './link-schemes.ts'

test('names of schemes are those of RFC 3986 in small letters, and none that is refused everywhere or accepted anyway', () => {
  const names: [string, ReturnType<typeof schemeNameFault>][] = [
    ['myshop', undefined],
    ['com.example.shop', undefined],
    ['web+shop', undefined],
    ['a', undefined],
    ['x-shop1', undefined],
    ['a'.repeat(40), undefined],
    ['a'.repeat(41), 'syntax'],
    ['', 'syntax'],
    ['MyShop', 'syntax'],
    ['1shop', 'syntax'],
    ['my_shop', 'syntax'],
    ['my shop', 'syntax'],
    ['myshop:', 'syntax'],
    ['myshop://', 'syntax'],
    ['متجر', 'syntax'],
    ['https', 'common'],
    ['mailto', 'common'],
    ['tel', 'common'],
    ['sms', 'common'],
    ...[
      'http',
      'javascript',
      'data',
      'vbscript',
      'file',
      'blob',
      'search-ms',
      'ms-msdt',
      'ms-settings',
      'intent',
      'x-apple.systempreferences',
    ].map((name) => [name, 'unsafe'] as [string, 'unsafe']),
  ]
  for (const [name, fault] of names) assert.equal(schemeNameFault(name), fault, name)
})

test('a list is null or at most 20 names, each once, kept in one order', () => {
  assert.deepEqual(readLinkSchemes(null), { ok: true, value: null })
  assert.deepEqual(readLinkSchemes([]), { ok: true, value: [] })
  assert.deepEqual(readLinkSchemes(['shop', 'app']), { ok: true, value: ['app', 'shop'] })
  const many = Array.from({ length: 20 }, (_, n) => `app${n}`)
  assert.equal(readLinkSchemes(many).ok, true)
  for (const wrong of [undefined, 'app', {}, [1], [null], ['app', 'app'], [...many, 'more'], ['app', 'data'], ['https']])
    assert.equal(readLinkSchemes(wrong).ok, false, JSON.stringify(wrong))
})

test('without a list every link passes; with one those of the web, mail and phones, paths, and of what it names', () => {
  const links = [
    'https://a.example',
    'mailto:a@example.com',
    'tel:1',
    'sms:1',
    '/offers',
    'shop://x',
    'SHOP:/x',
    '{{customAttributes.link}}',
  ]
  for (const link of links) assert.equal(schemeFault(link, ['shop']), undefined, link)
  for (const link of ['other://x', 'shop2://x', 'other://{{name}}']) {
    assert.equal(schemeFault(link, null), undefined)
    assert.match(schemeFault(link, ['shop']) ?? '', /^must not use (other|shop2): links: this workspace takes .*, shop and paths$/)
  }
})

test('a scheme that a token brings is judged when it is filled, one that stands there was judged when it was written', () => {
  const cases: [written: string, filled: string, list: string[] | null, isTaken: boolean][] = [
    ['{{customAttributes.link}}', 'other://x', null, true],
    ['{{customAttributes.link}}', 'other://x', [], false],
    ['{{customAttributes.link}}', 'other://x', ['other'], true],
    ['{{customAttributes.link}}', 'https://a.example', [], true],
    ['{{customAttributes.link}}', 'javascript:x', null, false],
    ['o{{name}}', 'other://x', [], false],
    ['other://{{name}}', 'other://x', [], true],
    ['/{{name}}', '/other:x', [], true],
  ]
  for (const [written, filled, list, isTaken] of cases)
    assert.equal(filledUrlFault(written, filled, list) === undefined, isTaken, `${written} ${filled} ${JSON.stringify(list)}`)
})

test('what was there before stays, wherever it stands; what anybody takes is nobody’s matter', () => {
  const at = (place: string, url: string) => ({ at: place, url })
  const before = [at('a', 'old://x')]
  const after = [at('b', 'old://x'), at('c', 'https://a.example'), at('d', 'new://x')]
  assert.deepEqual(newAppLinks(after, before), [at('d', 'new://x')])
  assert.equal(linksFault(after, null), undefined)
  assert.match(linksFault(after, ['old']) ?? '', /^d must not use new: links/)
  assert.equal(linksFault([], []), undefined)
})
