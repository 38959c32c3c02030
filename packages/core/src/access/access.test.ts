import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allows, includes, intersect, isRefused, LIMIT_NAMES, type Grant, type Limits, type Target } from './allows.ts'
import { grantOfMember, grantOfService, isApprover } from './grants.ts'
import { maskContacts } from './mask-contacts.ts'
import { PERMISSIONS, permissionsOf, type Permission } from './permissions.ts'
import { tokenText, workspaceOfToken } from './token.ts'

let state = 7
const chance = (): number => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
const some = (names: readonly string[]) => names.filter(() => chance() < 0.5)
const NAMES = ['a', 'b', 'c']

const drawLimits = (): Limits => Object.fromEntries(LIMIT_NAMES.filter(() => chance() < 0.3).map((name) => [name, some(NAMES)]))
const drawTarget = (): Target => Object.fromEntries(LIMIT_NAMES.filter(() => chance() < 0.8).map((name) => [name, some(NAMES)]))
const drawGrant = (): Grant => ({ permissions: new Set(PERMISSIONS.filter(() => chance() < 0.6)), limits: drawLimits() })

/** Said another way: which modules are narrowed by what. */
const NARROWED: Record<string, string> = {
  content: 'blockKeys screens environments',
  types: 'blockKeys screens',
  strings: 'locales namespaces',
  keys: 'environments',
}
function oracle({ permissions, limits }: Grant, permission: Permission, target: Target): boolean {
  if (!permissions.has(permission)) return false
  const [module = '', action = ''] = permission.split(':')
  if (action === 'read' || action === 'export') return true
  return LIMIT_NAMES.every((name) => {
    const allowed = limits[name]
    if (!allowed || !NARROWED[module]?.split(' ').includes(name)) return true
    return target[name] !== undefined && new Set([...target[name], ...allowed]).size === new Set(allowed).size
  })
}

test('a grant allows exactly what the oracle says, and whoever includes another one allows all that it allows', () => {
  for (let i = 0; i < 3_000; i++) {
    const [one, other, target] = [drawGrant(), drawGrant(), drawTarget()]
    const given = { permissions: other.permissions, limits: intersect(one.limits, other.limits) }
    const isIncluded = includes(one, given)
    for (const permission of PERMISSIONS) {
      const isAllowed = !isRefused(allows(one, permission, target))
      assert.equal(isAllowed, oracle(one, permission, target), JSON.stringify({ limits: one.limits, permission, target }))
      if (isIncluded && !isRefused(allows(given, permission, target))) assert.ok(isAllowed)
    }
  }
})

test('documented roles hold more and more, approvals come apart, and programs never approve', () => {
  for (const isApproving of [false, true])
    for (const [less, more] of [
      ['viewer', 'editor'],
      ['editor', 'admin'],
    ] as const)
      assert.ok([...permissionsOf(less, isApproving)].every((each) => permissionsOf(more, isApproving).has(each)))
  assert.equal(permissionsOf('admin', true).size, PERMISSIONS.length)
  assert.ok(isApprover(grantOfMember('viewer', true)))
  assert.ok(!isApprover(grantOfMember('admin', false)))
  assert.ok([...grantOfService('admin', {}).permissions].every((each) => !each.endsWith(':approve')))
})

test('a token names its workspace, and no other text does', () => {
  const text = tokenText('abc-1_x', 'A'.repeat(43))
  assert.equal(workspaceOfToken(text), 'abc-1_x')
  for (let i = 0; i < text.length; i++) {
    const wrong = text.slice(0, i) + (text[i] === 'B' ? 'C' : 'B') + text.slice(i + 1)
    assert.equal(workspaceOfToken(wrong), undefined, wrong)
  }
  for (const wrong of ['', 'cft_', text.slice(1), `${text}0`, text.slice(0, -1)]) assert.equal(workspaceOfToken(wrong), undefined)
})

test('contacts are masked where they stand and where texts repeat them', () => {
  const person = { userId: 'u', name: 'Sara Ali', email: 'sara@example.com', phone: '+966500000000', segments: ['vip'] }
  const answer = { people: [person], text: 'Dear Sara, we wrote to sara@example.com and b@c.de', campaign: { id: '1', name: 'Sale' } }
  assert.deepEqual(maskContacts(answer), {
    people: [{ userId: 'u', name: 'S•••', email: 's•••@•••', phone: '+•••', segments: ['vip'] }],
    text: 'Dear S•••, we wrote to s•••@••• and b•••@•••',
    campaign: { id: '1', name: 'Sale' },
  })
  const range = { from: '2026-01-01', to: '2026-02-01', period: { from: '2026-01-01T00:00:00Z' } }
  assert.deepEqual(maskContacts(range), range)
  assert.deepEqual(maskContacts({ from: '+966500000000', address: 'a@b.co' }), { from: '+•••', address: 'a•••@•••' })
  // Whatever its member is called, and in a text alone, as a file for spreadsheets is.
  assert.deepEqual(maskContacts({ traits: { mobile: '+966501112223', n: '+1' } }), { traits: { mobile: '+•••', n: '+1' } })
  assert.equal(maskContacts('a@b.co,+966501112223,2026-01-01T00:00:00+0300\r\n'), 'a•••@•••,+•••,2026-01-01T00:00:00+0300\r\n')
  assert.deepEqual(maskContacts({ at: new Date(0), n: 1, none: null }), { at: new Date(0), n: 1, none: null })
})
