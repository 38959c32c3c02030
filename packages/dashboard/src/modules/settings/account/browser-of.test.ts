import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserOf } from './browser-of.ts'

test('a browser is told by its name and system, a program as it names itself', () => {
  const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
  for (const [userAgent, told] of [
    [chrome, 'Chrome, Linux'],
    [`${chrome} Edg/140.0.0.0`, 'Edge, Linux'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1', 'Safari, iOS'],
    ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36', 'Chrome, Android'],
    ['Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox, Windows'],
    ['curl/8.10', 'curl/8.10'],
    ['', undefined],
  ] as const)
    assert.equal(browserOf(userAgent), told, userAgent)
})
