import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ERRORS } from '../../server/src/errors.ts'
import { inArabic } from './refusals-ar.ts'

const refused = (status: number, asked: string, code?: string) => inArabic({ status, asked, code, message: 'plain words' })

test('a refusal with a code is said in Arabic, whatever was asked', () => {
  assert.equal(refused(409, 'POST /anything', 'STRING_EXISTS'), 'يوجد نص بهذا المفتاح.')
  assert.match(refused(503, 'GET /segments', 'UPSTREAM_UNAVAILABLE'), /مشغول/)
})

test('refusals without a code are told apart by what was asked and the status', () => {
  const conflicts = ['POST /members', 'DELETE /members/u1', 'POST /blocks', 'POST /blocks/a/instances', 'POST /locales', 'PUT /segments/s1']
  const said = conflicts.map((asked) => refused(409, asked))
  assert.equal(new Set(said).size, said.length)
  assert.match(refused(404, 'GET /segments/gone'), /حُذف/)
  assert.match(refused(500, 'GET /segments'), /الخادم/)
})

test('what is not known keeps the words of the server, each script in its own direction', () => {
  assert.equal(refused(400, 'PUT /segments/s1'), 'لم يقبل الخادم هذا الطلب: \u2068plain words\u2069')
  for (const code of Object.keys(ERRORS))
    assert.doesNotMatch(refused(400, 'PUT /x', code).replace(/plain words|ContentFlow|\u2066CF_[A-Z_]+\u2069/g, ''), /[A-Za-z]/)
})
