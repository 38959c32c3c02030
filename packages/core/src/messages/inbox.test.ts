import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chosenContent } from '../campaigns/render-item.ts'
import { faultOfInbox, inboxDaysOf, inboxLocale, inboxTexts } from './inbox.ts'
import type { TokenValues } from './tokens.ts'

const SARA: TokenValues = { name: 'Sara', email: null, phone: null, userId: 'U', customAttributes: {}, enrichment: {} }

test('a stay is a whole number of days from 1 to 90, and nothing besides', () => {
  for (const days of [1, 30, 90]) assert.equal(faultOfInbox('at', { days }), undefined)
  for (const days of [0, 91, 1.5, '5', null, undefined]) assert.match(faultOfInbox('at', { days }) ?? '', /^at\.days must be/)
  assert.equal(faultOfInbox('at', { days: 5, hours: 1 }), 'at takes days, nothing else')
  for (const value of [5, 'x', null, [5]]) assert.equal(faultOfInbox('at', value), 'at must be an object with days')
})

test('the longest stay of the locales holds; without one the message does not stay', () => {
  assert.equal(inboxDaysOf({ en: { inbox: { days: 5 } }, ar: { inbox: { days: 9 } }, fr: {} }), 9)
  assert.equal(inboxDaysOf({ en: {} }), undefined)
})

test('it is in the language asked for, else the source language, else in one that there is', () => {
  assert.equal(inboxLocale(['en', 'ar'], 'ar-SA', 'en'), 'ar')
  assert.equal(inboxLocale(['en', 'ar'], 'fr', 'ar'), 'ar')
  assert.equal(inboxLocale(['ar'], 'fr', 'en'), 'ar')
  assert.equal(inboxLocale([], 'fr', 'en'), undefined)
})

test('what waits for a value that is not known is left out, the rest is there', () => {
  const content = { title: 'Hi {{name}}', body: '{{email}}', ctaLabel: 'Go', ctaUrl: '{{customAttributes.link}}', imageUrl: '' }
  assert.deepEqual(inboxTexts(content, SARA, null), { title: 'Hi Sara', ctaLabel: 'Go' })
  assert.deepEqual(inboxTexts(content, undefined, null), { ctaLabel: 'Go' })
})

test('apps are not shown for how long it stays', () => {
  assert.deepEqual(chosenContent({ title: 't', inbox: { days: 5 }, variants: [{ id: 'a', weight: 1, values: { body: 'b' } }] }, 0), {
    title: 't',
    body: 'b',
  })
})
