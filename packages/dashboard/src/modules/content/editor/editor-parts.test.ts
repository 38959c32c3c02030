import assert from 'node:assert/strict'
import { test } from 'node:test'
import { urlFault } from '@contentflow/core/blocks/links/safe-url.ts'
import type { InstanceContent } from '@contentflow/core/blocks/instance.ts'
import type { Definition, Instance } from './api.ts'
import { wantedBy, type Children } from './fields/children.ts'
import { choicesOf, fieldLabel } from './fields/field-label.ts'
import { joinLink, LINK_KINDS, splitLink } from './fields/link-parts.ts'
import { isDelivered, previewBlock } from './preview/preview-block.ts'
import { firstDay, stripDays } from './delivery/strip-days.ts'
import { evenWeights, freeName, sharesOf } from './delivery/variant-shares.ts'

test('C-BLK-36 to C-BLK-39 a link is split into its kind and the rest, and put together again', () => {
  const links = {
    page: '/offers/3',
    web: 'https://a.example/x',
    mail: 'mailto:a@b.example',
    phone: 'tel:+966110000100',
    app: 'myapp://offers/3',
  }
  for (const kind of LINK_KINDS) {
    assert.equal(splitLink(links[kind]).kind, kind)
    assert.equal(joinLink(kind, splitLink(links[kind]).rest), links[kind])
    assert.equal(joinLink(kind, ` ${links[kind]} `), links[kind], 'a whole link that is pasted')
    assert.equal(urlFault(joinLink(kind, links[kind])), undefined)
    assert.equal(joinLink(kind, ''), '')
  }
  assert.equal(joinLink('web', 'http://a.example'), 'https://a.example')
  assert.notEqual(urlFault(joinLink('app', 'javascript:alert(1)')), undefined)
})

/** Three hours before UTC; its weekend is Friday and Saturday. */
const RIYADH = { timeZone: 'Asia/Riyadh', weekend: [5, 6] }

test('a strip of days shows the part of each that is on air, by the clocks of the workspace', () => {
  const schedule = { startTime: '2026-11-10T09:00:00.000Z', endTime: '2026-11-12T03:00:00.000Z' }
  const days = stripDays(schedule, '2026-11-09', 6, { now: new Date('2026-11-10T21:30:00.000Z'), ...RIYADH })
  assert.deepEqual(
    days.map(({ from, to }) => [from, to]),
    [
      [1, 1],
      [0.5, 1],
      [0, 1],
      [0, 0.25],
      [0, 0],
      [0, 0],
    ],
  )
  const named = (is: 'isToday' | 'isWeekend') => days.filter((day) => day[is]).map(({ day }) => day)
  assert.deepEqual([named('isToday'), named('isWeekend')], [['2026-11-11'], ['2026-11-13', '2026-11-14']])
  assert.ok(stripDays(null, '2026-11-09', 3, { now: new Date(), ...RIYADH }).every(({ from, to }) => from === 0 && to === 1))
})

test('the strip begins where something is to be seen: today, a later start, or the end of what is over', () => {
  const now = new Date('2026-11-20T12:00:00.000Z')
  const first = (schedule: { startTime?: string; endTime?: string } | null) => firstDay(schedule, now, RIYADH.timeZone)
  assert.equal(first(null), '2026-11-18')
  assert.equal(first({ startTime: '2026-11-24T22:00:00.000Z' }), '2026-11-23')
  assert.equal(first({ endTime: '2026-11-05T12:00:00.000Z' }), '2026-11-03')
})

test('weights are shared evenly and whole, and names are free ones', () => {
  assert.deepEqual(
    evenWeights(['A', 'B', 'C']).map(({ weight }) => weight),
    [34, 33, 33],
  )
  assert.deepEqual(sharesOf([{ weight: 1 }, { weight: 3 }]), [0.25, 0.75])
  assert.deepEqual(sharesOf([{ weight: 0 }]), [0])
  assert.equal(freeName(['A', 'C']), 'B')
})

test('a field is called by its label, or its tag in words; options are named once', () => {
  assert.equal(fieldLabel({ tag: '#cta_url' }), 'Cta url')
  assert.equal(fieldLabel({ tag: '#cta_url', label: 'Button opens' }), 'Button opens')
  const options = ['a', { value: 'b', label: 'Bee' }, 'a', 3]
  assert.deepEqual(
    choicesOf({ id: 'f', tag: 'f', type: 'select', options }).map(({ label, json }) => [label, json]),
    [
      ['a', 'a'],
      ['Bee', 'b'],
      ['3', 3],
    ],
  )
})

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
const FIELDS = [
  { id: 't', tag: '#title', type: 'text' },
  { id: 'i', tag: '#items', type: 'collection', allowedBlockKeys: ['box'] },
]
const definition: Definition = {
  key: 'box',
  name: 'Box',
  screen: '',
  crumb: '',
  designType: 'list',
  inCampaigns: false,
  interruptive: null,
  fields: FIELDS,
  blank: {},
  revision: 1,
  isArchived: false,
  createdAt: '',
  updatedAt: '',
}

function child(id: string, more: Partial<Instance> = {}): Instance {
  return {
    ...EMPTY,
    id,
    blockKey: 'box',
    externalId: null,
    status: 'published',
    targets: ['live'],
    version: 1,
    head: 1,
    live: 1,
    test: null,
    createdAt: '',
    updatedAt: '',
    values: { '#title': id },
    ...more,
  }
}

test('C-BLK-42 C-BLK-43 a preview holds the children that the viewer would get, each whole, and never one inside itself', () => {
  const all = [
    child('plain'),
    child('draft', { targets: [] }),
    child('test', { targets: ['test'] }),
    child('gold', { seg: 'Gold' }),
    child('over', { schedule: { endTime: '2026-01-01T00:00:00.000Z' } }),
    child('loop', { values: { '#items': ['root', 'plain'] } }),
  ]
  const children: Children = new Map(all.map((instance) => [instance.id, { instance, definition }]))
  const content = { ...EMPTY, values: { '#items': [...children.keys(), 'missing'] } }
  const draw = (environment: 'live' | 'test', segments: string[]) => {
    const viewer = { locale: null, variant: null, environment, segments, now: Date.parse('2026-11-21T00:00:00Z') }
    return previewBlock({ id: 'root', definition, content }, children, viewer).values['#items'] as { instanceId: string; values: object }[]
  }
  const ids = (environment: 'live' | 'test', segments: string[]) => draw(environment, segments).map(({ instanceId }) => instanceId)
  assert.deepEqual(ids('live', []), ['plain', 'loop'])
  assert.deepEqual(ids('live', ['Gold']), ['plain', 'gold', 'loop'])
  assert.deepEqual(ids('test', []), ['plain', 'test', 'loop'])
  const loop = draw('live', []).at(-1)?.values as { '#items': { instanceId: string }[] }
  assert.deepEqual(
    loop['#items'].map(({ instanceId }) => instanceId),
    ['plain'],
  )
})

test('C-SBX-01 live content is seen by test apps, test content not by live ones', () => {
  const seen = (targets: ('live' | 'test')[], environment: 'live' | 'test') =>
    isDelivered(child('x', { targets }), { environment, segments: [], now: 0 })
  assert.deepEqual([seen(['live'], 'test'), seen(['test'], 'live'), seen(['test'], 'test'), seen([], 'test')], [true, false, true, false])
})

test('children are looked for in every layer, by each block type that may hold them', () => {
  const content = {
    ...EMPTY,
    values: { '#items': ['a'] },
    translations: { ar: { '#items': ['b'] } },
    variants: [{ id: 'B', weight: 1, values: { '#items': ['c', 'a'] } }],
  }
  assert.deepEqual(
    [...wantedBy(FIELDS, content)].map(([key, ids]) => [key, [...ids]]),
    [['box', ['a', 'b', 'c']]],
  )
})
