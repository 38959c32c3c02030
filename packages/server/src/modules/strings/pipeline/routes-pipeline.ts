import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../../context.ts'
import { actorOf } from '../../../http/callers/auth.ts'
import { BODY_BYTES } from '../../../http/bodies/body-bytes.ts'
import { sentBody } from '../../../http/bodies/body.ts'
import { replacedTextsOf } from '../../../http/bodies/replaced-texts.ts'
import { ok, partial } from '../../../http/answers/envelope.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
import { Nullable, Ok, PageQuery, Partial, queryOf, ReplacedTexts, Type } from '../../../http/schema.ts'
import { InjectedFault } from '../../../infra/faults.ts'
import { WarningSchema } from '../present.ts'
import { disableStrings } from './disable-strings.ts'
import { listDeclared } from './list-declared.ts'
import { syncStrings } from './sync-strings.ts'

const Key = Type.String({ minLength: 1, maxLength: LIMITS.stringKeyLength, examples: ['home.title'] })
const SyncBody = Type.Object(
  {
    strings: Type.Array(
      Type.Object({
        key: Key,
        sourceText: Type.Optional(Type.String({ description: 'In the source language; comes before its entry in `values`' })),
        values: Type.Optional(
          Type.Record(Type.String(), Type.String(), {
            description: 'Locale code to text. Locales the workspace lacks are skipped, empty texts ignored',
          }),
        ),
        namespace: Type.Optional(Type.String({ maxLength: LIMITS.namespaceLength, description: 'A new key without one is in `app`' })),
        description: Type.Optional(Type.String({ maxLength: LIMITS.stringDescriptionLength, description: 'For translators' })),
      }),
      { minItems: 1, maxItems: LIMITS.stringsPerSync },
    ),
  },
  { examples: [{ strings: [{ key: 'home.title', sourceText: 'Welcome', values: { ar: 'أهلا' } }] }] },
)
const SyncAnswer = Type.Object({
  created: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  translationsWritten: Type.Integer({ description: 'Those that were stored for review included' }),
  rejected: Type.Array(Type.Object({ key: Type.String(), reason: Type.Enum(['missing_source_text']) })),
  skippedLocales: Type.Array(Type.String()),
  replacedTexts: ReplacedTexts,
  warnings: Type.Optional(
    Type.Array(Type.Object({ key: Type.String(), locale: Type.String(), warnings: Type.Array(WarningSchema) }), {
      description:
        'Translations that were sent whose placeholders are not those of the source text; their status is the same as without. ' +
        'Left out when there are none; at most 1000',
    }),
  ),
})
const DeclaredQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: LIMITS.stringsPerSync, default: LIMITS.stringsPerSync, description: 'Entries on one page' }),
  cursor: PageQuery.properties.cursor,
})
const DeclaredPage = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    sourceLocale: Nullable(Type.String()),
    locales: Type.Array(Type.String()),
    strings: Type.Array(
      Type.Object({
        key: Key,
        namespace: Type.String(),
        description: Type.String(),
        sourceText: Type.String(),
        values: Type.Record(Type.String(), Type.String(), { description: 'Locale code to text, also of those in review' }),
        review: Type.Array(Type.String(), { description: 'Locales whose translation is in review: not delivered' }),
      }),
    ),
  }),
  metadata: Type.Object({ total: Type.Integer(), nextCursor: Nullable(Type.String()) }),
})
const DisableBody = Type.Object(
  { keys: Type.Array(Key, { minItems: 1, maxItems: LIMITS.stringsPerDisable, uniqueItems: true }) },
  { examples: [{ keys: ['home.title'] }] },
)
const Keys = Type.Array(Type.String())
const DisableAnswer = Type.Object({ disabled: Keys, alreadyDisabled: Keys, unknown: Keys })

/** Texts from build pipelines, by write key; mounted under every root (M-STRS-01 to M-STRS-33). */
export function stringsPipelineRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Build pipeline')
  app.post(
    '/strings/sync',
    route({
      id: { client: 'declareStrings', management: 'syncStrings' },
      auth: 'write',
      summary: 'Declare texts; what is not named stays, and a repeat writes nothing',
      description:
        'Creates and updates up to 2,000 texts in one transaction; texts that are not named stay. When the source text of a key changes, its translations go to review, those of the same row included. Other translations that are sent count as approved. Rows without a source text are listed in `rejected`, locales the workspace lacks in `skippedLocales`. Check `success` as well as the status.',
      body: SyncBody,
      out: Type.Union([Ok(SyncAnswer), Partial(Type.Object({}))]),
      bodyLimit: BODY_BYTES.strings,
      refuses: ['STRINGS_SYNC_FAILED', 'STRING_LIMIT', 'WORKSPACE_FULL', 'APPROVAL_NEEDED'],
    }),
    async (request) =>
      localized('STRINGS_SYNC_FAILED', async () => ({
        ...(await syncStrings(ctx, actorOf(request), sentBody(request))),
        ...replacedTextsOf(request),
      })),
  )
  app.get(
    '/strings/sync',
    route({
      id: { client: 'exportDeclaredStrings', management: 'exportStringRows' },
      auth: 'write',
      summary: 'The texts there are, as rows of a sync, with the state of each translation; by key',
      description:
        'Answers all texts in the form that a sync takes, so that a build can compare before it sends. Translations in review are included and named in `review`.',
      query: DeclaredQuery,
      out: DeclaredPage,
    }),
    async (request) => {
      const { limit, cursor } = queryOf(request)
      const found = await listDeclared(ctx, actorOf(request).workspaceId, { after: cursor, limit })
      return ok(
        { sourceLocale: found.sourceLocale, locales: found.locales, strings: found.items },
        { total: found.total, nextCursor: found.next },
      )
    },
  )
  app.post(
    '/strings/disable',
    route({
      id: { client: 'disableSensors', management: 'disableStringSensors' },
      auth: 'write',
      summary: 'Turn sensors off; the texts are still served',
      description:
        'Turns off the sensors of up to 500 keys, so that apps stop reporting when their texts are shown or pressed. Unknown keys are listed and stop nothing. Check `success` as well as the status.',
      body: DisableBody,
      out: Type.Union([Ok(DisableAnswer), Partial(Type.Object({}))]),
      bodyLimit: BODY_BYTES.stringKeys,
      refuses: ['VALIDATION_ERROR', 'STRINGS_DISABLE_FAILED'],
    }),
    async (request) => localized('STRINGS_DISABLE_FAILED', () => disableStrings(ctx, actorOf(request), sentBody(request))),
  )
}

/** M189: a failure inside localization is a 200 that says so. Without a database connection it is 503, as everywhere. */
async function localized<T>(code: 'STRINGS_SYNC_FAILED' | 'STRINGS_DISABLE_FAILED', work: () => Promise<T>) {
  try {
    return ok(await work())
  } catch (error) {
    if (!(error instanceof InjectedFault)) throw error
    return partial(code, 'Localization failed; nothing was changed. Send the same request again')
  }
}
