import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guessType, listFixedFields } from './field-types.ts'
import { FIXED_FIELDS, parseField } from './fields.ts'
import { fieldReader, NOBODY } from './subject.ts'

test('C-SEG-15..18 every fixed field of the grammar is listed once, and each is one that a rule may name', () => {
  const fields = listFixedFields()
  assert.equal(fields.length, Object.values(FIXED_FIELDS).flat().length + 1)
  assert.equal(new Set(fields.map(({ field }) => field)).size, fields.length)
  for (const { field } of fields) assert.ok(parseField(field).ok, field)
})

test('the type of a fixed field is that of what a rule finds there', () => {
  const subject = {
    ...NOBODY,
    demographic: { name: 'n', email: 'e', phone: 'p', country: 'SA', language: 'ar' },
    behavioral: { impressions: 1, clicks: 1, conversions: 1, dismissals: 1, eventsTotal: 1, lastActiveDays: 1 },
    device: { platform: 'ios', sdkVersion: '1', locale: 'ar' },
    consent: { push: true, sms: true, whatsapp: true, email: true, inApp: true, marketing: true, locationTracking: true, analytics: true },
    location: { country: 'SA', region: 'r', city: 'c' },
    metadata: { createdAt: '2026-01-01T00:00:00.000Z', lastSeenAt: '2026-01-01T00:00:00.000Z', environment: 'live' },
    lifecycle: { createdAt: 0, recentEvents: 0 },
    currentLocation: { latitude: 1, longitude: 2, at: '2026-01-01T00:00:00.000Z' },
  }
  for (const { field, type, values } of listFixedFields()) {
    const path = parseField(field)
    assert.ok(path.ok)
    const found = fieldReader(path.value)(subject, 0)
    const kind = type === 'date' ? 'string' : type === 'place' ? 'object' : type
    assert.equal(typeof found, kind, field)
    if (type === 'date') assert.equal(guessType({ string: 1 }, [found]), 'date', field)
    if (values) assert.ok((values as readonly unknown[]).includes(found), field)
  }
})

test('the type of an attribute is what most values are', () => {
  assert.equal(guessType({ string: 5, number: 2, null: 9 }, ['gold', 5]), 'string')
  assert.equal(guessType({ number: 2, string: 1 }, [5, '5']), 'number')
  assert.equal(guessType({ array: 1 }, ['a']), 'array')
  assert.equal(guessType({ boolean: 3 }, [true]), 'boolean')
  assert.equal(guessType({ object: 3 }, []), 'object')
  assert.equal(guessType({ null: 3 }, []), undefined)
  assert.equal(guessType({ string: 2 }, ['2026-01-01', '2026-02-01T10:00:00Z']), 'date')
  assert.equal(guessType({ string: 2 }, ['2026-01-01', 'soon']), 'string')
  assert.equal(guessType({ string: 2 }, []), 'string')
})
