/**
 * Which texts of a body name nothing (G-85, docs/decisions/0045-odd-characters.md): in these, NUL and halves of a surrogate
 * pair are replaced by U+FFFD. Everywhere else they are refused, so a text missing here is refused and never becomes the name
 * of something else.
 */
import type { FastifyRequest } from 'fastify'
import { oddTextAt, type OddRules, type OddText, type Path } from '@contentflow/core/json/odd-characters.ts'

const under = (at: string, { replace, pass, refuse }: OddRules): OddRules => ({
  replace: replace.map((rule) => `${at}.${rule}`),
  ...(pass && { pass: pass.map((rule) => `${at}.${rule}`) }),
  ...(refuse && { refuse: refuse.map((rule) => `${at}.${rule}`) }),
})
const both = (...rules: OddRules[]): OddRules => ({
  replace: rules.flatMap(({ replace }) => replace),
  pass: rules.flatMap(({ pass = [] }) => pass),
  refuse: rules.flatMap(({ refuse = [] }) => refuse),
})

const NAME: OddRules = { replace: ['name'] }
const NOTE: OddRules = { replace: ['note', 'reason'] }
/** `values` and `translations` are by tag; `id` and `blockKey` name the items of a collection and are looked up. */
const INSTANCE: OddRules = { replace: ['title', 'values.**', 'translations.**', 'variants.*.values.**', 'variants.*.translations.**'] }
const DEFINITION: OddRules = {
  replace: ['name', 'crumb', 'blank.**', 'fields.*.label', 'fields.*.default.**', 'fields.*.options.**'],
}
const SEEDED = both(DEFINITION, under('instances.*', INSTANCE))
const STRING: OddRules = { replace: ['sourceText', 'description', 'values.**'] }
const LOCALE: OddRules = { replace: ['name', 'native'] }
const CAMPAIGN: OddRules = {
  replace: ['name', 'content.**'],
  refuse: ['content.*.placementIds.**', 'content.*.variants.*.id', '**.whatsappTemplate.id'],
}
const JOURNEY: OddRules = { replace: ['name', 'steps.**.content.**'], refuse: ['**.whatsappTemplate.id'] }
const ONE_OFF: OddRules = { replace: ['content.**'], refuse: ['content.whatsappTemplate.id'] }
const FENCE = NAME
const WEBHOOK: OddRules = { replace: ['description'] }
const CHANNEL: OddRules = { replace: ['name', 'configuration.fromName'] }
const FILE: OddRules = { replace: ['fileName', 'alt.**'] }
const MAPPING: OddRules = { replace: ['mapping.columns.*.label.**'] }

const CODE = both(
  under('locales.*', LOCALE),
  under('strings.*', { replace: [...STRING.replace, 'translations.**'] }),
  under('blocks.*', DEFINITION),
  under('geofences.*', FENCE),
  under('instances.*', INSTANCE),
  under('journeys.*', JOURNEY),
  under('campaigns.*', CAMPAIGN),
  under('webhooks.*', WEBHOOK),
  under('channels.*', CHANNEL),
)

/** Bodies that apps send. */
const CLIENT: Record<string, OddRules> = {
  'POST /identify': { replace: ['name', 'email', 'traits.**'] },
  'POST /profile': { replace: ['data.**'] },
  'POST /track-event': { replace: ['properties.**'] },
  // Unknown members of an event are not stored.
  'POST /events': {
    replace: ['events.*.**'],
    refuse: ['type', 'eventId', 'blockKey', 'instanceId', 'campaignId', 'screen', 'fenceId', 'stringKey', 'key', 'currency'].map(
      (name) => `events.*.${name}`,
    ),
  },
  'POST /campaigns': { replace: ['attributes.**', 'deviceInfo.**', 'location.**', 'context.**'] },
}

const PIPELINE: Record<string, OddRules> = {
  'POST /cards/register': SEEDED,
  'POST /cards/sync': both(under('blocks.*', SEEDED), under('cards.*', SEEDED)),
  'POST /strings/sync': under('strings.*', STRING),
}

const MANAGEMENT: Record<string, OddRules> = {
  'POST /auth/signup': { replace: ['name', 'workspaceName'] },
  'PUT /auth/me': NAME,
  'POST /workspaces': NAME,
  'PUT /workspaces/current': NAME,
  'POST /operator/workspaces': NAME,
  'POST /members': NAME,
  'POST /settings/sdk-keys': NAME,
  'POST /settings/write-keys': NAME,
  'POST /settings/read-keys': NAME,
  'POST /settings/identity-keys': NAME,
  'POST /blocks': DEFINITION,
  'PUT /blocks/:key': DEFINITION,
  'POST /blocks/:key/instances': INSTANCE,
  'PUT /blocks/:key/instances/:id': INSTANCE,
  'POST /blocks/:key/instances/:id/impact': INSTANCE,
  'POST /reviews/:id/approve': NOTE,
  'POST /reviews/:id/reject': NOTE,
  'POST /strings': STRING,
  'PUT /strings/:key': STRING,
  'PUT /strings/:key/translations/:locale': { replace: ['text', 'value', 'description'] },
  'POST /strings/imports': { replace: ['fileName'], pass: ['csv'] },
  'POST /locales': LOCALE,
  'POST /geofences': FENCE,
  'PUT /geofences/:id': FENCE,
  'POST /users/bulk/contacts': { replace: ['contacts.*.email', 'contacts.*.phone', 'contacts.*.country', 'contacts.*.name'] },
  // Which cell of a row says whom it is about is known where rows are read.
  'POST /enrichment/imports': both({ replace: ['fileName'] }, MAPPING),
  'POST /enrichment/imports/:id/rows': { replace: [], pass: ['rows.*.*'] },
  'POST /enrichment/upload': { replace: ['sourceRef', 'records.*.attributes.**'] },
  'POST /enrichment/sources': both(NAME, MAPPING),
  'PUT /enrichment/sources/:sourceId': both(NAME, MAPPING),
  'POST /content/generate-upload-url': FILE,
  'PUT /content/:id': FILE,
  'POST /webhooks': WEBHOOK,
  'PUT /webhooks/:id': WEBHOOK,
  'POST /notifications/channels': CHANNEL,
  'PUT /notifications/channels/:id': CHANNEL,
  'POST /notifications': ONE_OFF,
  'POST /notifications/segment/:id': ONE_OFF,
  'POST /campaigns': CAMPAIGN,
  'PUT /campaigns/:id': CAMPAIGN,
  'POST /campaigns/:id/approve': NOTE,
  'POST /campaigns/:id/reject': NOTE,
  'PATCH /campaigns/:id/status': NOTE,
  'POST /campaigns/:id/edit-requests/:editId/approve': NOTE,
  'POST /campaigns/:id/edit-requests/:editId/reject': NOTE,
  'POST /journeys': JOURNEY,
  'PUT /journeys/:id': JOURNEY,
  'POST /workspace/code/plan': under('document', CODE),
  'POST /workspace/code/apply': under('document', CODE),
}

type Judge = (path: Path) => OddText
const judgesOf = (root: string, rules: Record<string, OddRules>): [string, Judge][] =>
  Object.entries(rules).map(([route, each]) => [route.replace(' ', ` ${root}`), oddTextAt(each)])
/** Rules by method and pattern. */
export const ODD_TEXT: ReadonlyMap<string, Judge> = new Map([
  ...['/sdk/v1', '/api/v1/sdk'].flatMap((root) => judgesOf(root, { ...CLIENT, ...PIPELINE })),
  ...judgesOf('/api/v1', { ...PIPELINE, ...MANAGEMENT }),
])

const refuse: Judge = () => 'refuse'

export function oddTextOf({ method, routeOptions }: FastifyRequest): Judge {
  return ODD_TEXT.get(`${method} ${routeOptions.url ?? ''}`) ?? refuse
}
