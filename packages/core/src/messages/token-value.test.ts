import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameInMessage, valueInMessage } from './token-value.ts'

test('a value is one line and no link; what people are called stays readable', () => {
  for (const [value, shown] of [
    ['Sara', 'Sara'],
    ['سارة العتيبي', 'سارة العتيبي'],
    ['J.R.R. Tolkien', 'J.R.R. Tolkien'],
    ['3.50', '3.50'],
    ['1,200.00 SAR', '1,200.00 SAR'],
    ['a.m.', 'a.m.'],
    ['👩‍👩‍👧 می‌خواهم', '👩‍👩‍👧 می‌خواهم'],
    ['Dr.Sara', 'Dr. Sara'],
    ['two\r\n\tlines\u2028three\u2029four\u0085five', 'two lines three four five'],
    ['https://evil.example/a?b', 'https evil. example/a?b'],
    ['www.evil.example', 'www. evil. example'],
    ['WIN NOW evil.EXAMPLE', 'WIN NOW evil. EXAMPLE'],
    ['evil\u200b.\u2060com', 'evil. com'],
    ['evil\uff0ecom evil\u3002com', 'evil\uff0e com evil\u3002 com'],
    ['موقع.كوم', 'موقع. كوم'],
    ['a.xn--p1ai', 'a. xn--p1ai'],
    ['http://10.0.0.1/x', 'http 10. 0.0.1/x'],
    ['\u202eevil\u202c', 'evil'],
    ['\u2066a\u2069\u200eb', 'a\u200eb'],
    ['\n\u200b', ''],
    ['sara@shop.example', 'sara@shop.example'],
    ['http://evil.example/@a.example', 'http evil. example/@a. example'],
    ['write to sara@shop.example', 'write to sara@shop. example'],
  ] as const)
    assert.equal(valueInMessage(value), shown, JSON.stringify(value))
  assert.equal(nameInMessage('sara@shop.example'), 'sara@shop. example')
})

test('a name has at most a hundred characters, whole ones', () => {
  assert.equal(nameInMessage('x'.repeat(320)), 'x'.repeat(100))
  assert.equal(nameInMessage('👩‍👩‍👧'.repeat(101)), '👩‍👩‍👧'.repeat(100))
  assert.equal(nameInMessage(`${'x'.repeat(99)} y z`), 'x'.repeat(99))
})

test('it takes time in proportion to the text', () => {
  for (const part of ['.', 'a.', '1.', '://', '\u200b', 'é.', '. ']) {
    // By its square it would take minutes.
    assert.ok(valueInMessage(part.repeat(200_000)).length < 1_000_000, part)
  }
})
