/** Whole documents as routes mean them: a segment, a mail, and a workspace as code. */

export const SEGMENT = {
  name: 'n',
  logicalOperator: 'AND',
  rules: [
    { field: 'customAttributes.x', operator: 'equals', value: 'a' },
    { logicalOperator: 'OR', conditions: [{ field: 'demographic.name', operator: 'regex', value: 'a' }] },
  ],
  excludedSegments: [],
  updateFrequency: 'daily',
}

export const MAIL = {
  version: 1,
  kind: 'sections',
  sections: [
    {
      id: 's',
      type: 'section',
      background: '#ffffff',
      padding: 8,
      keepColumns: true,
      columns: [{ width: 100, nodes: [{ id: 'n', type: 'heading', level: 1, align: 'start' }] }],
    },
  ],
  texts: { en: { subject: 's', preheader: 'p', nodes: { n: { blocks: [{ p: [{ v: 'v', b: true, url: '/u', color: '#111111' }] }] } } } },
}

export const CODE = {
  settings: {
    calendar: { timeZone: 'Asia/Riyadh', firstDayOfWeek: 0, weekend: [5, 6], hijri: true },
    features: { campaigns: true },
    publishApproval: false,
    launchProtection: { mode: 'off', sealAudience: false },
    sensorApproval: false,
    eventRetentionDays: 400,
    protections: { strictApprovals: false },
    brand: { radius: 4, texts: { en: { company: 'c' } } },
  },
  locales: [
    { code: 'en', name: null, native: null, rtl: false, source: true },
    { code: 'ar', name: 'Arabic', native: 'ع', rtl: true, source: false },
  ],
  strings: [{ key: 'k', namespace: 'app', description: 'd', sourceText: 's', values: { ar: { text: 't', status: 'review' } } }],
  blocks: [{ key: 'promo', name: 'P', fields: [{ id: 'f_title', tag: '#title', type: 'text' }] }],
  segments: [
    { ...SEGMENT, excludedSegments: ['m'] },
    { ...SEGMENT, name: 'm' },
  ],
  topics: [{ id: 'news', names: { en: 'n' }, descriptions: { en: 'd' }, channels: ['email'], mode: 'opt_in', position: 1 }],
  geofences: [{ id: 'f', name: 'n', latitude: 1, longitude: 2, radiusMeters: 100 }],
  instances: [
    {
      id: 'i',
      block: 'promo',
      externalId: 'e',
      title: 't',
      seg: 'm',
      priority: 1,
      schedule: { startTime: '2026-01-01T00:00:00.000Z' },
      frequency: { per: 'day', max: 1 },
      values: { '#title': 'v' },
      translations: { ar: { '#title': 'v' } },
      variants: [{ id: 'a', weight: 1, values: { '#title': 'v' } }],
      live: { values: { '#title': 'v' } },
      test: true,
    },
  ],
  mails: [{ id: 'm', kind: 'part', name: 'n', category: 'c', document: MAIL }],
  journeys: [{ id: 'j', name: 'n', trigger: { type: 'manual' }, goal: null, steps: [{ id: 's', type: 'wait', minutes: 5 }] }],
  campaigns: [
    {
      id: 'c',
      name: 'n',
      type: 't',
      priority: 5,
      segments: ['m'],
      schedule: { startTime: '2026-01-01T00:00:00.000Z' },
      dispatchChannels: ['push'],
      content: { en: { title: 't', body: 'b' } },
    },
  ],
  webhooks: [{ id: 'w', url: 'https://93.184.216.34/hook', description: 'd', events: ['campaign.approved'] }],
  channels: [
    {
      id: 'k',
      provider: 'fcm',
      name: 'n',
      priority: 1,
      configuration: { serviceAccount: { project_id: 'p', client_email: 'a@p.example' }, baseUrl: 'https://93.184.216.34' },
    },
    { id: 'm', provider: 'smtp', name: 'n', configuration: { host: '93.184.216.34', port: 587, secure: true, from: 'a@shop.example' } },
  ],
}
