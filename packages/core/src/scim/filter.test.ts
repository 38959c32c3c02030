import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matches, parseFilter, parsePath } from './filter.ts'
import { GROUP, USER } from './shapes.ts'

const USERS = {
  a: { id: 'a', userName: 'Amal@Example.com', externalId: 'X1', active: true, name: { givenName: 'Amal' } },
  b: {
    id: 'b',
    userName: 'badr',
    active: false,
    emails: [
      { value: 'b@work.example', type: 'work', primary: true },
      { value: 'b@home.example', type: 'home' },
    ],
  },
}
function found(filter: string): string[] | string {
  const read = parseFilter(filter)
  if (!read.ok) return read.fault.scimType
  return Object.values(USERS).flatMap((user) => (matches(USER, user, read.value) ? [user.id] : []))
}

test('filters that directories send find whom they mean', () => {
  for (const [filter, ids] of [
    ['userName eq "amal@example.COM"', ['a']],
    ['USERNAME EQ "badr"', ['b']],
    ['externalId eq "X1"', ['a']],
    ['externalId eq "x1"', []],
    ['id eq "b"', ['b']],
    ['active eq true', ['a']],
    ['active eq "False"', ['b']],
    ['name.givenName eq "amal"', ['a']],
    ['emails eq "b@home.example"', ['b']],
    ['emails.value eq "B@WORK.example"', ['b']],
    ['emails.type eq "home"', ['b']],
    ['emails[type eq "work"].value eq "b@work.example"', ['b']],
    ['emails[type eq "home"].value eq "b@work.example"', []],
    ['emails[type eq "work" and value eq "b@work.example"]', ['b']],
    ['emails[primary eq true].value eq "b@work.example"', ['b']],
    ['userName eq "badr" and active eq false', ['b']],
    ['userName eq "badr" and active eq true', []],
    ['manager eq "x"', []],
    ['emails[manager eq "x"].value eq "b@work.example"', []],
    ['  userName   eq   "badr"  ', ['b']],
    ['userName eq "a \\"quoted\\" \\u0041"', []],
    ['__proto__ eq "x"', 'invalidFilter'],
    ['constructor eq "x"', []],
  ] as const)
    assert.deepEqual(found(filter), ids, filter)
})

test('anything else is an invalid filter, in time that does not grow with its shape', () => {
  for (const filter of [
    '',
    'userName',
    'userName eq',
    'userName eq x',
    'userName eq 5',
    'userName eq null',
    'userName ne "x"',
    'userName co "x"',
    'userName pr',
    'not (userName eq "x")',
    '(userName eq "x")',
    'userName eq "x" or userName eq "y"',
    'userName eq "x" and',
    'userName eq "x" userName eq "y"',
    'userName eq "x',
    'userName eq "\\x"',
    'emails[type eq "work"',
    'emails[type eq "work"].',
    'emails[].value eq "x"',
    'emails[a[b eq "c"].d eq "e"].value eq "x"',
    'emails[type eq "work"]].value eq "x"',
    'a.b.c eq "x"',
    Array.from({ length: 11 }, () => 'userName eq "x"').join(' and '),
    `userName eq "${'x'.repeat(2_000)}"`,
    'a eq "'.repeat(150),
    `a${' '.repeat(900)}b`,
    'a[a eq "'.repeat(120),
  ])
    assert.equal(found(filter), 'invalidFilter', filter.slice(0, 80))
})

test('paths of a PATCH name an attribute, a member of it, and elements', () => {
  assert.deepEqual(parsePath('userName'), { path: ['username'] })
  assert.deepEqual(parsePath('name.familyName'), { path: ['name', 'familyname'] })
  assert.deepEqual(parsePath('emails[type eq "work"].value'), {
    path: ['emails', 'value'],
    where: [{ path: ['type'], value: 'work' }],
  })
  assert.deepEqual(parsePath('members[value eq "1"]')?.where, [{ path: ['value'], value: '1' }])
  for (const wrong of ['', '.', 'a.', 'a..b', 'a[', 'a[]', 'a[b ne "c"]', 'a eq "b"', 'a b'])
    assert.equal(parsePath(wrong), undefined, wrong)
})

test('groups are found by whom they hold', () => {
  const group = { id: 'g', displayName: 'Writers', members: [{ value: 'u1' }] }
  const is = (filter: string) => {
    const read = parseFilter(filter)
    return read.ok && matches(GROUP, group, read.value)
  }
  assert.deepEqual(
    ['members eq "u1"', 'members.value eq "u1"', 'members[value eq "u1"]', 'displayName eq "writers" and members eq "u1"'].map(is),
    [true, true, true, true],
  )
  assert.deepEqual(['members eq "U1"', 'members[value eq "u2"]'].map(is), [false, false])
})
