import { Readable } from 'node:stream'
import type { AuditEntry } from '@contentflow/core/audit/entry.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { ok, page } from '../../http/answers/envelope.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { pathOf } from '../../http/params.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { bodyOf, Ok, Page, PageQuery, queryOf, rangeOf, Type } from '../../http/schema.ts'
import { exportAudit } from './export-audit.ts'
import { BoundEntrySchema, EntrySchema, OUTCOMES, presentEntry, SettingsSchema, VerdictSchema, type NamesOf } from './present.ts'
import { getEntry, listAccountNames, listKeyNames, MOST_COUNTED, pageEntries, type Search } from './queries-audit.ts'
import { listObjectNames, nameKey } from './queries-names.ts'
import { readAuditSettings, setAuditSettings } from './settings.ts'
import { verifyAudit } from './verify.ts'

const route = routeIn('Audit log')
const auditor = { auth: 'member', permission: 'audit:read' } as const
/** A text is looked for in each entry, so in so many days at most. */
const TEXT_DAYS = 31
const TEXT_LENGTH = 200
const RETENTION = { minimum: 90, maximum: 3_650 }

const ListQuery = Type.Object({
  ...PageQuery.properties,
  from: Type.Optional(Type.String({ description: 'ISO 8601' })),
  to: Type.Optional(Type.String({ description: 'ISO 8601' })),
  actor: Type.Optional(Type.String({ description: 'The id of an account or a key; `operator`' })),
  action: Type.Optional(Type.String({ description: 'An operationId' })),
  object: Type.Optional(Type.String({ description: 'A kind such as `campaign`, or one object of it: `campaign:<id>`' })),
  person: Type.Optional(Type.String({ description: 'What was done to somebody, by their user id or a device id' })),
  outcome: Type.Optional(Type.Enum([...OUTCOMES], { description: 'What became of it' })),
  text: Type.Optional(
    Type.String({
      maxLength: TEXT_LENGTH,
      description: `Part of an entry; in at most ${TEXT_DAYS} days, the last ones without from and to`,
    }),
  ),
})
/** Sent as it is made. */
const Lines = Type.Unsafe<Readable>(Type.String())
const SettingsBody = Type.Object(
  {
    retentionDays: Type.Optional(Type.Integer(RETENTION)),
    recordReads: Type.Optional(Type.Boolean({ description: 'Reads of one person, files of people and keys leave entries too' })),
  },
  { additionalProperties: false, examples: [{ retentionDays: 400, recordReads: false }] },
)

export const routes: ModuleRoutes<{ ctx: Context }> = {
  management: (app, { ctx }) => {
    entryRoutes(app, ctx)
    wholeRoutes(app, ctx)
    settingRoutes(app, ctx)
  },
}

function entryRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/audit',
    route({
      id: 'listAudit',
      ...auditor,
      summary: 'Who did what, newest first',
      description:
        'Lists entries: each change of a member, key or the operator, sign-ins, and what was refused. People and devices stand in it only as keyed hashes; `person` finds entries about somebody by their id. ' +
        `\`metadata.total\` counts to ${MOST_COUNTED} at most.`,
      query: ListQuery,
      out: Page('entries', EntrySchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const query = queryOf(request)
      const found = await pageEntries(ctx.db, workspaceId, await searchOf(ctx, workspaceId, query), {
        before: query.cursor,
        limit: query.limit,
      })
      const names = await namesOf(ctx, workspaceId, found.items)
      return page('entries', found, ({ entry }) => presentEntry(entry, names))
    },
  )
  app.get(
    '/audit/:seq',
    route({
      id: 'getAuditEntry',
      ...auditor,
      summary: 'An entry, with what binds it to the one before',
      description: 'Answers one entry with its hash and the hash of the one before, by which an edit or a gap is found.',
      params: pathOf({ seq: 'The number of the entry in the log of the workspace' }),
      out: Ok(BoundEntrySchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const seq = /^\d{1,15}$/.test(request.params.seq) ? Number(request.params.seq) : failWith(404, 'entry not found')
      const found = await getEntry(ctx.db, workspaceId, seq)
      const names = await namesOf(ctx, workspaceId, [found])
      return ok({ ...presentEntry(found.entry, names), hash: found.hash.toString('hex'), prev: found.prev.toString('hex') })
    },
  )
}

function wholeRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/audit/export',
    route({
      id: 'exportAudit',
      ...auditor,
      readsAll: true,
      isRecordedRead: true,
      sends: ['Content-Disposition'],
      summary: 'The whole log as lines of JSON, the last one a signed checkpoint',
      description:
        'Each line holds an entry, its hash and the hash before it: `contentflow audit verify` checks the file without this server.',
      out: { description: 'The lines', content: { 'application/x-ndjson': { schema: Lines } } },
    }),
    async (request, reply) => {
      const { workspaceId } = memberCaller(request)
      return reply
        .type('application/x-ndjson; charset=utf-8')
        .header('content-disposition', 'attachment; filename="audit.jsonl"')
        .send(Readable.from(exportAudit(ctx, workspaceId)))
    },
  )
  app.get(
    '/audit/verify',
    route({
      id: 'verifyAudit',
      ...auditor,
      readsAll: true,
      summary: 'Whether the log is what was written: every entry, every link, both ends and every checkpoint',
      description:
        'Reads the whole log and checks every hash, every link, both ends and every signed checkpoint. `fault` in the answer names the first entry that is not what was written.',
      out: Ok(VerdictSchema),
    }),
    async (request) => ok(await verifyAudit(ctx, memberCaller(request).workspaceId)),
  )
}

function settingRoutes(app: Routes, ctx: Context): void {
  const path = '/settings/audit'
  app.get(
    path,
    route({
      id: 'getAuditSettings',
      ...auditor,
      summary: 'How long the audit log is kept, and when it was last checked',
      description: 'Answers for how many days entries are kept, whether reads are recorded, and the outcome of the last check.',
      out: Ok(SettingsSchema),
    }),
    async (request) => ok(await readAuditSettings(ctx, memberCaller(request).workspaceId)),
  )
  app.put(
    path,
    route({
      id: 'setAuditSettings',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'Set how long the audit log is kept, and whether reads leave entries too',
      description:
        'Members left out stay. Older entries are pruned from the beginning of the log, which stays checkable from its last checkpoint on.',
      body: SettingsBody,
      out: Ok(SettingsSchema),
    }),
    async (request) => {
      await setAuditSettings(ctx, actorOf(request), bodyOf(request))
      return ok(await readAuditSettings(ctx, memberCaller(request).workspaceId))
    },
  )
}

type Asked = { [Name in 'from' | 'to' | 'actor' | 'action' | 'object' | 'person' | 'outcome' | 'text']?: string | undefined }

async function searchOf(ctx: Context, workspaceId: string, { object, person, text, ...asked }: Asked): Promise<Search> {
  const { from, to } = rangeOf(asked)
  const [objectKind, ...rest] = object?.split(':') ?? []
  const about = person === undefined ? undefined : await ctx.audit.keys.hashPerson(ctx.db, workspaceId, person)
  return {
    ...(text === undefined || text === '' ? { from, to } : { ...boundedRange(ctx, from, to), text }),
    actor: asked.actor,
    action: asked.action,
    outcome: asked.outcome,
    objectKind: objectKind === '' ? undefined : objectKind,
    objectId: about ?? (rest.length > 0 ? rest.join(':') : undefined),
  }
}

function boundedRange(ctx: Context, from: Date | undefined, to: Date | undefined): { from: Date; to: Date | undefined } {
  const end = to ?? ctx.clock.now()
  const start = from ?? new Date(end.getTime() - TEXT_DAYS * DAY_MS)
  if (end.getTime() - start.getTime() > TEXT_DAYS * DAY_MS)
    failWith(400, `A text is looked for in at most ${TEXT_DAYS} days: move from or to`)
  return { from: start, to }
}

/** Kinds of objects that are accounts of people who work here. */
const ACCOUNTS = new Set(['member', 'account'])

async function namesOf(ctx: Context, workspaceId: string, entries: readonly { entry: string }[]): Promise<NamesOf> {
  const read = entries.map(({ entry }) => JSON.parse(entry) as AuditEntry)
  const actors = read.map(({ actor }) => actor)
  const idsOf = (kind: string) => [...new Set(actors.flatMap((actor) => (actor.kind === kind ? [actor.id] : [])))]
  const accounts = await listAccountNames(ctx.db, idsOf('member'))
  const keys = await listKeyNames(ctx.db, workspaceId, idsOf('key'))
  const objects = read.flatMap(({ object }) => object ?? [])
  const members = await listAccountNames(ctx.db, [...new Set(objects.flatMap(({ kind, id }) => (ACCOUNTS.has(kind) ? [id] : [])))])
  const named = await listObjectNames(ctx.db, workspaceId, objects)
  return {
    ofActor: ({ kind, id }) => (kind === 'member' ? accounts.get(id) : kind === 'key' ? keys.get(id) : undefined) ?? null,
    ofObject: (object) => (ACCOUNTS.has(object.kind) ? members.get(object.id) : named.get(nameKey(object))) ?? null,
  }
}
