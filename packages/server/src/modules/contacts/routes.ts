import { CHANNELS } from '@contentflow/core/identity/consent/consent.ts'
import type { Json } from '@contentflow/core/blocks/field.ts'
import { PUSH_PROVIDERS } from '@contentflow/core/push/providers.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { memberCaller } from '../../http/callers/auth.ts'
import { BODY_BYTES } from '../../http/bodies/body-bytes.ts'
import { replacedTextsOf } from '../../http/bodies/replaced-texts.ts'
import { ok, partial } from '../../http/answers/envelope.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { bodyOf, Nullable, Ok, Partial, ReplacedTexts, Type } from '../../http/schema.ts'
import { loadContacts } from './load-contacts.ts'

const route = routeIn('People')

const ContactBody = Type.Object({
  userId: Type.String(),
  email: Type.Optional(Type.String()),
  phone: Type.Optional(Type.String()),
  country: Type.Optional(Type.String()),
  deviceToken: Type.Optional(Type.String()),
  platform: Type.Optional(Type.Enum(['ios', 'android', 'web'])),
  provider: Type.Optional(
    Type.Enum([...PUSH_PROVIDERS], { description: 'Whose token it is; of ios apns, of android fcm and of web web_push when left out' }),
  ),
  consent: Type.Optional(Type.Object(Object.fromEntries(CHANNELS.map((channel) => [channel, Type.Optional(Type.Boolean())])))),
})
/** Rows are judged one by one, so that a bad one does not stop the others; this is what a good one looks like. */
const DocumentedBody = Type.Object({
  defaultCountry: Type.Optional(Type.String()),
  contacts: Type.Array(ContactBody, { minItems: 1, maxItems: LIMITS.bulkPeople }),
})
const LoadBody = Type.Object({
  defaultCountry: Type.Optional(Nullable(Type.String({ pattern: '^[A-Za-z]{2}$' }))),
  contacts: Type.Array(Type.Unknown(), { minItems: 1, maxItems: LIMITS.bulkPeople }),
})
const ReportSchema = Type.Object({
  received: Type.Integer(),
  processed: Type.Integer(),
  created: Type.Integer(),
  updated: Type.Integer(),
  errorCount: Type.Integer(),
  errors: Type.Array(
    Type.Object({ index: Type.Integer(), userId: Nullable(Type.String()), field: Nullable(Type.String()), error: Type.String() }),
  ),
  replacedTexts: ReplacedTexts,
  mendedEmails: Type.Optional(
    Type.Integer({
      description: 'Emails that were stored without what is no part of them: `mailto:`, a `;` or `,` at the end, invisible signs',
    }),
  ),
})

/** People of other systems, many at once (M-BULK). */
function contactRoutes(app: Routes, ctx: Context): void {
  app.post(
    '/users/bulk/contacts',
    route({
      id: 'loadContacts',
      auth: 'member',
      permission: 'people:write',
      summary: `Load up to ${LIMITS.bulkPeople} people: new ones are made, known ones get the fields that are sent`,
      description:
        'Each row is judged by itself: a wrong one is listed in `errors` with its index and field and does not stop the others. Members left out of a row stay as they are. A workspace whose plan does not cover that many people gets 200 with UPGRADE_REQUIRED, and nothing is stored.',
      body: DocumentedBody,
      out: Type.Union([Ok(ReportSchema), Partial(Type.Object({}))]),
      bodyLimit: BODY_BYTES.contacts,
      refuses: ['UPGRADE_REQUIRED'],
    }),
    async (request) => {
      const { workspaceId, accountId } = memberCaller(request)
      const { defaultCountry, contacts } = bodyOf(request, LoadBody)
      const report = await loadContacts(ctx, {
        workspaceId,
        accountId,
        defaultCountry: defaultCountry?.toUpperCase(),
        rows: contacts as Json[],
      })
      return report ? ok({ ...report, ...replacedTextsOf(request) }) : partial('UPGRADE_REQUIRED')
    },
  )
}

export const routes: ModuleRoutes<{ ctx: Context }> = {
  management: (app, { ctx }) => contactRoutes(app, ctx),
}
