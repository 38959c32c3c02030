import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { imageFault, urlFault } from './safe-url.ts'

const SEED = { seed: 20260301, numRuns: 2000 }
const SCRIPT = ['javascript', 'data', 'vbscript', 'file', 'blob', 'filesystem', 'view-source', 'about', 'jar']

const mayBeStored = (check: typeof urlFault, texts: string[]) => {
  for (const text of texts) assert.equal(check(text), undefined, JSON.stringify(text))
}
const isRefused = (check: typeof urlFault, texts: string[]) => {
  for (const text of texts) assert.equal(typeof check(text), 'string', JSON.stringify(text))
}

test('links that lead somewhere harmless may be stored', () => {
  mayBeStored(urlFault, [
    'https://a.example/x',
    'HTTPS://A.example',
    'https://a.example:8443/x?y=1&z=%20#part',
    'https://a.example?x',
    'mailto:someone@example.com',
    'mailto:a@example.com?subject=Hi',
    'tel:+96812345678',
    'sms:+96812345678',
    'myapp://offers/3',
    'my.app+x-1://offers',
    'com.example.app:/offers',
    '/',
    '/offers/3',
    '/offers?next=https://a.example',
    '/عروض',
  ])
})

test('code, local files and other pages of the system are refused, however the scheme is written', () => {
  isRefused(urlFault, [
    ...SCRIPT.flatMap((scheme) => [`${scheme}:x`, `${scheme.toUpperCase()}:x`, ` ${scheme}:x`, `${scheme}://x`, `\t${scheme}:x`]),
    'JaVaScRiPt:alert(1)',
    ' JaVaScRiPt:x',
    '\u0001javascript:x',
    'java\nscript:x',
    'java\tscript:x',
    'java\u0000script:x',
    'javascript\r\n:x',
    '\u00a0javascript:x',
    '\ufeffjavascript:x',
    '\u200bjavascript:x',
    'javascript&colon;x',
    '&#106;avascript:x',
    '%6aavascript:x',
    'javascript%3ax',
    'data:text/html;base64,PHNjcmlwdD4=',
  ])
})

test('programs and settings of the system are refused, whatever an app of somebody’s own is called', () => {
  const systems = ['ms-msdt', 'ms-word', 'ms-officecmd', 'ms-settings', 'search-ms', 'x-apple.systempreferences', 'x-apple-helpbasic']
  const browsers = ['chrome', 'edge', 'microsoft-edge', 'moz-extension', 'devtools', 'vscode', 'intent', 'itms-services', 'smb', 'ssh']
  isRefused(
    urlFault,
    [...systems, ...browsers].flatMap((scheme) => [`${scheme}:/id PCWDiagnostic`, `${scheme.toUpperCase()}://x`]),
  )
  mayBeStored(urlFault, [
    'msapp://offers',
    'my-ms-app://offers',
    'app://offers',
    'shop.example:/offers',
    'geo:21.4,39.8',
    'whatsapp://send',
  ])
})

test('what is no complete link is refused', () => {
  isRefused(urlFault, [
    'http://a.example/x',
    'ftp://a.example',
    'https:',
    'https://',
    'https:a.example',
    'https:/a.example',
    'https:///x',
    'https://?x',
    'https://bank.example@evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    'offers/3',
    'a.example',
    '#part',
    '?x',
    'mailto:',
    'tel:',
    'myapp:',
    ':x',
    '1app://x',
    'https://a.example/x ',
    'https://a.example/\u0007',
    '/x\u007f',
  ])
})

test('an image address is an http(s) link or a path', () => {
  mayBeStored(imageFault, ['https://cdn.example/a.png', 'http://cdn.local:9000/a.png', 'HTTP://CDN.example/a', '/assets/a.png'])
  isRefused(imageFault, [
    'javascript:x',
    'data:image/svg+xml,<svg onload=x>',
    'file:///etc/passwd',
    'blob:https://a.example/1',
    'myapp://a.png',
    'a.png',
    '//cdn.example/a.png',
    'http://',
    'https://user@cdn.example/a.png',
    ' https://cdn.example/a.png',
  ])
})

test('no mix of case, blanks and control characters gets an unsafe scheme past the check of a lenient parser', () => {
  const dirt = fc
    .array(fc.constantFrom('\t', '\n', '\r', ' ', '\u0000', '\u000b', '\u001f', '\u00a0'), { maxLength: 3 })
    .map((parts) => parts.join(''))
  const scheme = fc.constantFrom(...SCRIPT)
  const link = fc
    .tuple(dirt, scheme, fc.array(fc.tuple(fc.boolean(), dirt), { minLength: 12, maxLength: 12 }), dirt, fc.string())
    .map(([before, word, marks, between, rest]) => {
      const letters = word.split('').map((letter, i) => (marks[i]?.[0] ? letter.toUpperCase() : letter) + (marks[i]?.[1] ?? ''))
      return `${before}${letters.join('')}${between}:${rest}`
    })
  fc.assert(
    fc.property(link, (text) => {
      assert.equal(typeof urlFault(text), 'string')
      assert.equal(typeof imageFault(text), 'string')
    }),
    SEED,
  )
})

test('whatever passes has, as a browser reads it, a harmless scheme or the same host', () => {
  const unsafe = new Set(SCRIPT.map((scheme) => `${scheme}:`))
  const piece = fc.constantFrom(
    '/',
    '\\',
    ':',
    '@',
    'https',
    'javascript',
    'data',
    'a.example',
    'x',
    ' ',
    '\t',
    '\n',
    '?',
    '#',
    '.',
    '..',
    '%2f',
    '%0a',
    '//',
  )
  const text = fc.oneof(
    fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
    fc.string(),
    fc.webUrl(),
  )
  fc.assert(
    fc.property(text, (link) => {
      if (urlFault(link) !== undefined) return
      const read = URL.parse(link, 'https://app.example')
      if (!read) return
      assert.ok(!unsafe.has(read.protocol), link)
      if (link.startsWith('/')) assert.equal(read.host, 'app.example', link)
    }),
    { ...SEED, numRuns: 5000 },
  )
})
