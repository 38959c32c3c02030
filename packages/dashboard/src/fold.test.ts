import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holds } from './fold.ts'

test('a search finds words anywhere, however Arabic letters and accents are written', () => {
  assert.equal(holds(['إعدادات: الأعضاء'], 'اعضاء اعدادات'), true)
  assert.equal(holds(['مُحَمَّد'], 'محمد'), true)
  assert.equal(holds(['مكتبة'], 'مكتبه'), true)
  assert.equal(holds(['Café ١٢'], 'cafe 12'), true)
  assert.equal(holds(['عبد الله الحربي'], 'عبدالله'), true)
  assert.equal(holds(['عبدالله الحربي'], 'عبد الله'), true)
  assert.equal(holds(['محمد محمود'], 'دمحم'), false)
  assert.equal(holds(['New segment'], 'segment old'), false)
})
