import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withFollowers, withMessage } from './step-content.ts'

const en = { title: 'Hello', imageUrl: '/1.png', ctaUrl: '/shop' }

test('a language takes image and link when it begins, and again where it clears its own', () => {
  const begun = withMessage({ en }, 'ar', { title: 'م' }, 'en')
  assert.deepEqual(begun['ar'], { title: 'م', imageUrl: '/1.png', ctaUrl: '/shop' })
  const own = withMessage(begun, 'ar', { ...begun['ar'], ctaUrl: '/ar' }, 'en')
  assert.equal(own['ar']?.ctaUrl, '/ar')
  assert.equal(withMessage(own, 'ar', { ...own['ar'], ctaUrl: '' }, 'en')['ar']?.ctaUrl, '/shop')
  assert.deepEqual(withMessage(begun, 'ar', { ...begun['ar'], title: '' }, 'en'), { en })
  const stored = { en, ar: { title: 'م' } }
  assert.deepEqual(withMessage(stored, 'ar', { title: 'مر' }, 'en')['ar'], { title: 'مر' })
  assert.deepEqual(withMessage({ ar: { title: 'م' } }, 'en', { title: 'H', ctaUrl: '' }, 'en')['en'], { title: 'H', ctaUrl: '' })
})

test('languages with the address of the source language follow it; others keep theirs', () => {
  const content = { en: { ...en, ctaUrl: '/new' }, ar: { title: 'م', ctaUrl: '/shop' }, fr: { title: 'f', ctaUrl: '/fr' } }
  const next = withFollowers(content, 'en', 'ctaUrl', '/shop')
  assert.deepEqual([next['ar']?.ctaUrl, next['fr']?.ctaUrl, next['en']?.ctaUrl], ['/new', '/fr', '/new'])
  assert.equal(withFollowers(content, 'en', 'ctaUrl', '/new'), content)
})
