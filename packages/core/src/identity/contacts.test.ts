import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../blocks/field.ts'
import { readContacts } from './contacts.ts'

const E164 = (text: string, country: string | undefined) => (/^\d+$/.test(text) && country ? `+${country}:${text}` : undefined)
const read = (rows: Json[], defaultCountry?: string) =>
  readContacts(rows, { defaultCountry, parsePhone: E164, refusePlaceholderIds: false })
const faults = (rows: Json[]) => read(rows).errors.map(({ index, userId, field }) => [index, userId, field])

test('M-BULK-06 a row is read whole, and what nobody knows is ignored', () => {
  const row = {
    userId: 'U',
    email: 'a@b.co',
    phone: '12',
    country: 'sa',
    deviceToken: 't',
    platform: 'web',
    consent: { push: true, sms: false, fax: 1 },
  }
  const { contacts, errors } = read([{ ...row, vip: 1 }])
  assert.deepEqual(errors, [])
  const known = { index: 0, userId: 'U', email: 'a@b.co', phone: '+SA:12', country: 'SA', token: 't', platform: 'web' }
  assert.deepEqual(contacts, [{ ...known, channels: { push: true, sms: false } }])
})

test('M-BULK-08 what is left out or null is nothing that was said', () => {
  const nothing = { email: null, phone: null, country: null, deviceToken: null, platform: null, consent: null }
  const { contacts, errors } = read([{ userId: 'U' }, { userId: 'U', ...nothing }, { userId: 'U', consent: { push: null } }])
  assert.deepEqual(errors, [])
  assert.deepEqual(
    contacts,
    [0, 1, 2].map((index) => ({ index, userId: 'U', channels: {} })),
  )
})

test('M-BULK-09 rows without a user are left out', () => {
  const rows: Json[] = ['x', null, 7, [], {}, { userId: '' }, { userId: ' ' }, { userId: 7 }, { userId: 'x'.repeat(257) }]
  assert.deepEqual(read(rows).contacts, [])
  assert.deepEqual(
    read(rows).errors.map(({ index, field }) => [index, field]),
    rows.map((_, index) => [index, 'userId']),
  )
  assert.equal(read([{ userId: 'x'.repeat(256) }]).contacts.length, 1)
})

test('M-BULK-10 a field that cannot be used is left out and named', () => {
  for (const email of ['x', 'a@b', '@b.co', 'a b@c.co', 'a@b.co, c@d.co', 7, {}, '', 'x'.repeat(400) + '@b.co'])
    assert.deepEqual(faults([{ userId: 'U', email }]), [[0, 'U', 'email']], JSON.stringify(email))
  for (const country of ['Saudi', 'S', '', 966, 'S1', '\u0130S'])
    assert.deepEqual(faults([{ userId: 'U', country }]), [[0, 'U', 'country']])
  for (const phone of ['call', 5, [], '']) assert.deepEqual(faults([{ userId: 'U', phone, country: 'SA' }]), [[0, 'U', 'phone']])
  for (const consent of [[], 'yes', true]) assert.deepEqual(faults([{ userId: 'U', consent }]), [[0, 'U', 'consent']])
  for (const inApp of [1, 'true', {}]) assert.deepEqual(faults([{ userId: 'U', consent: { inApp } }]), [[0, 'U', 'consent.inApp']])
  for (const platform of ['windows', 7, 'iOS']) assert.deepEqual(faults([{ userId: 'U', platform }]), [[0, 'U', 'platform']])
  const { contacts } = read([{ userId: 'U', email: 'x', country: 'SA', consent: { push: 'yes', sms: true } }])
  assert.deepEqual(contacts, [{ index: 0, userId: 'U', country: 'SA', channels: { sms: true } }])
})

test('a token needs its platform, and is text', () => {
  assert.deepEqual(faults([{ userId: 'U', deviceToken: 't' }]), [[0, 'U', 'platform']])
  for (const deviceToken of ['', '  ', 7, {}, 'x'.repeat(4097)])
    assert.deepEqual(faults([{ userId: 'U', deviceToken, platform: 'ios' }]), [[0, 'U', 'deviceToken']])
})

test('M-BULK-13 a national number is read by the country of its row, else by that of the request', () => {
  const rows = [
    { userId: 'U', phone: '1', country: 'EG' },
    { userId: 'U2', phone: '1' },
    { userId: 'U3', phone: '1', country: 'x' },
  ]
  assert.deepEqual(
    read(rows, 'SA').contacts.map(({ phone, country }) => [phone, country]),
    [
      ['+EG:1', 'EG'],
      ['+SA:1', undefined],
      ['+SA:1', undefined],
    ],
  )
  assert.deepEqual(
    read(rows).contacts.map(({ phone }) => phone),
    ['+EG:1', undefined, undefined],
  )
})
