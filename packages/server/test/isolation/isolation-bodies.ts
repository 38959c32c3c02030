/** What one workspace sends in the isolation suite, to routes that write. */
import { expectStatus, type Client, type Workspace } from '../builders/builders.ts'
import { CAMPAIGN, type Waiting } from '../builders/campaigns.ts'
import { until } from '../harness/until.ts'

/** A mail of sections that says next to nothing. */
export const MAIL = { version: 1, kind: 'sections', sections: [], texts: { en: { subject: 'of A', nodes: {} } } }
export const MANIFEST = {
  blocks: [
    {
      key: 'promo',
      fields: [
        { id: 'f_title', tag: '#title', type: 'text' },
        { id: 'f_items', tag: '#items', type: 'collection', allowedBlockKeys: ['promo', 'only_b'] },
      ],
      instances: ['x1', 'x2'].map((externalId) => ({ externalId, status: 'published', values: { '#title': 'of A' } })),
    },
  ],
}

export const SEGMENT = { logicalOperator: 'OR', rules: [{ field: 'customAttributes.x', operator: 'not_exists' }] }
export const MAPPING = { identity: { column: 'id', type: 'userId' }, columns: [{ column: 'a', name: 'a', type: 'string' }] }
export const FENCE = { name: 'of A', latitude: 24.7, longitude: 46.7, radiusMeters: 100 }

/** Nothing listens there. */
const HOOK = { url: 'http://127.0.0.1:65000/', events: ['campaign.approved'] }

/** It names no gateway, so a test of it calls nobody. */
export const GATEWAY = { type: 'sms', provider: 'contentflow-sms', name: 'of A', configuration: { apiKey: 'of-A', sender: 'of A' } }

export type Twins = {
  a: Workspace
  b: Workspace
  shared: string
  onlyB: string
  member: string
  memberEmail: string
  keys: Record<string, string>
  /** A geofence of B. */
  fence: string
  /** A segment of B. */
  segment: string
  /** The receipt of an erasure of B. */
  erasure: string
  /** An erasure of B that waits. */
  erasureRequest: string
  /** A request of a person of B, and the receipt of a file of one. */
  subjectRequest: string
  personExport: string
  /** A pending import of B. */
  stringImport: string
  /** A request to publish, and something that is to be published, of B. */
  review: string
  publication: string
  /** A file of B. */
  file: string
  /** An endpoint of B, and a delivery to it. */
  webhook: string
  delivery: string
  /** A channel of B. */
  channel: string
  /** A mail that B keeps. */
  mail: string
  /** A journey and a report of B. */
  journey: string
  report: string
  /** A campaign of B that somebody wants changed. */
  campaign: Waiting
  /** What B loaded of people. */
  enrichment: { stagedImport: string; source: string; upload: string }
  /** A role, a service account and its token, of B. */
  access: { role: string; id: string; tokenId: string }
}

/** A body that would do harm if the route found what it names. A new writing route must be added here. */
export const BODIES: Record<string, (twins: Twins) => object | string> = {
  'POST /erasure-requests/:id/confirm': () => ({}),
  'POST /erasure-requests/:id/reject': () => ({}),
  'POST /users/:userId/export': () => ({}),
  'POST /subject-requests': () => ({ kind: 'access', law: 'gdpr', userId: 'only-b', note: 'of A' }),
  'PATCH /subject-requests/:id': () => ({ note: 'changed by A' }),
  'POST /cards/register': () => ({ key: 'promo', name: 'changed by A', fields: MANIFEST.blocks[0]?.fields }),
  'POST /cards/sync': () => ({ blocks: [], prune: true }),
  'POST /identify': () => ({ userId: 'the-same-user', consent: true, traits: { of: 'A' }, name: 'changed by A' }),
  'POST /logout': () => ({}),
  'POST /consent': () => ({ userId: 'the-same-user', channels: { push: true } }),
  'POST /consent/full': () => ({ userId: 'the-same-user', channels: { sms: true }, personalOptOut: true }),
  'PUT /users/:userId/opt-out': () => ({ optedOut: true }),
  'POST /users/bulk/suppress': () => ({ userIds: ['the-same-user', 'only-b'] }),
  'POST /users/bulk/unsuppress': () => ({ userIds: ['the-same-user', 'only-b'] }),
  'POST /users/bulk/contacts': () => ({ contacts: [{ userId: 'the-same-user', email: 'of-a@example.com' }] }),
  'POST /events': () => ({ events: [{ type: 'impression', blockKey: 'only_b', eventId: 'the-same-event' }] }),
  'POST /track-event': () => ({ type: 'sign_in', properties: { of: 'A' } }),
  'POST /profile': () => ({ userId: 'the-same-user', category: 'retail', data: { of: 'A' } }),
  'POST /register-push': () => ({ token: 'the-same-token', platform: 'ios' }),
  'PATCH /push/preferences': () => ({ urgentOnly: true }),
  'POST /push/topics': () => ({ topic: 'the-same-topic' }),
  'POST /inbox/:id': () => ({ read: true }),
  'PUT /preferences': () => ({ maxMessagesAWeek: 2 }),
  'POST /inbox/read-all': () => ({ upTo: 'the-same-message' }),
  'POST /location': ({ fence }) => ({ points: [FENCE], geofenceEvents: [{ fenceId: fence, type: 'enter' }] }),
  'POST /workspace/code/plan': () => ({ document: {} }),
  'POST /workspace/code/apply': () => ({ document: { segments: [], geofences: [] }, version: 'a'.repeat(64) }),
  'POST /segments': ({ a }) => ({ ...SEGMENT, name: `of ${a.id}` }),
  'PUT /segments/:id': () => ({ name: 'changed by A' }),
  'POST /segments/:id/refresh': () => ({}),
  'POST /mails/render': () => ({ mail: MAIL }),
  'POST /mails': ({ a }) => ({ kind: 'template', name: `of ${a.id}`, document: MAIL }),
  'PUT /mails/:id': () => ({ name: 'changed by A' }),
  'POST /mails/:id/restore': () => ({}),
  'POST /mails/import-html': () => ({ html: '<p>of A</p>' }),
  'POST /mails/check-links': () => ({ mail: MAIL }),
  'POST /notifications/channels/:id/check-domain': () => ({}),
  'POST /segments/preview': () => ({ ...SEGMENT, excludedSegments: ['the same'] }),
  'POST /users/bulk/segments': () => ({ segmentId: 'the same', userIds: ['the-same-user'], action: 'remove' }),
  'POST /enrichment/imports': () => ({ headers: ['id', 'a'], mapping: MAPPING }),
  'POST /enrichment/imports/:id/rows': () => ({ startRow: 9, rows: [['the-same-user', 'of A']] }),
  'POST /enrichment/imports/:id/file': () => 'id,a\nthe-same-user,of A\n',
  'POST /enrichment/source-priorities/preview': () => ({ priorities: { csv_upload: 200 } }),
  'POST /enrichment/imports/:id/match': () => ({}),
  'POST /enrichment/imports/:id/commit': () => ({}),
  'POST /enrichment/upload': () => ({ sourceRef: 'of A', records: [{ userId: 'the-same-user', attributes: { a: 'of A' } }] }),
  'POST /enrichment/uploads/:jobRef/rerun': () => ({}),
  'POST /enrichment/sources': ({ a }) => ({ name: `of ${a.id}`, mapping: MAPPING }),
  'PUT /enrichment/sources/:sourceId': () => ({ mapping: MAPPING }),
  'PUT /enrichment/source-priorities': () => ({ priorities: { csv_upload: 200 } }),
  'PUT /event-types': () => ({ types: ['the_same', 'only_b'].map((name) => ({ name, description: 'changed by A' })) }),
  'PUT /event-types/:eventType': () => ({ description: 'changed by A' }),
  'PUT /experiments/:id': () => ({ name: 'changed by A' }),
  'POST /experiments/:id/decide': () => ({ variant: 'a', note: 'changed by A' }),
  'POST /experiments/plan': () => ({ baseline: 0.05, relativeEffect: 0.2 }),
  'POST /analysis/explore': () => ({ types: ['the_same', 'only_b'], metric: 'people' }),
  'POST /analysis/funnel': () => ({ steps: [{ type: 'the_same' }, { type: 'only_b' }] }),
  'POST /analysis/funnel/segment': ({ a }) => ({ name: `made by ${a.id}`, steps: [{ type: 'the_same' }, { type: 'only_b' }], step: 1 }),
  'POST /analysis/funnel/people': () => ({ steps: [{ type: 'the_same' }, { type: 'only_b' }], step: 1 }),
  'POST /analysis/retention': () => ({ start: { type: 'the_same' }, return: { type: 'only_b' }, periods: 1 }),
  'POST /reports': ({ a }) => ({ name: `of ${a.id}`, kind: 'explore', definition: { types: ['the_same'] } }),
  'PUT /reports/:id': () => ({ definition: { types: ['only_b'] } }),
  'POST /geofences': () => FENCE,
  'PUT /geofences/:id': () => ({ name: 'changed by A' }),
  'POST /webhooks': () => HOOK,
  'PUT /webhooks/:id': () => ({ url: 'http://127.0.0.1:65001/', active: true }),
  'POST /webhooks/:id/rotate-secret': () => ({}),
  'POST /webhooks/:id/ping': () => ({}),
  'POST /webhooks/:id/deliveries/:deliveryId/resend': () => ({}),
  'POST /journeys': () => ({ name: 'of A', trigger: { type: 'segment_entry', segment: 'the same' }, steps: [{ type: 'exit' }] }),
  'PUT /journeys/:id': () => ({ name: 'changed by A' }),
  'PATCH /journeys/:id/status': () => ({ status: 'active' }),
  'POST /journeys/:id/enroll': () => ({ userIds: ['the-same-user', 'only-b'] }),
  'POST /journeys/:id/test-run': () => ({ userIds: ['the-same-user', 'only-b'] }),
  'POST /campaigns': () => CAMPAIGN,
  'PUT /campaigns/:id': () => ({ name: 'changed by A' }),
  'POST /campaigns/:id/submit-review': () => ({}),
  'POST /campaigns/:id/approve': () => ({ activateTarget: 'live', note: 'of A' }),
  'POST /campaigns/:id/reject': () => ({ note: 'of A' }),
  'POST /campaigns/:id/recall': () => ({}),
  'PATCH /campaigns/:id/status': () => ({ status: 'completed' }),
  'POST /campaigns/:id/edit-requests/:editId/approve': () => ({ note: 'of A' }),
  'POST /campaigns/:id/edit-requests/:editId/reject': () => ({ note: 'of A' }),
  'POST /campaigns/:id/launch-otp': () => ({}),
  'POST /journeys/:id/launch-otp': () => ({}),
  'POST /notifications/segment/:id/launch-otp': () => ({}),
  'POST /campaigns/:id/resend-interrupted': () => ({}),
  'POST /contacts/open': () => ({ channel: 'email', all: true }),
  'POST /campaigns/:id/preview': () => ({}),
  'POST /campaigns/:id/test-send': () => ({ to: 'me', channel: 'push' }),
  'POST /journeys/:id/test-send': () => ({ step: 's', to: 'me' }),
  'PUT /settings/launch-protection': () => ({ mode: 'off', sealAudience: true }),
  'POST /notifications/channels': () => GATEWAY,
  'PUT /notifications/channels/:id': () => ({ name: 'changed by A', priority: 9 }),
  'POST /notifications/channels/:id/test': () => ({ to: '+966500000000' }),
  'POST /notifications/channels/email/test': () => ({}),
  'POST /notifications': () => ({ userId: 'the-same-user', channel: 'push', content: { body: 'of A' } }),
  'POST /notifications/segment/:id': () => ({ channel: 'push', content: { body: 'of A' } }),
  'POST /content/generate-upload-url': () => ({ fileName: 'of A', mimeType: 'text/plain' }),
  'POST /content/finalize-upload': ({ file }) => ({ contentId: file }),
  'PUT /content/:id': () => ({ fileName: 'changed by A', alt: { en: 'changed by A' } }),
  'POST /strings/sync': () => ({
    strings: ['the.same', 'only.b'].map((key) => ({ key, sourceText: 'changed by A', values: { fr: 'of A' } })),
  }),
  'POST /strings/disable': () => ({ keys: ['the.same', 'only.b'] }),
  'POST /strings': () => ({ key: 'made.by.a', sourceText: 'of A' }),
  'PUT /strings/:key': () => ({ sourceText: 'changed by A', hidden: true }),
  'POST /strings/approve': () => ({ locale: 'ar', keys: ['the.same', 'only.b'] }),
  'PUT /strings/:key/translations/:locale': () => ({ text: 'changed by A' }),
  'POST /strings/:key/translations/:locale/approve': () => ({ text: 'changed by A' }),
  'POST /strings/:key/translations/:locale/draft': () => ({}),
  'POST /strings/:key/translations/:locale/restore': () => ({ number: 1 }),
  'POST /strings/:key/restore': () => ({ number: 1 }),
  'POST /strings/draft': () => ({ locale: 'ar', keys: ['the.same', 'only.b'] }),
  'POST /strings/imports': () => ({ csv: 'key,sourceText,ar\nthe.same,changed by A,changed by A\nonly.b,changed by A,' }),
  'POST /strings/imports/:id/apply': () => ({}),
  'PUT /strings/:key/sensor': () => ({ enabled: false }),
  'POST /strings/:key/sensor/approve': () => ({}),
  'POST /locales': () => ({ code: 'fr' }),
  'PUT /settings/source-locale': () => ({ code: null }),
  'PUT /settings/sensor-approval': () => ({ required: true }),
  'POST /settings/sdk-keys': () => ({ kind: 'publishable', environment: 'live' }),
  'POST /settings/sdk-keys/:id/rotate': () => ({}),
  'POST /settings/write-keys': () => ({}),
  'POST /settings/write-keys/:id/rotate': () => ({}),
  'POST /settings/read-keys': () => ({}),
  'POST /settings/read-keys/:id/rotate': () => ({}),
  'POST /settings/sandbox': () => ({}),
  'PUT /settings/sdk-key-policy': () => ({ derivedKeysEnabled: false }),
  'PUT /settings/calendar': () => ({ timeZone: 'Asia/Riyadh', firstDayOfWeek: 0, weekend: [5, 6], hijri: true }),
  'PUT /settings/event-retention': () => ({ days: 1 }),
  'PUT /settings/first-messages': () => ({ perHour: 1 }),
  'PUT /settings/message-tracking': () => ({ opens: 'off', clicks: 'off' }),
  'PUT /settings/audit': () => ({ retentionDays: 365, recordReads: false }),
  'PUT /settings/preference-page': () => ({ inMails: 'always', law: 'gdpr' }),
  'POST /message-topics': ({ a }) => ({ id: `of-${a.id}`.slice(0, 40), names: { en: 'of A' }, channels: ['email'] }),
  'PUT /message-topics/:id': () => ({ names: { en: 'changed by A' }, channels: ['email'] }),
  'PUT /settings/holdout': () => ({ percent: 5, startsAt: '2026-01-01T00:00:00Z' }),
  'PUT /settings/link-schemes': () => ({ schemes: ['shop'] }),
  'PUT /settings/brand': () => ({ brand: { texts: { en: { company: 'of A' } } } }),
  'PUT /settings/web-address': () => ({ url: 'https://shop.example' }),
  'PUT /settings/protections': () => ({ protections: { confirmErasures: true } }),
  'PUT /settings/identity-verification': () => ({ environment: 'live', userToken: 'off' }),
  'POST /settings/identity-keys': () => ({ environment: 'live', kind: 'secret', name: 'of A' }),
  'PUT /settings/features': () => ({ features: { contentSync: false } }),
  'PUT /settings/test-environment': () => ({ retired: true }),
  'PUT /settings/identity-providers/:id': () => ({ name: 'of A', issuer: 'https://login.example', clientId: 'of-A' }),
  'POST /auth/link': () => ({}),
  'POST /auth/oidc/:id/backchannel-logout': () => ({}),
  'POST /auth/logout': () => ({}),
  'PUT /auth/me': () => ({ name: 'changed by A' }),
  'PUT /auth/password': () => ({ current: 'another long password', next: 'changed by A' }),
  'POST /auth/password-reset': () => ({ email: 'nobody@example.com' }),
  'PUT /auth/password-reset': () => ({ token: 'of no link', next: 'changed by A' }),
  'POST /auth/email': () => ({ email: 'nobody@example.com', password: 'another long password' }),
  'PUT /auth/email': () => ({ token: 'of no link' }),
  'DELETE /auth/me': () => ({ password: 'another long password' }),
  'POST /auth/me/restore': () => ({}),
  'POST /members/:userId/reset-link': () => ({}),
  'POST /auth/totp': () => ({}),
  'PUT /auth/totp': () => ({ code: '123456' }),
  'POST /auth/recovery-codes': () => ({}),
  'PUT /auth/device/:code': () => ({ allow: false }),
  'POST /auth/passkeys/options': () => ({}),
  'POST /auth/passkeys': () => ({ credential: NEW_PASSKEY, name: 'of A' }),
  'PUT /auth/passkeys/:id': () => ({ name: 'of A' }),
  'PUT /settings/sign-in': () => ({ sessionIdleMinutes: 60 }),
  'PUT /workspaces/current': () => ({ name: 'changed by A' }),
  'POST /workspaces': () => ({ name: 'another of A' }),
  'POST /workspaces/:id/restore': () => ({}),
  'POST /workspaces/join': () => ({ token: 'of no invitation' }),
  'POST /roles': () => ({ name: 'of A', permissions: ['strings:read'] }),
  'PUT /roles/:id': () => ({ name: 'changed by A', permissions: [] }),
  'POST /service-accounts': () => ({ name: 'of A', role: 'viewer' }),
  'PUT /service-accounts/:id': () => ({ name: 'changed by A' }),
  'POST /service-accounts/:id/tokens': () => ({}),
  'PUT /service-accounts/:id/tokens/:tokenId': () => ({ expiresInDays: 1 }),
  'POST /service-accounts/:id/tokens/:tokenId/rotate': () => ({ overlapHours: 0 }),
  'POST /access/check': ({ member }) => ({ userId: member, permission: 'strings:read' }),
  'POST /members': ({ memberEmail }) => ({ email: memberEmail, name: 'changed', password: 'changed by A', role: 'viewer' }),
  'PUT /members/:userId': () => ({ role: 'viewer', canApprove: false }),
  'POST /blocks': () => ({ key: 'only_b', name: 'of A' }),
  'PUT /blocks/:key': () => ({ name: 'changed by A' }),
  'POST /blocks/:key/restore': () => ({}),
  'POST /blocks/:key/instances': ({ onlyB }) => ({ externalId: 'only-b', values: { '#items': [onlyB] } }),
  'PUT /blocks/:key/instances/:id': () => ({ title: 'changed by A', values: { '#title': 'changed by A' } }),
  'PUT /blocks/:key/instances/order': ({ shared }) => ({ ids: [shared] }),
  'POST /blocks/:key/instances/:id/impact': () => ({ title: 'of A', seg: 'B' }),
  'POST /blocks/:key/instances/:id/duplicate': () => ({ title: 'of A' }),
  'POST /blocks/:key/instances/:id/publish': () => ({}),
  'POST /blocks/:key/instances/:id/unpublish': () => ({}),
  'POST /blocks/:key/instances/:id/restore': () => ({}),
  'PUT /blocks/:key/instances/:id/schedule/:scheduleId': () => ({ at: '2099-01-01T00:00:00Z' }),
  'POST /reviews/:id/approve': () => ({ note: 'of A' }),
  'POST /reviews/:id/reject': () => ({ note: 'of A' }),
  'PUT /settings/publishing': () => ({ approval: false }),
  'POST /blocks/:key/instances/:id/revisions/:number/rollback': () => ({}),
}

/** Of no device. */
const NEW_PASSKEY = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
}

/** An endpoint nobody answers at, and a delivery to it that has failed. */
export async function pinged({ admin }: Workspace, description: string): Promise<{ id: string; deliveryId: string }> {
  const id = expectStatus(await admin.post('/webhooks', { ...HOOK, description }), 201).data.id
  const deliveryId = expectStatus(await admin.post(`/webhooks/${id}/ping`, {}), 202).data.id
  await until('the ping has failed', async () => (await admin.get(`/webhooks/${id}/deliveries/${deliveryId}`)).data.status === 'failed')
  await until('the endpoint knows', async () => (await admin.get(`/webhooks/${id}`)).data.failingSince !== null)
  return { id, deliveryId }
}

/** Makes room for an import, and makes one when `isWanted`. */
export async function renewImport(ws: Workspace, isWanted: boolean): Promise<string> {
  for (const { importId, status } of expectStatus(await ws.admin.get('/strings/imports'), 200).data.imports)
    if (status === 'pending') expectStatus(await ws.admin.delete(`/strings/imports/${importId}`), 200)
  return isWanted ? expectStatus(await ws.admin.post('/strings/imports', { csv: 'key,sourceText\nthe.same,of A' }), 201).data.importId : ''
}

/** What these bodies come to where there is nothing that they name: who sends, which invitation, which file. */
export const REFUSED = [
  // The message is of the live person: the installation of the test environment has none.
  'POST /sdk/v1/inbox/read-all 404',
  'POST /sdk/v1/inbox/:id 404',
  'POST /api/v1/sdk/inbox/read-all 404',
  'POST /api/v1/sdk/inbox/:id 404',
  'GET /api/v1/sends 400',
  // Which change is restored is told by a number that these bodies do not know; history.test.ts restores across workspaces.
  'POST /api/v1/strings/:key/translations/:locale/restore 404',
  'POST /api/v1/strings/:key/restore 404',
  // No identity waits in this browser.
  'POST /api/v1/auth/link 404',
  // There is no such link, and no server of mail.
  'PUT /api/v1/auth/password-reset 404',
  // There are no passkeys at this address.
  'POST /api/v1/auth/passkeys 409',
  'POST /api/v1/auth/passkeys/options 409',
  'PUT /api/v1/auth/passkeys/:id 404',
  'POST /api/v1/auth/email 409',
  'PUT /api/v1/auth/email 404',
  // No program waits to be signed in.
  'GET /api/v1/auth/device/:code 404',
  'PUT /api/v1/auth/device/:code 404',
  // A code of no app, and no second factor.
  'PUT /api/v1/auth/totp 401',
  'POST /api/v1/auth/recovery-codes 409',
  'POST /api/v1/workspaces/join 404',
  // No plan was made for this one.
  'POST /api/v1/workspace/code/apply 409',
  // B has a say in this account too.
  'POST /api/v1/members/:userId/reset-link 409',
  'POST /api/v1/blocks/:key/instances 400',
  'POST /api/v1/content/finalize-upload 404',
  // Only what is active sends.
  'POST /api/v1/campaigns/:id/resend-interrupted 409',
  // A gateway of text messages sends from no domain.
  'POST /api/v1/notifications/channels/:id/check-domain 400',
  // The journey has no step that sends.
  'POST /api/v1/journeys/:id/test-send 400',
  'DELETE /api/v1/members/:userId/second-factor 409',
  'DELETE /api/v1/auth/sessions/:id 404',
  'DELETE /api/v1/auth/passkeys/:id 404',
  // Its name has to be typed.
  'DELETE /api/v1/workspaces/:id 400',
  'DELETE /api/v1/auth/totp 404',
  // Another password than the person's.
  'DELETE /api/v1/auth/me 400',
]

/** Saves a question; its id. */
export async function makeReport(admin: Client, name: string): Promise<string> {
  const body = { name, kind: 'explore', definition: { types: ['the_same'] } }
  return expectStatus(await admin.post('/reports', body), 201).data.id
}
