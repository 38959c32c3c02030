/**
 * What the endpoints of a workspace are sent, as schemas: the reference shows them, and `enqueueWebhook` takes nothing else. Beside
 * the events of `core/webhooks/events.ts` there are two that no endpoint chooses: the step of a journey, and the ping.
 */
import { JOURNEY_STEP, PING, type WebhookData, type WebhookEvent } from '@contentflow/core/webhooks/events.ts'
import { Nullable, Type, type Static, type TSchema } from '../schema.ts'
import { exampleOf } from './example.ts'
import type { JsonSchema } from './schemas.ts'

const id = Type.String({ examples: ['0198c5b2-6f1e-7d3a-9c41-2b7e5a90d1f4'] })
const name = Type.String({ examples: ['Ramadan offer'] })
const campaign = { campaignId: id, name, type: Type.String({ examples: ['banner'] }) }
const status = Type.String({ description: 'The state that it is in since', examples: ['active'] })
const from = Type.String({ description: 'The state that it was in', examples: ['scheduled'] })
const to = Type.String({ description: 'The state that it is in since', examples: ['active'] })
const experiment = {
  experimentId: Type.String({ examples: ['campaign:0198c5b2-6f1e-7d3a-9c41-2b7e5a90d1f4'] }),
  name,
  subject: Type.String({ description: 'What is compared: instance, campaign or control', examples: ['campaign'] }),
  subjectId: id,
  run: Type.Integer({ description: 'Grows when it begins anew with nothing counted', examples: [1] }),
}
const text = (example: string) => Type.String({ examples: [example] })
const hex = Type.String({ pattern: '^[0-9a-f]{64}$' })
const moment = Type.String({ format: 'date-time' })
const Entry = Type.Object(
  {
    seq: Type.Integer({ examples: [4127] }),
    at: moment,
    actor: Type.Object({
      kind: Type.Enum(['member', 'service', 'key', 'operator', 'system']),
      id: Type.String(),
      owner: Type.Optional(Type.String({ description: 'Of a service account, who answers for it' })),
    }),
    action: Type.String({ description: 'The operationId of the route, or the name of the work', examples: ['publishInstance'] }),
    object: Type.Optional(Type.Object({ kind: text('instance'), id: Type.String(), revision: Type.Optional(Type.Integer()) })),
    outcome: Type.Enum(['done', 'refused', 'failed', 'read']),
    before: Type.Optional(Type.String({ description: 'A digest of the object before', examples: ['q1Zk3u9v1mB7rXw5QeJ4n0'] })),
    after: Type.Optional(Type.String({ description: 'And after', examples: ['Yx1f0QmZ8sT3WpLkV7dR2a'] })),
    members: Type.Optional(
      Type.Array(Type.String(), { description: 'Names of what changed, never values', examples: [['live_revision']] }),
    ),
    more: Type.Optional(Type.Integer()),
    requestId: Type.Optional(text('7f3a91c2-128')),
    address: Type.Optional(text('203.0.113.7')),
    userAgent: Type.Optional(text('Mozilla/5.0')),
    session: Type.Optional(text('9f86d081884c')),
    reason: Type.Optional(Type.String({ description: 'The code of the refusal', examples: ['ROLE_REQUIRED'] })),
  },
  { title: 'ToldAuditEntry' },
)

const DATA = {
  'campaign.status_changed': Type.Object({ ...campaign, from, to, reason: Type.Optional(text('Sold out')) }),
  'campaign.submitted_for_review': Type.Object({ ...campaign, status }),
  'campaign.approved': Type.Object({ ...campaign, status, note: Type.Optional(text('Looks right')) }),
  'campaign.rejected': Type.Object({ ...campaign, status, note: text('The Arabic text is missing') }),
  'journey.status_changed': Type.Object({ journeyId: id, name: text('Welcome'), from, to }),
  'experiment.reading_taken': Type.Object({
    ...experiment,
    isClear: Type.Boolean({ description: 'Whether `best` is better than `than`, and not by chance' }),
    best: Type.Optional(text('short')),
    than: Type.Optional(text('long')),
  }),
  'experiment.sample_ratio_mismatch': Type.Object({
    ...experiment,
    p: Type.Number({ description: 'How likely sizes that differ so much are by chance', examples: [0.0002] }),
  }),
  'experiment.guardrail_harmed': Type.Object({
    ...experiment,
    event: text('unsubscribe'),
    mustNot: Type.String({ description: 'What the event must not do', examples: ['rise'] }),
    variant: text('short'),
    than: text('long'),
  }),
  'audit.entries': Type.Object({
    entries: Type.Array(Type.Object({ entry: Entry, hash: hex, prev: hex }), { description: 'In their order and without a gap' }),
  }),
  'audit.checkpoint': Type.Object({
    checkpoint: Type.Object({ workspace: Type.String(), number: Type.Integer(), seq: Type.Integer(), hash: hex, at: moment }),
    publicKey: Type.String({ description: '32 bytes in base64url' }),
    signature: Type.String({ description: '64 bytes of Ed25519 in base64url' }),
  }),
} satisfies Record<WebhookEvent, TSchema>

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T
type Described = { [Event in WebhookEvent]: Frozen<Static<(typeof DATA)[Event]>> }
type Same<A extends B, B> = A
/** What each event tells. It compiles only while the schemas say the same as the type, in both directions. */
export type ToldData = Same<Frozen<WebhookData>, Described> & Same<Described, Frozen<WebhookData>>

const SAID: Record<WebhookEvent | typeof JOURNEY_STEP | typeof PING, readonly [summary: string, description: string]> = {
  'campaign.status_changed': [
    'A campaign is in another state',
    'Sent for every change of state: by a member, by its schedule or because it missed its time.',
  ],
  'campaign.submitted_for_review': ['A campaign waits for a second person', 'Sent when a member submits a campaign for review.'],
  'campaign.approved': ['A campaign was approved', 'Sent when a second person approved what was submitted, with their note.'],
  'campaign.rejected': [
    'A campaign was sent back',
    'Sent when a second person rejected what was submitted, with the reason that they gave.',
  ],
  'journey.status_changed': ['A journey is in another state', 'Sent when a journey is activated, paused or taken back to draft.'],
  'experiment.reading_taken': [
    'The planned reading of an experiment was taken',
    'Sent once for each run, when the planned number of devices was counted.',
  ],
  'experiment.sample_ratio_mismatch': [
    'The groups of an experiment have other sizes than they should',
    'Sent once for each run. Its figures are not to be trusted until the reason is found.',
  ],
  'experiment.guardrail_harmed': [
    'A guardrail of an experiment is harmed',
    'Sent once for each run and guardrail, when the leading variant changes the event for the worse.',
  ],
  'audit.entries': [
    'New entries of the audit log',
    'Sent in batches, so that a copy elsewhere has every entry. Only members who may read the log choose it.',
  ],
  'audit.checkpoint': [
    'A signed checkpoint of the audit log',
    'Sent when the state of the log was signed, to be kept where nobody can change it together with the log.',
  ],
  [JOURNEY_STEP]: [
    'A step of a journey tells of a person',
    'Sent to the endpoint that the step names, whichever events it chose. Members that the step defines stand beside those described.',
  ],
  [PING]: ['A member tries the endpoint', 'Sent by POST /webhooks/{id}/ping, once and without trying again.'],
}

const STEP = Type.Object(
  {
    journeyId: id,
    stepId: text('tell-crm'),
    runId: id,
    userId: Nullable(Type.String({ description: 'null of somebody anonymous', examples: ['sara'] })),
    deviceId: Type.Optional(Nullable(Type.String())),
    event: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'What brought the person there' })),
  },
  { additionalProperties: true },
)
const Actor = Type.Object(
  { userId: Type.String({ description: 'The account, key or `system`' }), name: Type.Optional(text('Noura')) },
  { title: 'WebhookActor', description: 'Who did it' },
)

/** The body of a delivery, by event. */
export const WEBHOOK_BODIES: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  Object.entries({ ...DATA, [JOURNEY_STEP]: STEP, [PING]: Type.Object({}) }).map(([event, data]) => [event, bodyOf(event, data)]),
)

function bodyOf(event: string, data: { properties: object; required?: readonly string[] | undefined }): JsonSchema {
  const told = { ...data, properties: { ...data.properties, actor: Actor }, required: [...(data.required ?? []), 'actor'] }
  const title = `Told${event.replaceAll(/[._](\w)|^(\w)/g, (_, next: string | undefined, first: string | undefined) => (next ?? first ?? '').toUpperCase())}`
  const body = Type.Object(
    {
      id: Type.String({ description: 'Of the delivery: sent again it is the same, so do nothing twice for one' }),
      event: Type.Literal(event, { description: 'What happened' }),
      tenantId: Type.String({ description: 'The workspace' }),
      occurredAt: Type.String({ format: 'date-time', description: 'When it happened' }),
      data: { ...told, description: 'What is told of it, and who did it' },
    },
    { title },
  )
  // As it is written: TypeBox keeps marks of its own that JSON has not.
  return JSON.parse(JSON.stringify(body)) as JsonSchema
}

const header = (headerName: string, description: string, example: string) => ({
  name: headerName,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', examples: [example] },
})
const HEADERS = [
  header('X-CF-Timestamp', 'Seconds since 1970 when it was sent; refuse what is older than some minutes', '1790000000'),
  header(
    'X-CF-Signature',
    '`sha256=` and the hex HMAC-SHA256 of `<X-CF-Timestamp>.<raw body>` with the whole secret of the endpoint',
    `sha256=${'5e'.repeat(32)}`,
  ),
  header('X-CF-Delivery', 'The id of the delivery, as in the body', '0198c5b2-6f1e-7d3a-9c41-2b7e5a90d1f4'),
]

/** For `webhooks` of the document. Receivers answer 2xx within ten seconds; everything else is tried again. */
export function describeWebhooks(): Record<string, { post: object }> {
  return Object.fromEntries(
    Object.entries(SAID).map(([event, [summary, description]]) => {
      const schema = WEBHOOK_BODIES[event]!
      const post = {
        operationId: `receive${schema.title?.slice('Told'.length) ?? ''}`,
        tags: ['Webhooks'],
        summary,
        description,
        security: [],
        parameters: HEADERS,
        requestBody: { required: true, content: { 'application/json': { schema, example: exampleOf(schema) } } },
        responses: {
          '2XX': { description: 'Taken' },
          '4XX': { description: 'Not taken: sent again after 10 seconds, 1 minute, 5 minutes, 30 minutes and 2 hours' },
        },
      }
      return [event, { post }]
    }),
  )
}
