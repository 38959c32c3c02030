/** What the isolation suite asks each route with parameters about. */
import { randomUUID } from 'node:crypto'
import type { Twins } from './isolation-bodies.ts'
import type { Route } from '../harness/routes.ts'

/** Parameters that lead to B's things, beside ones that lead nowhere, for every family of routes that has parameters. */
export function parametersOf(
  { path, method }: Route,
  {
    b,
    shared,
    onlyB,
    member,
    keys,
    fence,
    segment,
    erasure,
    erasureRequest,
    subjectRequest,
    personExport,
    stringImport,
    review,
    publication,
    file,
    webhook,
    delivery,
    channel,
    campaign,
    journey,
    report,
    mail,
    enrichment,
    access,
  }: Twins,
): { foreign: Record<string, string>; unknown: Record<string, string> }[] {
  const nobody = randomUUID()
  // Of a device that nobody knows it says what everybody gets.
  if (path.includes('/explain/devices/')) return []
  // Counts of a word that events carry: what nobody sent is 0.
  if (path.includes('/analytics/')) return []
  // A workspace names its own providers: two may have the same name.
  if (path.includes('/identity-providers/'))
    return method === 'PUT' ? [] : [{ foreign: { id: 'only-b-provider' }, unknown: { id: 'no-such-provider' } }]
  // Whoever signs in is nobody yet: the provider says where they belong.
  if (path.includes('/auth/oidc/')) return []
  // Of a person, whatever the workspace: accounts/own-account.test.ts asks for those of others.
  if (path.includes('/auth/sessions/')) return []
  // Each workspace numbers its own from 1; audit.test.ts asks for those of others.
  if (path.endsWith('/audit/:seq')) return []
  // The same: accounts/passkeys/passkeys.test.ts.
  if (path.includes('/auth/passkeys/')) return []
  // Whoever is shown the code by the program answers: accounts/device/device-sign-in.test.ts.
  if (path.includes('/auth/device/')) return []
  const family = /\/settings\/([a-z]+-keys)\//.exec(path)?.[1]
  if (family) return [{ foreign: { id: keys[family] ?? '' }, unknown: { id: nobody } }]
  if (path.includes('/workspaces/:id')) return [{ foreign: { id: b.id }, unknown: { id: nobody } }]
  if (path.includes('/members/')) return [{ foreign: { userId: member }, unknown: { userId: nobody } }]
  if (path.includes('/roles/')) return [{ foreign: { id: access.role }, unknown: { id: nobody } }]
  if (path.includes('/service-accounts/')) return [{ foreign: { ...access }, unknown: { id: nobody, tokenId: nobody } }]
  // The ids in its body are asked about with the references below.
  if (path.endsWith('/instances/order')) return [{ foreign: { key: 'only_b' }, unknown: { key: 'no_such' } }]
  if (path.includes(':scheduleId'))
    return [{ foreign: { key: 'promo', id: shared, scheduleId: publication }, unknown: { key: 'promo', id: shared, scheduleId: nobody } }]
  if (path.includes('/reviews/')) return [{ foreign: { id: review }, unknown: { id: nobody } }]
  if (path.includes('/instances/'))
    return [
      { foreign: { key: 'promo', id: onlyB, number: '1' }, unknown: { key: 'promo', id: nobody, number: '1' } },
      { foreign: { key: 'only_b', id: onlyB, number: '1' }, unknown: { key: 'no_such', id: nobody, number: '1' } },
      { foreign: { key: 'only_b', id: shared, number: '1' }, unknown: { key: 'no_such', id: nobody, number: '1' } },
    ]
  if (path.includes('/enrichment/'))
    return [
      {
        foreign: { id: enrichment.stagedImport, sourceId: enrichment.source, jobRef: enrichment.upload },
        unknown: { id: nobody, sourceId: nobody, jobRef: nobody },
      },
    ]
  if (path.includes('/notifications/segment/')) return [{ foreign: { id: segment }, unknown: { id: nobody } }]
  if (path.includes('/journeys/')) return [{ foreign: { id: journey, number: '1' }, unknown: { id: nobody, number: '1' } }]
  if (path.includes('/campaigns/')) return [{ foreign: campaign, unknown: { id: nobody, editId: nobody } }]
  if (path.includes('/segments/')) return [{ foreign: { id: segment }, unknown: { id: nobody } }]
  if (path.includes('/channels/')) return [{ foreign: { id: channel }, unknown: { id: nobody } }]
  // Declaring a type makes it, in whatever workspace: the name is no id.
  if (path.includes('/event-types/'))
    return method === 'PUT' ? [] : [{ foreign: { eventType: 'only_b' }, unknown: { eventType: 'no_such' } }]
  if (path.includes('/mails/:id')) return [{ foreign: { id: mail, number: '1' }, unknown: { id: nobody, number: '1' } }]
  if (path.includes('/reports/')) return [{ foreign: { id: report }, unknown: { id: nobody } }]
  if (path.includes('/experiments/')) return [{ foreign: { id: 'campaign:only-b' }, unknown: { id: `campaign:${nobody}` } }]
  if (path.includes('/message-topics/')) return [{ foreign: { id: 'only-b-topic' }, unknown: { id: nobody } }]
  if (path.includes('/geofences/')) return [{ foreign: { id: fence }, unknown: { id: nobody } }]
  if (path.includes('/content/')) return [{ foreign: { id: file }, unknown: { id: nobody } }]
  if (path.includes(':deliveryId'))
    return [webhook, nobody].map((id) => ({ foreign: { id, deliveryId: delivery }, unknown: { id: nobody, deliveryId: nobody } }))
  if (path.includes('/webhooks/')) return [{ foreign: { id: webhook }, unknown: { id: nobody } }]
  if (path.includes('/erasure-requests/')) return [{ foreign: { id: erasureRequest }, unknown: { id: nobody } }]
  if (path.includes('/subject-requests/')) return [{ foreign: { id: subjectRequest }, unknown: { id: nobody } }]
  if (path.includes('/person-exports/')) return [{ foreign: { id: personExport }, unknown: { id: nobody } }]
  if (path.includes('/erasures/')) return [{ foreign: { id: erasure }, unknown: { id: nobody } }]
  if (path.includes('/users/:userId'))
    return ['only-b', 'of only-b'].map((userId) => ({ foreign: { userId }, unknown: { userId: nobody } }))
  if (path.includes('/devices/:deviceId')) return [{ foreign: { deviceId: 'of only-b' }, unknown: { deviceId: nobody } }]
  if (path.includes('/strings/imports/')) return [{ foreign: { id: stringImport }, unknown: { id: nobody } }]
  if (path.includes('/strings/:key'))
    return [
      { foreign: { key: 'only.b', locale: 'ar' }, unknown: { key: 'no.such', locale: 'ar' } },
      ...(path.includes(':locale') ? [{ foreign: { key: 'the.same', locale: 'fr' }, unknown: { key: 'the.same', locale: 'de' } }] : []),
    ]
  if (path.includes('/inbox/')) return [{ foreign: { id: 'only-b-message' }, unknown: { id: nobody } }]
  if (path.includes('/locales/')) return [{ foreign: { code: 'fr' }, unknown: { code: 'de' } }]
  // Presets are the same for everybody.
  if (path.includes('/consent/config/')) return []
  // A topic is a word the device itself subscribed to, not an id.
  if (path.includes('/push/topics/')) return []
  if (path.includes('/blocks/'))
    return [{ foreign: { key: 'only_b', blockKey: 'only_b' }, unknown: { key: 'no_such', blockKey: 'no_such' } }]
  throw new Error(`${path} has parameters this suite has no foreign ids for`)
}

/** Names that things of both workspaces have, by a part of the path; what else a route needs is made for it. */
const SAME: [part: string, parameters: Record<string, string>][] = [
  ['/strings/:key', { key: 'the.same', locale: 'ar' }],
  ['/locales/', { code: 'ar' }],
  ['/event-types/', { eventType: 'the_same' }],
  ['/experiments/', { id: 'campaign:the-same' }],
  ['/audit/', { seq: '1' }],
  ['/inbox/', { id: 'the-same-message' }],
  ['/identity-providers/', { id: 'the-same-provider' }],
  ['/message-topics/', { id: 'the-same-topic' }],
  ['/push/topics/', { topic: 'the-same-topic' }],
  ['/users/:userId', { userId: 'the-same-user' }],
  ['/devices/:deviceId', { deviceId: 'the-same-device' }],
  ['/consent/config/', { preset: 'general_ksa' }],
  ['/notifications/segment/', { id: 'the same' }],
]

/** Parameters that lead to what both workspaces have under one name. */
export function sameParametersOf({ path }: Route): Record<string, string> {
  return Object.assign({}, ...SAME.filter(([part]) => path.includes(part)).map(([, parameters]) => parameters)) as Record<string, string>
}
