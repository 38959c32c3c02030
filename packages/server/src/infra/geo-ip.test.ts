import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readGeoLocation } from './geo-ip.ts'

test('places are read from the records of every common kind of file', () => {
  const geoLite = { country: { iso_code: 'SA' }, subdivisions: [{ names: { en: 'Riyadh Region' } }], city: { names: { en: 'Riyadh' } } }
  assert.deepEqual(readGeoLocation(geoLite), { country: 'SA', region: 'Riyadh Region', city: 'Riyadh' })
  assert.deepEqual(readGeoLocation({ country_code: 'SA', state1: 'Makkah', city: 'Jeddah' }), {
    country: 'SA',
    region: 'Makkah',
    city: 'Jeddah',
  })
  for (const record of [null, undefined, {}, { country: 'SA' }, { country_code: '', city: {}, subdivisions: {} }, 'x'])
    assert.deepEqual(readGeoLocation(record), { country: null, region: null, city: null })
})
