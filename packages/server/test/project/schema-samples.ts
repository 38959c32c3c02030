/** A file of each kind in which every member stands that a schema knows, and files with a mistake each. */

const FIELDS = [
  {
    id: 'f1',
    tag: '#title',
    type: 'text',
    label: 'Title',
    maxLength: 40,
    required: false,
    default: 'Hello',
  },
  { id: 'f2', tag: '#size', type: 'select', options: ['small', { value: 'big', label: 'Big' }] },
  { id: 'f3', tag: '#more', type: 'collection', allowedBlockKeys: ['hero'], minItems: 0, maxItems: 5 },
]
const CONTENT = {
  title: 'First',
  seg: null,
  priority: 3,
  schedule: { startTime: '2030-01-01T00:00:00Z', endTime: '2030-02-01T00:00:00Z' },
  frequency: { per: 'day', max: 2 },
  values: { '#title': 'Welcome' },
  translations: { ar: { '#title': 'أهلا' } },
  variants: [{ id: 'a', weight: 1, values: { '#title': 'Hi' }, translations: {} }],
}
const HERO = {
  key: 'hero',
  name: 'Hero',
  screen: 'home',
  crumb: 'Home',
  fields: FIELDS,
  blank: { f1: 'Hi' },
  inCampaigns: true,
  interruptive: false,
  designType: 'hero',
}

export const MANIFEST = {
  $schema: 'manifest.json',
  blocks: [{ ...HERO, instances: [{ externalId: 'first', status: 'draft', ...CONTENT }] }],
}
export const TEXTS = {
  $schema: 'texts.json',
  strings: [{ key: 'home.title', namespace: 'home', description: 'On top', sourceText: 'Welcome', values: { ar: 'أهلا' } }],
}
const ORDER = {
  name: 'order',
  description: 'Paid',
  owner: 'Checkout',
  properties: {
    total: { kind: 'number', required: true, use: 'measure', description: 'Of all' },
    state: { kind: 'string', enum: ['paid', 'open'] },
  },
}
export const EVENTS = { types: [ORDER] }
export const DOCUMENT = {
  $schema: 'document.json',
  settings: {
    calendar: { timeZone: 'Asia/Riyadh', firstDayOfWeek: 0, weekend: [5, 6], hijri: true },
    features: {},
    publishApproval: false,
    launchProtection: { mode: 'off', sealAudience: false },
    sensorApproval: false,
    eventRetentionDays: 90,
    protections: {},
    linkSchemes: null,
    webAddress: null,
    brand: null,
  },
  locales: [
    { code: 'en', source: true },
    { code: 'ar', name: 'Arabic', native: 'العربية', rtl: true, source: false },
  ],
  strings: [{ key: 'home', namespace: 'app', description: '', sourceText: 'Home', values: { ar: { text: 'الرئيسية', status: 'ok' } } }],
  blocks: [HERO],
  events: [ORDER],
  segments: [
    {
      name: 'Gold',
      logicalOperator: 'AND',
      rules: [
        { field: 'customAttributes.plan', operator: 'equals', value: 'gold' },
        { logicalOperator: 'OR', conditions: [{ field: 'events.order', operator: 'did', value: { within: { days: 3 } } }] },
      ],
      excludedSegments: [],
      updateFrequency: 'daily',
    },
  ],
  reports: [
    { name: 'From view to buy', kind: 'funnel', definition: { steps: [{ type: 'view' }, { type: 'buy' }], days: 30 }, isPinned: false },
  ],
  geofences: [{ id: 'home', name: 'Home', latitude: 24.7, longitude: 46.7, radiusMeters: 100 }],
  instances: [{ id: 'first', block: 'hero', externalId: null, ...CONTENT, live: false, test: { ...CONTENT } }],
  mails: [],
  topics: [{ id: 'news', names: { en: 'News' }, descriptions: {}, channels: ['email'], mode: 'opt_in', position: 1 }],
  journeys: [
    {
      id: 'j1',
      name: 'Gold',
      trigger: { type: 'segment_entry', segment: 'Gold' },
      steps: [{ id: 's1', type: 'wait', minutes: 60 }],
      goal: null,
    },
  ],
  campaigns: [
    {
      id: 'c1',
      name: 'Spring',
      type: 'promotion',
      priority: 5,
      segments: ['Gold'],
      schedule: { startTime: '2030-01-01T00:00:00Z', endTime: '2030-02-01T00:00:00Z' },
      content: { en: { title: 'Hello', body: 'You' } },
      dispatchChannels: ['in_app'],
      controlPercent: 10,
    },
  ],
  experiments: [{ id: 'control:c1', hypothesis: 'More orders', guardrails: [], plan: null, cuped: false }],
  webhooks: [{ id: 'w1', url: 'https://shop.example/hook', description: 'Chat', events: ['campaign.approved'] }],
  channels: [{ id: 'p1', provider: 'resend', name: 'Mail', priority: 0, configuration: { from: 'a@shop.example' } }],
}

const block = (entry: object) => ({ blocks: [{ key: 'hero', ...entry }] })

export const MISTAKES = {
  manifest: [
    {},
    { blocks: [] },
    { blocks: [{ name: 'Hero' }] },
    { blocks: [{ key: 'Home Hero' }] },
    { blocks: [{ key: 'journey_message' }] },
    block({ fields: [{ type: 'text' }] }),
    block({ fields: [{ tag: '#a', type: 'collection' }] }),
    block({ fields: [{ tag: '#a', type: 'text', minItems: 1 }] }),
    block({ fields: [{ tag: '#a', type: 'text', fields: [] }] }),
    block({ designType: 'modal' }),
    block({ inCampaigns: 'yes' }),
    block({ instances: [{ status: 'public' }] }),
    block({ instances: [{ frequency: { per: 'hour', max: 1 } }] }),
  ],
  texts: [
    {},
    { strings: [] },
    { strings: [{ sourceText: 'x' }] },
    { strings: [{ key: '' }] },
    { strings: [{ key: 'a', values: { ar: 7 } }] },
    { strings: [{ key: 'a', values: [] }] },
  ],
  events: [
    { types: [{}] },
    { types: [{ name: 'a', title: 'A' }] },
    { types: [{ name: 'a', properties: { b: { kind: 'text' } } }] },
    { types: [{ name: 'a', properties: { b: { type: 'string' } } }] },
    { types: [{ name: 'a', properties: { b: { kind: 'string', enum: [] } } }] },
  ],
  document: [
    { block: [] },
    { blocks: {} },
    { settings: { publishApprovals: true } },
    { settings: { features: { nothing: true } } },
    { segments: [{ name: 'Gold', logicalOperator: 'NOT', rules: [] }] },
    { segments: [{ name: 'Gold', logicalOperator: 'AND', rules: [{ field: 'x', operator: 'is' }] }] },
    { geofences: [{ id: 'a', name: 'A', latitude: 24, longitude: 46, radiusMeters: 1 }] },
    { strings: [{ key: 'a', sourceText: 'A', values: { ar: 'text' } }] },
    { instances: [{ id: 'a', block: 'hero', name: 'Hero' }] },
    { webhooks: [{ id: 'w', url: 'https://shop.example', events: [] }] },
    { channels: [{ id: 'c', provider: 'resend', name: 'Mail', apiKey: 'x' }] },
    { journeys: [{ id: 'j', title: 'x' }] },
    { campaigns: [{ id: 'c', name: 'x', type: 'y' }] },
    { topics: [{ id: 'news', names: {}, channels: ['email'] }] },
    { reports: [{ name: 'R', kind: 'table', definition: {} }] },
    { experiments: [{ id: 'other:1' }] },
  ],
}
