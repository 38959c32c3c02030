import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysLeft, deadlineOf, dueOn, extendedTo, REQUEST_KINDS, REQUEST_LAWS, type RequestKind, type RequestLaw } from './deadlines.ts'
import { isWaiting, mayBecome, REQUEST_STATES } from './subject-requests.ts'

const CASES: [law: RequestLaw, kind: RequestKind, receivedOn: string, due: string, extended: string | undefined][] = [
  ['pdpl_ksa', 'access', '2026-01-31', '2026-03-02', '2026-04-01'],
  ['pdpl_ksa', 'erasure', '2028-02-01', '2028-03-02', '2028-04-01'],
  ['gdpr', 'access', '2026-03-15', '2026-04-15', '2026-06-15'],
  ['gdpr', 'access', '2026-01-31', '2026-02-28', '2026-04-30'],
  ['gdpr', 'access', '2028-01-30', '2028-02-29', '2028-04-30'],
  ['gdpr', 'portability', '2026-12-31', '2027-01-31', '2027-03-31'],
  ['gdpr', 'objection', '2026-10-31', '2026-11-30', '2027-01-31'],
  ['dpdp', 'grievance', '2026-01-01', '2026-04-01', undefined],
  ['dpdp', 'access', '2026-01-01', '2026-01-31', undefined],
]

test('a deadline is that of its law: days, or the same day of a later month, else its last', () => {
  for (const [law, kind, receivedOn, due, extended] of CASES) {
    assert.equal(dueOn({ law, kind, receivedOn }), due, `${law} ${kind} ${receivedOn}`)
    assert.equal(extendedTo({ law, kind, receivedOn }), extended, `${law} ${kind} ${receivedOn} extended`)
  }
})

test('where the law leaves the period to the organisation, its own one counts, within what the law allows', () => {
  const asked = { kind: 'access' as const, receivedOn: '2026-01-01' }
  assert.equal(dueOn({ ...asked, law: 'dpdp', publishedDays: 7 }), '2026-01-08')
  assert.equal(dueOn({ ...asked, law: 'dpdp', publishedDays: 90 }), '2026-04-01')
  for (const publishedDays of [0, 91]) assert.equal(dueOn({ ...asked, law: 'dpdp', publishedDays }), undefined)
  assert.equal(dueOn({ ...asked, law: 'gdpr', publishedDays: 7 }), undefined)
})

test('every law and kind has a deadline with its article, and no extension moves it back', () => {
  for (const law of REQUEST_LAWS)
    for (const kind of REQUEST_KINDS) {
      assert.match(deadlineOf(law, kind).article, /\d/)
      const due = dueOn({ law, kind, receivedOn: '2026-05-31' }) ?? assert.fail()
      assert.ok(due > '2026-05-31' && (extendedTo({ law, kind, receivedOn: '2026-05-31' }) ?? '9999') > due)
    }
})

test('days that are left: 0 on the last one, below it when it is over', () => {
  assert.deepEqual(
    ['2026-03-01', '2026-03-05', '2026-03-06'].map((today) => daysLeft('2026-03-05', today)),
    [4, 0, -1],
  )
})

test('what is done or refused stays so; the rest may go on', () => {
  assert.deepEqual(
    REQUEST_STATES.filter((state) => isWaiting(state)),
    ['open', 'verifying'],
  )
  for (const from of ['done', 'refused'] as const) for (const to of REQUEST_STATES) assert.equal(mayBecome(from, to), false)
  assert.ok(
    mayBecome('open', 'verifying') && mayBecome('verifying', 'open') && mayBecome('open', 'done') && mayBecome('verifying', 'refused'),
  )
})
