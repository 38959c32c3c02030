import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Field } from '@contentflow/core/blocks/field.ts'
import { applyPatch, parseInstancePatch, type InstanceContent } from '@contentflow/core/blocks/instance.ts'
import { changesBetween, mergeOf, mergeWith, patchOf } from './changes.ts'
import { placeKey, valueOf, withValue, type ChangeLocation } from './places.ts'

const EMPTY: InstanceContent = {
  title: '',
  values: {},
  seg: null,
  priority: 0,
  schedule: null,
  variants: [],
  translations: {},
  frequency: null,
}
/** Ids that are their tags, so that what the API stores and what it shows are the same. */
const FIELDS: Field[] = ['#a', '#b'].map((tag) => ({ id: tag, tag, type: 'text' }))

const title = (content: InstanceContent) => (text: string) => withValue(content, { tag: '#a', locale: null, variant: null }, text)

const text = fc.constantFrom('', 'one', 'two', 'ثلاثة')
const values = fc.record({ '#a': text, '#b': text }, { requiredKeys: [] }).map(withoutEmpty)
const translations = fc.dictionary(fc.constantFrom('ar', 'fr', 'en-GB'), values, { maxKeys: 2 }).map((each) => dropEmpty(each))
const contents: fc.Arbitrary<InstanceContent> = fc.record({
  title: text,
  values,
  seg: fc.constantFrom(null, 'VIP', 'Gold'),
  priority: fc.integer({ min: -3, max: 3 }),
  schedule: fc.constantFrom(null, { startTime: '2026-01-01T00:00:00.000Z' }, { endTime: '2027-01-01T00:00:00.000Z' }),
  variants: fc.uniqueArray(fc.record({ id: fc.constantFrom('A', 'B'), weight: fc.integer({ min: 1, max: 9 }), values, translations }), {
    selector: ({ id }) => id,
    maxLength: 2,
  }),
  translations,
  frequency: fc.constantFrom(null, { per: 'day' as const, max: 1 }),
})

function withoutEmpty(each: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(each).filter((entry): entry is [string, string] => Boolean(entry[1])))
}

function dropEmpty(each: Record<string, Record<string, string>>) {
  return Object.fromEntries(Object.entries(each).filter(([, inside]) => Object.keys(inside).length > 0))
}

test('G-36 the body of a save makes the stored content the one in the form, and is nothing when nothing changed', () => {
  fc.assert(
    fc.property(contents, contents, (before, after) => {
      const parsed = parseInstancePatch(patchOf(before, after), FIELDS)
      assert.ok(parsed.ok, parsed.ok ? '' : parsed.error)
      assert.deepEqual(changesBetween(applyPatch(before, parsed.value), after), [])
      assert.deepEqual(patchOf(after, after), {})
    }),
    { seed: 20260301, numRuns: 500 },
  )
})

test('a save sends only what changed, and null where something was cleared', () => {
  const before = { ...EMPTY, values: { '#a': 'x', '#b': 'y' }, translations: { ar: { '#a': 'س' } } }
  const after = { ...EMPTY, values: { '#a': 'x' }, translations: { ar: { '#a': 'ص' } }, priority: 3 }
  assert.deepEqual(patchOf(before, after), { priority: 3, values: { '#b': null }, translations: { ar: { '#a': 'ص' } } })
})

test('one member of a schedule changes, the whole schedule is sent', () => {
  const before = { ...EMPTY, schedule: { startTime: '2026-01-01T00:00:00.000Z' } }
  const after = withValue(before, { setting: 'endTime' }, '2026-02-01T00:00:00.000Z')
  assert.deepEqual(patchOf(before, after), { schedule: { startTime: '2026-01-01T00:00:00.000Z', endTime: '2026-02-01T00:00:00.000Z' } })
  assert.deepEqual(patchOf(after, withValue(withValue(after, { setting: 'startTime' }, null), { setting: 'endTime' }, null)), {
    schedule: null,
  })
})

test('two people who edit different things both keep their edits, whatever the order', () => {
  fc.assert(
    fc.property(contents, contents, contents, (base, mine, theirs) => {
      const { conflicts } = mergeOf(base, mine, theirs)
      const kept = mergeWith(base, mine, theirs, new Set())
      for (const { place, after } of changesBetween(base, mine))
        if (isPlain(place, [mine, theirs])) assert.deepEqual(valueOf(kept, place) ?? null, after ?? null, placeKey(place))
      const clashing = new Set(conflicts.map(({ place }) => placeKey(place)))
      for (const { place, after } of changesBetween(base, theirs))
        if (!clashing.has(placeKey(place)) && isPlain(place, [mine, theirs]))
          assert.deepEqual(valueOf(kept, place) ?? null, after ?? null, placeKey(place))
    }),
    { seed: 20260301, numRuns: 500 },
  )
})

/** Values of a variant that one of both has not are a matter of the list of variants, not of their own. */
function isPlain(place: ChangeLocation, all: InstanceContent[]): boolean {
  if ('setting' in place) return place.setting !== 'variants'
  return place.variant === null || all.every(({ variants }) => variants.some(({ id }) => id === place.variant))
}

test('where both changed one thing to different words there is a conflict, and the chosen side is taken', () => {
  const base = title(EMPTY)('old')
  const [mine, theirs] = [title(base)('mine'), withValue(title(base)('theirs'), { setting: 'priority' }, 7)]
  const { conflicts, taken } = mergeOf(base, mine, theirs)
  assert.deepEqual(
    conflicts.map(({ base: old, mine: own, theirs: other }) => [old, own, other]),
    [['old', 'mine', 'theirs']],
  )
  assert.deepEqual(
    taken.map(({ place }) => place),
    [{ setting: 'priority' }],
  )
  assert.deepEqual(mergeWith(base, mine, theirs, new Set()), { ...theirs, values: { '#a': 'mine' } })
  assert.deepEqual(mergeWith(base, mine, theirs, new Set(conflicts.map(({ place }) => placeKey(place)))), theirs)
})

test('both changed the same thing to the same words: no conflict', () => {
  const base = title(EMPTY)('old')
  assert.deepEqual(mergeOf(base, title(base)('new'), title(base)('new')), { conflicts: [], taken: [] })
})

test('what was typed for a variant that somebody removed comes back with the variant', () => {
  const base: InstanceContent = {
    ...EMPTY,
    variants: [
      { id: 'A', weight: 5, values: {} },
      { id: 'B', weight: 5, values: {} },
    ],
  }
  const mine = withValue(base, { tag: '#a', locale: null, variant: 'B' }, 'typed')
  const theirs = withValue(base, { setting: 'variants' }, [{ id: 'A', weight: 10 }])
  assert.deepEqual(mergeWith(base, mine, theirs, new Set()).variants, [
    { id: 'A', weight: 10, values: {} },
    { id: 'B', weight: 0, values: { '#a': 'typed' }, translations: {} },
  ])
})

test('a locale is one locale however it is spelled, and keeps the spelling that is stored', () => {
  const stored = { ...EMPTY, translations: { 'ar-SA': { '#a': 'س' } } }
  const place = { tag: '#a', locale: 'AR-sa', variant: null }
  assert.equal(valueOf(stored, place), 'س')
  assert.deepEqual(withValue(stored, place, 'ص').translations, { 'ar-SA': { '#a': 'ص' } })
  assert.deepEqual(withValue(stored, place, '').translations, {})
})

test('an empty list in a translation hides the list below it, so it is a value; in the base it is nothing', () => {
  const list = (locale: string | null) => withValue(EMPTY, { tag: '#a', locale, variant: null }, [])
  assert.equal(changesBetween(EMPTY, list('ar')).length, 1)
  assert.equal(changesBetween(EMPTY, list(null)).length, 0)
})
