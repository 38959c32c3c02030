import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJourney } from './read-journey.ts'
import { fillAttributes, fillValues, hasWholeValues, textsOfValues } from './step-values.ts'

const event = {
  properties: { total: 5.5, 'cart.id': 'A', tags: ['a', 1], nested: { a: 1 }, gift: true, none: null, long: 'x'.repeat(1_001) },
}

test('a text that is one token is the value of its kind; texts around tokens are texts; what is not known is left out', () => {
  const values = {
    total: '{{event.total}}',
    spaced: ' {{ event.total }} ',
    id: '{{event.cart.id}}',
    tags: '{{event.tags}}',
    nested: '{{event.nested}}',
    gift: '{{event.gift}}',
    text: 'Cart {{event.cart.id}}: {{event.total}}',
    two: '{{event.total}}{{event.cart.id}}',
    fixed: 7,
    plain: 'plain',
    no: '{{event.no}}',
    null: 'is {{event.none}}',
    object: 'is {{event.nested}}',
    last: '{{lastEvent.total}}',
    own: '{{event.constructor}}',
  }
  assert.deepEqual(fillValues(values, { event, lastEvent: null }), {
    total: 5.5,
    spaced: 5.5,
    id: 'A',
    tags: ['a', 1],
    nested: { a: 1 },
    gift: true,
    text: 'Cart A: 5.5',
    two: '5.5A',
    fixed: 7,
    plain: 'plain',
  })
  assert.deepEqual(fillValues({ last: '{{lastEvent.total}}' }, { event: null, lastEvent: event }), { last: 5.5 })
  assert.deepEqual(fillValues(values, {}), { fixed: 7, plain: 'plain' })
  assert.deepEqual(textsOfValues({ a: 1, b: 'x', c: true }), ['x'])
})

test('of attributes only what one can be is left', () => {
  const values = {
    nested: '{{event.nested}}',
    long: '{{event.long}}',
    none: '{{event.none}}',
    blank: ' ',
    tags: '{{event.tags}}',
    ok: false,
  }
  assert.deepEqual(fillAttributes(values, { event }), { tags: ['a', 1], ok: false })
})

test('a long text without an end of its tokens takes no time', () => {
  const text = `${'{{'.repeat(400)}${' '.repeat(200)}`
  assert.deepEqual(fillValues({ text }, { event }), { text })
})

const read = (step: object, mayBeIncomplete = true) =>
  readJourney(
    { name: 'N', trigger: { type: 'manual' }, steps: [{ id: 's', ...step }] },
    { isNew: true, isRegexValid: () => undefined, newId: () => 'new', mayBeIncomplete },
  )

test('a draft may have what is not finished, and says where; what can never be is refused', () => {
  const problems = (step: object) => {
    const found = read(step)
    return found.ok ? found.problems.map(({ path, code }) => `${path} ${code}`) : found.error
  }
  assert.deepEqual(problems({ type: 'webhook', endpoint: '' }), ['steps[0].endpoint missing'])
  assert.deepEqual(problems({ type: 'webhook', endpoint: 'e', data: { '': 'x', userId: 1, a: null, b: '{{name}}', c: '{{event.' } }), [
    'steps[0].data unfinished',
    'steps[0].data unfinished',
    'steps[0].data.a missing',
    'steps[0].data.b unfinished',
    'steps[0].data.c unfinished',
  ])
  assert.deepEqual(problems({ type: 'update_profile' }), ['steps[0].set missing'])
  assert.deepEqual(problems({ type: 'update_profile', set: { '-': 1, tier: '' } }), [
    'steps[0].set unfinished',
    'steps[0].set.tier missing',
  ])
  assert.match(String(problems({ type: 'update_profile', set: { ['x'.repeat(65)]: 1 } })), /no name of an attribute/)
  assert.match(String(problems({ type: 'update_profile', set: { a: 1 }, expiresInDays: 1.5 })), /expiresInDays/)
  assert.match(String(problems({ type: 'webhook', endpoint: 'e', data: [] })), /must be an object/)
  assert.match(String(problems({ type: 'webhook', endpoint: 'e', data: { a: {} } })), /data\.a must be a text/)
  assert.equal(read({ type: 'update_profile', set: {} }, false).ok, false)
  const whole = read({ type: 'webhook', endpoint: 'e', data: {} }, false)
  assert.deepEqual(whole.ok && whole.value.steps, [{ id: 's', type: 'webhook', endpoint: 'e' }])
})

test('the editor asks the same', () => {
  const whole = (step: object) => hasWholeValues({ id: 's', ...step } as Parameters<typeof hasWholeValues>[0])
  assert.ok(whole({ type: 'webhook', endpoint: '' }))
  assert.ok(whole({ type: 'webhook', endpoint: '', data: { a: '{{event.x}}' } }))
  assert.ok(!whole({ type: 'webhook', endpoint: 'e', data: { a: Number.NaN } }))
  assert.ok(whole({ type: 'update_profile', set: { tier: 'gold' }, expiresInDays: 3 }))
  assert.ok(!whole({ type: 'update_profile', set: { tier: 'gold' }, expiresInDays: 0.5 }))
  assert.ok(!whole({ type: 'update_profile', set: {} }))
})
