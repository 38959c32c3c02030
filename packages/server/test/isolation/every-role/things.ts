/** Something of each module, with a word in it that stands nowhere else, so that an answer shows which modules it tells of. */
import { expectStatus, PASSWORD, uniqueEmail, type Workspace } from '../../builders/builders.ts'
import { addChannel } from '../../builders/channels.ts'
import { create as createCampaign } from '../../builders/campaigns.ts'
import { track } from '../../builders/events.ts'
import { uploadFile } from '../../builders/files.ts'
import { load, upload } from '../../builders/imports.ts'
import { enroll, IN_APP, startJourney } from '../../builders/journeys.ts'
import { identify } from '../../builders/people.ts'
import { makeReport } from '../isolation-bodies.ts'
import { makeMail } from '../isolation-mails.ts'

export const MODULES = [
  'analytics',
  'campaigns',
  'channels',
  'content',
  'imports',
  'journeys',
  'media',
  'members',
  'messages',
  'people',
  'segments',
  'settings',
  'strings',
  'types',
  'webhooks',
] as const
export type Module = (typeof MODULES)[number]
export const wordOf = (module: Module) => `zq${module}qz`

/** How somebody is reached, which only `people:contacts` shows. */
export const CONTACT = { name: 'Zqnora Zqperson', email: 'zqnora.zqperson@example.com', phone: '+966501112223' }
export const CONTACT_TEXTS = ['Zqnora', 'zqnora.zqperson', '966501112223']

const RULES = { logicalOperator: 'AND', rules: [{ field: 'customAttributes.x', operator: 'equals', value: wordOf('segments') }] }

/** Parameters that lead to them, by a part of the path: the first that fits counts. */
export type Things = readonly (readonly [part: string, parameters: Record<string, string>])[]

export async function fillModules(ws: Workspace): Promise<Things> {
  const { admin } = ws
  const made = async (path: string, body: object) => expectStatus(await admin.post(path, body), 201).data
  const segment = (await made('/segments', { name: 'Linked', ...RULES })).id
  const fence = (await made('/geofences', { name: wordOf('segments'), latitude: 24.7, longitude: 46.7, radiusMeters: 100 })).id
  await ws.block('shelf', { name: wordOf('types'), screen: 'home' })
  const instance = await ws.instance('shelf', { title: wordOf('content'), seg: 'Linked', values: { '#title': wordOf('content') } })
  await made('/strings', { key: 'zq.string', sourceText: wordOf('strings') })
  const file = (await uploadFile(admin, wordOf('media'), wordOf('media'), 'text/plain')).contentId
  const contact = { ...CONTACT, traits: { x: wordOf('people'), mobile: CONTACT.phone, mail: CONTACT.email } }
  await identify(ws.app, 'zq-device', 'zq-user', contact)
  expectStatus(await admin.post('/users/bulk/contacts', { contacts: [{ userId: 'zq-user', ...CONTACT }] }), 200)
  await track(ws.app, 'zq-device', [{ type: 'zq_event', properties: { reached: CONTACT.email, called: CONTACT.phone } }])
  expectStatus(await admin.put('/event-types/zq_event', { description: wordOf('analytics') }), 200)
  const report = await makeReport(admin, wordOf('analytics'))
  const content = { en: { title: wordOf('campaigns') } }
  const campaign = (await createCampaign(admin, { name: wordOf('campaigns'), segments: ['Linked'], content })).id
  const step = { ...IN_APP, content: { en: { title: wordOf('journeys') } } }
  const journey = await startJourney(ws, { name: wordOf('journeys'), steps: [step] })
  await startJourney(ws, { name: wordOf('journeys'), trigger: { type: 'segment_entry', segment: 'Linked' }, steps: [step] })
  await enroll(ws, journey, ['zq-user'])
  const mail = await makeMail(admin, wordOf('messages'))
  await made('/message-topics', { id: 'zq-topic', names: { en: wordOf('messages') }, channels: ['email'] })
  const stagedImport = await load(admin, [['zq-user', wordOf('imports')]], {
    names: { zqcolumn: 'string' },
    more: { fileName: wordOf('imports') },
  })
  await upload(admin, [{ userId: 'zq-user', attributes: { zqother: CONTACT.phone } }], { sourceRef: wordOf('imports') })
  const channel = (await addChannel(admin, 'sms', 'contentflow-sms', { apiKey: 'k', sender: 's' }, { name: wordOf('channels') })).id
  const hook = { url: 'http://127.0.0.1:65000/', events: ['campaign.approved'], description: wordOf('webhooks') }
  const webhook = (await made('/webhooks', hook)).id
  expectStatus(await admin.put('/settings/web-address', { url: `https://${wordOf('settings')}.example` }), 200)
  expectStatus(await admin.post('/members', { email: uniqueEmail(), name: wordOf('members'), password: PASSWORD, role: 'viewer' }), 201)
  return [
    ['/segments/:id', { id: segment }],
    ['/geofences/:id', { id: fence }],
    ['/blocks/:key/instances/:id', { key: 'shelf', id: instance.id, number: '1' }],
    ['/analytics/instances/:id', { id: instance.id }],
    ['/analytics/campaigns/:id', { id: campaign }],
    ['/blocks/:key', { key: 'shelf' }],
    ['/analytics/blocks/:key', { key: 'shelf' }],
    ['/explain/blocks/:blockKey', { blockKey: 'shelf' }],
    ['/strings/:key', { key: 'zq.string', locale: 'ar' }],
    ['/content/:id', { id: file }],
    ['/users/:userId', { userId: 'zq-user' }],
    ['/devices/:deviceId', { deviceId: 'zq-device' }],
    ['/event-types/:eventType', { eventType: 'zq_event' }],
    ['/reports/:id', { id: report }],
    ['/campaigns/:id', { id: campaign }],
    ['/journeys/:id', { id: journey }],
    ['/mails/:id', { id: mail, number: '1' }],
    ['/message-topics/:id', { id: 'zq-topic' }],
    ['/enrichment/imports/:id', { id: stagedImport }],
    ['/notifications/channels/:id', { id: channel }],
    ['/webhooks/:id', { id: webhook }],
  ]
}
