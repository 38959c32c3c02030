/** Rules over the wire: traits go in with an identify, the names of the segments come back, and the stored members agree. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import { expectStatus } from '../../../../test/builders/builders.ts'
import { identify } from '../../../../test/builders/people.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace } = await startApp()

const trait = (operator: string, value?: unknown, key = 't') => ({
  field: `customAttributes.${key}`,
  operator,
  ...(value !== undefined && { value }),
})
type Case = [traits: JsonObject, rule: object, expected: boolean]

/** Every rule as a segment of its own, every set of traits as a person of their own. */
async function check(cases: readonly Case[]): Promise<void> {
  const ws = await workspace()
  const rules = [...new Set(cases.map(([, rule]) => JSON.stringify(rule)))]
  const ids: string[] = []
  for (const [index, rule] of rules.entries()) {
    const body = { name: `S${index}`, logicalOperator: 'AND', rules: [JSON.parse(rule)] }
    ids.push(expectStatus(await ws.admin.post('/segments', body), 201).data.id)
  }
  const people = [...new Set(cases.map(([traits]) => JSON.stringify(traits)))]
  const found: string[][] = []
  for (const [index, traits] of people.entries())
    found.push((await identify(ws.app, `D${index}`, `U${index}`, { traits: JSON.parse(traits) })).data.segments)
  const members: string[][] = []
  for (const id of ids) {
    await ws.admin.post(`/segments/${id}/refresh`)
    members.push((await ws.admin.get(`/segments/${id}/members?limit=200`)).data.userIds)
  }
  for (const [traits, rule, expected] of cases) {
    const [r, p] = [rules.indexOf(JSON.stringify(rule)), people.indexOf(JSON.stringify(traits))]
    assert.equal(found[p]?.includes(`S${r}`), expected, `blocks: ${JSON.stringify([traits, rule])}`)
    assert.equal(members[r]?.includes(`U${p}`), expected, `stored: ${JSON.stringify([traits, rule])}`)
  }
}

test('C-SEG-13 C-SEG-15 C-SEG-45 AND needs all, OR needs one, nested leaves are judged like others', async () => {
  const [yes, no] = [trait('equals', 'gold', 'plan'), trait('equals', 'x', 'plan')]
  const group = (logicalOperator: string, ...conditions: object[]) => ({ logicalOperator, conditions })
  const gold = { plan: 'gold' }
  await check([
    [gold, yes, true],
    [gold, no, false],
    [gold, group('AND', yes, no), false],
    [gold, group('OR', yes, no), true],
    [gold, group('AND', yes, group('OR', no, yes)), true],
    [gold, group('OR', no, group('AND', yes, no)), false],
  ])
})

test('C-SEG-21 C-SEG-22 G-80 equals is strict on type and deep; not_equals is its opposite', async () => {
  await check([
    [{ t: 30 }, trait('equals', '30'), false],
    [{ t: 30 }, trait('not_equals', '30'), true],
    [{ t: '30' }, trait('equals', '30'), true],
    [{ t: null }, trait('equals', null), true],
    [{}, trait('equals', null), false],
    [{}, trait('not_equals', 'x'), true],
    [{ t: [1, { a: 'é', b: 2 }] }, trait('equals', [1, { b: 2, a: 'é' }]), true],
    [{ t: [1, { a: 'e\u0301', b: 2 }] }, trait('equals', [1, { b: 2, a: 'é' }]), false],
  ])
})

test('C-SEG-23 C-SEG-24 C-SEG-25 C-SEG-26 G-81 comparisons take numbers and numeric text, bounds included in between', async () => {
  await check([
    [{ t: '30' }, trait('greater_than', 29), true],
    [{ t: '30' }, trait('less_than_or_equal', '30'), true],
    [{ t: ' 1e3 ' }, trait('equals', 1000), false],
    [{ t: ' 1e3 ' }, trait('greater_than_or_equal', 1000), true],
    [{ t: 'abc' }, trait('greater_than', 1), false],
    [{ t: 'abc' }, trait('less_than', 1), false],
    [{ t: true }, trait('greater_than', 0), false],
    [{ t: null }, trait('less_than', 1), false],
    [{ t: '0x1A' }, trait('less_than', 100), false],
    [{ t: '٣٠' }, trait('less_than', 100), false],
    [{ t: '1e999' }, trait('greater_than', 1), true],
    [{ t: 5 }, trait('greater_than', 'abc'), false],
    [{ t: 10 }, trait('between', [10, 20]), true],
    [{ t: '20' }, trait('between', [10, 20]), true],
    [{ t: 21 }, trait('between', [10, 20]), false],
    [{ t: 10 }, trait('between', 10), false],
    [{ t: 10 }, trait('between', [1]), false],
    [{ t: 10 }, trait('between', [1, 20, 30]), false],
  ])
})

test('C-SEG-27 C-SEG-28 C-SEG-29 C-SEG-30 contains is a piece of a text or a member of an array, in needs an array', async () => {
  await check([
    [{ t: 'Golden' }, trait('contains', 'Gold'), true],
    [{ t: 'Golden' }, trait('contains', 'gold'), false],
    [{ t: 'Golden' }, trait('not_contains', 'gold'), true],
    [{ t: 'مرحبا بالعالم' }, trait('contains', 'عالم'), true],
    [{ t: ['a', 'b'] }, trait('contains', 'a'), true],
    [{ t: ['ab'] }, trait('contains', 'a'), false],
    [{ t: [['a']] }, trait('contains', ['a']), true],
    [{ t: [['a', 'b']] }, trait('contains', ['a']), false],
    [{ t: 30 }, trait('contains', 3), false],
    [{ t: 30 }, trait('not_contains', 3), true],
    [{ t: 'a' }, trait('in', ['a', 'b']), true],
    [{ t: 1 }, trait('in', ['1']), false],
    [{ t: 'a' }, trait('in', 'a'), false],
    [{ t: 'a' }, trait('not_in', 'a'), false],
    [{ t: 'a' }, trait('not_in', ['b']), true],
    [{}, trait('not_in', ['b']), true],
  ])
})

test('C-SEG-31 C-SEG-35 exists looks at the key, is_true and is_false at booleans', async () => {
  const empty: JsonObject[] = [{ t: false }, { t: 0 }, { t: '' }, { t: null }]
  await check([
    ...empty.map((traits): Case => [traits, trait('exists'), true]),
    ...empty.map((traits): Case => [traits, trait('not_exists'), false]),
    [{ u: 1 }, trait('not_exists'), true],
    [{ u: 1 }, trait('exists'), false],
    [{ t: true }, trait('is_true'), true],
    [{ t: true }, trait('is_false'), false],
    [{ t: 'true' }, trait('is_true'), false],
    [{ t: false }, trait('is_false'), true],
    [{ t: 0 }, trait('is_false'), false],
    [{ u: 1 }, trait('is_false'), false],
    [{ constructor: 1 }, trait('exists', undefined, 'constructor'), true],
    [{ u: 1 }, trait('exists', undefined, 'constructor'), false],
  ])
})

test('C-SEG-32 C-SEG-34 text operators count case, patterns are found anywhere', async () => {
  await check([
    [{ t: 'Golden' }, trait('starts_with', 'Gol'), true],
    [{ t: 'Golden' }, trait('starts_with', 'gol'), false],
    [{ t: 'Golden' }, trait('ends_with', 'den'), true],
    [{ t: 'Golden' }, trait('ends_with', 'DEN'), false],
    [{ t: 30 }, trait('starts_with', '3'), false],
    [{ t: 'ab12' }, trait('regex', '^ab\\d+$'), true],
    [{ t: 'ab12' }, trait('not_regex', '^ab\\d+$'), false],
    [{ t: 'AB12' }, trait('regex', '^ab\\d+$'), false],
    [{ t: 'xab12' }, trait('regex', 'b\\d'), true],
    [{ t: 12 }, trait('regex', '\\d'), false],
    [{ t: 12 }, trait('not_regex', '\\d'), true],
    [{}, trait('not_regex', '\\d'), true],
    [{ t: 'سعر ٣' }, trait('regex', '[\\u0600-\\u06FF]+'), true],
  ])
})

test('C-SEG-33 C-SEG-36 dates are not looked for in traits, versions are compared part by part', async () => {
  const now = new Date().toISOString()
  await check([
    [{ t: now }, trait('date_after', '2020-01-01'), false],
    [{ t: now }, trait('date_before', '2999-01-01'), false],
    [{ t: now }, trait('days_ago', 30), false],
    [{ t: '2.10.0' }, trait('app_version_gte', '2.9.0'), true],
    [{ t: '2.10.0' }, trait('app_version_gte', '2.11'), false],
    [{ t: '2.10' }, trait('app_version_gte', 'v2.10.0'), true],
    [{ t: '2.10.0-beta' }, trait('app_version_gte', '2.10.0'), false],
    [{ t: 'two' }, trait('app_version_gte', '1'), false],
    [{ t: 2.1 }, trait('app_version_gte', '2.1'), true],
  ])
})

test('C-SEG-16 C-SEG-17 what the platform knows itself can be asked for', async () => {
  const ws = await workspace()
  const rules: [string, object][] = [
    ['language', { field: 'demographic.language', operator: 'equals', value: 'ar' }],
    ['email', { field: 'demographic.email', operator: 'ends_with', value: '@example.com' }],
    ['platform', { field: 'device.platform', operator: 'equals', value: 'ios' }],
    ['version', { field: 'device.sdkVersion', operator: 'app_version_gte', value: '2.1' }],
    ['environment', { field: 'metadata.environment', operator: 'equals', value: 'live' }],
    ['created', { field: 'metadata.createdAt', operator: 'days_ago', value: 1 }],
    ['seen', { field: 'metadata.lastSeenAt', operator: 'date_after', value: '2020-01-01' }],
    ['active', { field: 'behavioral.lastActiveDays', operator: 'equals', value: 0 }],
    ['analytics', { field: 'consent.analytics', operator: 'is_true' }],
    ['industry', { field: 'industryProfile.retail.tier', operator: 'equals', value: 1 }],
    ['industry too', { field: 'customAttributes.retail', operator: 'equals', value: { tier: 1 } }],
  ]
  const ids: string[] = []
  for (const [name, rule] of rules)
    ids.push(expectStatus(await ws.admin.post('/segments', { name, logicalOperator: 'AND', rules: [rule] }), 201).data.id)
  const headers = { 'x-cf-sdk-version': 'swift/2.10.0', 'accept-language': 'ar-SA' }
  const me = { deviceId: 'D', userId: 'U', consent: true, email: 'u@example.com' }
  expectStatus(await ws.app.post('/identify', me, { headers }), 200)
  expectStatus(await ws.app.post('/profile', { deviceId: 'D', userId: 'U', category: 'retail', data: { tier: 1 } }), 200)
  const { segments } = expectStatus(await ws.app.post('/identify', me, { headers }), 200).data
  const names = rules.map(([name]) => name).sort()
  assert.deepEqual(segments, names)
  for (const [index, id] of ids.entries()) {
    await ws.admin.post(`/segments/${id}/refresh`)
    assert.deepEqual((await ws.admin.get(`/segments/${id}/members`)).data.userIds, ['U'], rules[index]?.[0] ?? '')
  }
})
