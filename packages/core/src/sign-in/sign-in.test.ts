import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readGroups, rolesFromGroups } from './groups.ts'
import { domainOf, issuerFault, readDomain } from './provider.ts'
import { readReturnTo } from './return-to.ts'
import { idTokenFault, logoutTokenFault } from './tokens.ts'

test('groups stand under a name or a path of names; those that are left out are too many, not none', () => {
  const read = (claims: Record<string, unknown>, claim = 'groups') => readGroups(claims, claim)
  assert.deepEqual(read({ groups: ['a', 'b', 5, null] }), { isTooMany: false, groups: ['a', 'b'] })
  assert.deepEqual(read({ groups: 'a' }), { isTooMany: false, groups: ['a'] })
  assert.deepEqual(read({}), { isTooMany: false, groups: undefined })
  assert.deepEqual(read({ groups: null }), { isTooMany: false, groups: undefined })
  assert.deepEqual(read({ realm_access: { roles: ['a'] } }, 'realm_access.roles'), { isTooMany: false, groups: ['a'] })
  assert.deepEqual(read({ 'https://example.com/groups': ['a'] }, 'https://example.com/groups'), { isTooMany: false, groups: ['a'] })
  assert.deepEqual(read({ realm_access: 'x' }, 'realm_access.roles'), { isTooMany: false, groups: undefined })
  assert.deepEqual(read({}, '__proto__.x'), { isTooMany: false, groups: undefined })
  assert.deepEqual(read({ _claim_names: { groups: 'src1' } }), { isTooMany: true })
  assert.deepEqual(read({ hasgroups: true }), { isTooMany: true })
  assert.deepEqual(read({ _claim_names: { roles: 'src1' }, groups: [] }), { isTooMany: false, groups: [] })
})

test('the first row that fits a workspace decides; none leaves the default, or nothing', () => {
  const row = (group: string, workspaceId: string, role: 'admin' | 'editor' | 'viewer', canApprove = false) => ({
    group,
    workspaceId,
    role,
    canApprove,
  })
  const mapping = [row('a', 'w1', 'editor', true), row('b', 'w1', 'admin'), row('b', 'w2', 'viewer')]
  const roles = (groups: string[], defaultRole: 'viewer' | null = null) =>
    rolesFromGroups({ mapping, defaultRole, workspaceIds: ['w1', 'w2', 'w1'] }, groups).map((each) => [
      each.workspaceId,
      each.role,
      each.canApprove,
      each.isDefault,
    ])
  assert.deepEqual(roles(['b', 'a']), [
    ['w1', 'editor', true, false],
    ['w2', 'viewer', false, false],
  ])
  assert.deepEqual(roles(['A', 'ab']), [])
  assert.deepEqual(roles(['a'], 'viewer'), [
    ['w1', 'editor', true, false],
    ['w2', 'viewer', false, true],
  ])
})

test('an issuer is one provider’s, and encrypted; without encryption only on this machine, where it may be called', () => {
  for (const right of [
    'https://accounts.google.com',
    'https://a.example/realms/b',
    'https://login.microsoftonline.com/0f0f/v2.0',
    'https://a.example:8443/',
  ])
    assert.equal(issuerFault(right, false), undefined, right)
  for (const wrong of [
    '',
    'x',
    'ftp://a.example',
    'https://',
    'https://a.example?x=1',
    'https://a.example/#x',
    'https://u:p@a.example',
    'https://a example',
    'http://a.example',
    'http://localhost.evil.example',
    'https://login.microsoftonline.com/common/v2.0',
    'https://login.microsoftonline.us/organizations',
    'https://login.microsoftonline.com/{tenantid}/v2.0',
  ])
    assert.notEqual(issuerFault(wrong, true), undefined, wrong)
  assert.equal(issuerFault('http://localhost:8080/realms/a', true), undefined)
  assert.notEqual(issuerFault('http://localhost:8080/realms/a', false), undefined)
})

test('domains are compared in one form', () => {
  for (const [text, domain] of [
    ['Example.COM', 'example.com'],
    [' a.example. ', 'a.example'],
    ['xn--mgbh0fb.xn--mgberp4a5d4ar', 'xn--mgbh0fb.xn--mgberp4a5d4ar'],
    ['localhost', undefined],
    ['-a.example', undefined],
    ['a..example', undefined],
    ['a_b.example', undefined],
    ['1.2.3.4', undefined],
    [`${'x'.repeat(64)}.example`, undefined],
  ] as const)
    assert.equal(readDomain(text), domain, text)
  assert.equal(domainOf('a@b@C.example'), 'c.example')
  assert.equal(domainOf('nobody'), undefined)
})

test('one comes back to a page of this server, or to its first', () => {
  for (const page of ['/', '/w/a', '/w/a?x=//y#z', '/w/a/..b']) assert.equal(readReturnTo(page), page)
  for (const elsewhere of [
    undefined,
    '',
    'w',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/w\\..',
    '/\t/evil.example',
    '/./x',
    '/../x',
    '/w/..',
    '/.//evil.example',
    '/api/v1/auth/logout',
    '/api',
    '/é',
    `/${'x'.repeat(2_000)}`,
    'javascript:alert(1)',
  ])
    assert.equal(readReturnTo(elsewhere), '/', String(elsewhere))
})

test('tokens say what they have to', () => {
  const now = 1_000_000
  const right = { sub: 's', aud: 'c', nonce: 'n', iat: now, exp: now + 60 }
  const id = (change: object) => idTokenFault({ ...right, ...change }, { clientId: 'c', nonce: 'n', now })
  assert.deepEqual(
    [id({}), id({ iat: now + 60 }), id({ aud: ['c'] }), id({ aud: ['c', 'd'], azp: 'c' })],
    [undefined, undefined, undefined, undefined],
  )
  assert.deepEqual(
    [
      id({ sub: '' }),
      id({ sub: 'a\ud800' }),
      id({ nonce: 'm' }),
      id({ iat: now + 61 }),
      id({ iat: NaN }),
      id({ exp: undefined }),
      id({ azp: 'd' }),
      id({ aud: ['c', 'd'] }),
    ],
    ['sub', 'sub', 'nonce', 'iat', 'iat', 'exp', 'azp', 'azp'],
  )
  const out = { jti: 'j', iat: now, sub: 's', events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }
  const logout = (change: object) => logoutTokenFault({ ...out, ...change }, now)
  assert.deepEqual([logout({}), logout({ sub: undefined, sid: 'x' })], [undefined, undefined])
  assert.deepEqual(
    [
      logout({ nonce: undefined }),
      logout({ jti: '' }),
      logout({ iat: '1' }),
      logout({ events: [] }),
      logout({ events: null }),
      logout({ sub: undefined }),
      logout({ sid: 1 }),
    ],
    ['nonce', 'jti', 'iat', 'events', 'events', 'sub', 'sid'],
  )
})
