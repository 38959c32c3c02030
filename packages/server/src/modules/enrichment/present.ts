import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import { IDENTITY_TYPES, COLUMN_TYPES, type Mapping } from '@contentflow/core/imports/mapping.ts'
import { LOADED_SOURCES, SOURCES, type Priorities } from '@contentflow/core/imports/priorities.ts'
import { IMPORT_STATUSES } from '@contentflow/core/imports/status.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { EnvironmentName, Nullable, ReplacedTexts, Shaped, type Static, Time, timeThat, Type } from '../../http/schema.ts'
import type { Import } from './queries-imports.ts'
import type { SampleRow } from './queries-rows.ts'
import type { SavedSource } from './queries-sources.ts'
import type { Upload } from './queries-uploads.ts'

const MappingShape = Type.Object(
  {
    source: Type.Optional(Type.Enum([...LOADED_SOURCES], { default: 'csv_upload', description: 'Decides which of several values wins' })),
    identity: Type.Object({ column: Type.String(), type: Type.Enum([...IDENTITY_TYPES]) }),
    columns: Type.Array(
      Type.Object({
        column: Type.String({ description: 'The heading in the file' }),
        name: Type.String({ description: 'The attribute: rules name it enrichment.<name>' }),
        type: Type.Enum([...COLUMN_TYPES]),
        include: Type.Optional(Type.Boolean({ default: true })),
        pii: Type.Optional(Type.Boolean({ default: false, description: 'Personal data: masked in samples' })),
        label: Type.Optional(Type.Object({ en: Type.Optional(Type.String()), ar: Type.Optional(Type.String()) })),
        enumValues: Type.Optional(Type.Array(Type.String())),
      }),
      { minItems: 1 },
    ),
    expiresInDays: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.enrichmentDaysMax })),
    expiresAt: Type.Optional(Type.String({ description: 'ISO 8601, in place of expiresInDays' })),
  },
  {
    examples: [
      {
        identity: { column: 'customer', type: 'userId' },
        columns: [{ column: 'tier', name: 'tier', type: 'enum', enumValues: ['silver', 'gold'] }],
      },
    ],
  },
)
const MappingSchema = Shaped<Mapping>(MappingShape)

export const StartBody = Type.Object({
  fileName: Type.Optional(Type.String()),
  headers: Type.Array(Type.String(), { minItems: 1, maxItems: LIMITS.enrichmentHeaders }),
  mapping: Type.Optional(MappingShape),
  sourceId: Type.Optional(Type.String({ description: 'Of a saved mapping, in place of one' })),
  env: Type.Optional(Type.Enum(['live', 'test'])),
  saveAsSource: Type.Optional(Type.String({ maxLength: LIMITS.sourceNameLength, description: 'Saves the mapping under this name' })),
  expiresAt: Type.Optional(Type.String({ description: 'ISO 8601; goes before what the mapping says' })),
})
export const RowsBody = Type.Object(
  {
    startRow: Type.Integer({ minimum: 1, description: 'Number of the first of these rows' }),
    rows: Type.Array(Type.Array(Nullable(Type.Union([Type.String(), Type.Number(), Type.Boolean()]))), {
      minItems: 1,
      maxItems: LIMITS.enrichmentChunkRows,
    }),
  },
  { examples: [{ startRow: 1, rows: [['u-1', 'gold']] }] },
)
export const CommitBody = Type.Object({
  createMissing: Type.Optional(Type.Boolean({ description: 'Makes a person for each unknown user id' })),
})
export const SourceBody = Type.Object({ name: Type.String(), mapping: MappingShape })
export const UploadBody = Type.Object(
  {
    source: Type.Optional(Type.Enum([...LOADED_SOURCES])),
    sourceRef: Type.String({ description: 'What this batch is called in the history' }),
    attributeTypes: Type.Optional(Type.Record(Type.String(), Type.Enum([...COLUMN_TYPES]))),
    records: Type.Array(Type.Object({ userId: Type.String(), attributes: Type.Object({}, { additionalProperties: true }) }), {
      minItems: 1,
      maxItems: LIMITS.enrichmentRecords,
    }),
    expiresAt: Type.Optional(Type.String()),
  },
  { examples: [{ sourceRef: 'loyalty of May', records: [{ userId: 'u-1', attributes: { tier: 'gold' } }] }] },
)
const Priority = Type.Number({ minimum: 0, maximum: 1000, description: 'Higher wins' })
const Overrides = Type.Partial(Type.Object(Object.fromEntries(SOURCES.map((source) => [source, Priority]))))
export const PrioritiesBody = Type.Object({ priorities: Overrides })
const Ranking = Shaped<Priorities>(Type.Record(Type.Enum([...SOURCES]), Priority))
export const RankingSchema = Type.Object({ priorities: Ranking, overrides: Overrides })
export const PreviewSchema = Type.Object({
  checked: Type.Integer({ description: 'People of whom several sources speak, as many as were looked at' }),
  people: Type.Integer({ description: 'Those of them who would have another value' }),
  isComplete: Type.Boolean({ description: 'false: there are more people than were looked at' }),
  attributes: Type.Array(Type.Object({ name: Type.String(), people: Type.Integer() }), { description: 'Those that change most first' }),
  examples: Type.Array(
    Type.Object({ userId: Nullable(Type.String()), name: Type.String(), before: Type.Unknown(), after: Type.Unknown() }),
  ),
})

const Status = Type.Enum([...IMPORT_STATUSES])
export const StatusSchema = Type.Object({ importId: Type.String(), status: Status })
export const StagingSchema = Type.Object({
  staged: Type.Integer(),
  skipped: Type.Integer({ description: 'Rows that were staged before; those stand' }),
  counts: Type.Object({ rows: Type.Integer(), rejected: Type.Integer() }, { title: 'DataImportRowCounts' }),
  replacedTexts: ReplacedTexts,
})
const Counts = Type.Object({
  rows: Type.Integer(),
  valid: Type.Integer(),
  rejected: Type.Integer(),
  duplicates: Type.Integer({ description: 'Of those rejected, rows that a later one takes the place of' }),
  matched: Type.Integer(),
  unmatched: Type.Integer(),
  matchRate: Type.Number({ description: 'Percent of the valid rows, with one decimal' }),
})
const SampleSchema = Type.Object({
  row: Type.Integer(),
  status: Type.Enum(['matched', 'unmatched', 'rejected']),
  reason: Type.Optional(Type.String()),
  identifier: Type.String({ description: 'Masked' }),
  values: Type.Object({}, { additionalProperties: true }),
})
export const ImportSummarySchema = Type.Object({
  importId: Type.String(),
  status: Status,
  source: Type.Enum([...LOADED_SOURCES]),
  env: EnvironmentName,
  fileName: Type.String(),
  createdBy: Type.String({ description: 'The user id of a member' }),
  createdAt: Time,
  stagedUntil: timeThat('Until then its rows are kept'),
  doneRows: Type.Integer({ description: 'How far matching or writing is' }),
  error: Nullable(Type.String({ description: 'Why it failed' })),
  counts: Type.Union([Counts, StagingSchema.properties.counts]),
  replacedTexts: ReplacedTexts,
})
/** Segments that an import tells may get other members, and of each the campaigns and the journeys. */
const AFFECTED_NAMED = 100
const Named = Type.Object({ id: Type.String(), name: Type.String() })
const AffectedSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  usedBy: Type.Object({
    campaigns: Type.Array(Named, { description: `For it, and not over; at most ${AFFECTED_NAMED}` }),
    journeys: Type.Array(Named, { description: `Entered with it; at most ${AFFECTED_NAMED}` }),
  }),
})
export const ImportSchema = Type.Object({
  ...ImportSummarySchema.properties,
  headers: Type.Array(Type.String()),
  mapping: MappingSchema,
  rejectReasons: Type.Optional(Type.Record(Type.String(), Type.Integer())),
  columnStats: Type.Optional(Type.Record(Type.String(), Type.Object({ values: Type.Integer(), invalid: Type.Integer() }))),
  sample: Type.Optional(Type.Array(SampleSchema)),
  affectedSegments: Type.Optional(
    Type.Array(AffectedSchema, {
      description: `While it is ready: segments whose rules look at what it loads, and those that leave out one of them; at most ${AFFECTED_NAMED}. Whoever is made by it may come into any segment`,
    }),
  ),
})
export const RejectedSchema = Type.Object({ row: Type.Integer(), reason: Type.String(), identifier: Type.String() })
export const SourceSchema = Type.Object({
  sourceId: Type.String(),
  id: Type.String(),
  name: Type.String(),
  mapping: MappingSchema,
  createdAt: Time,
  updatedAt: Time,
})
const RowErrorSchema = Type.Object({
  index: Type.Integer({ description: 'Of a simple upload the place in records, of an import the number of the row' }),
  userId: Nullable(Type.String()),
  error: Type.String(),
})
export const UploadSchema = Type.Object({
  jobRef: Type.String(),
  kind: Type.Enum(['staged', 'simple', 'journey'], { description: 'journey: what steps of one journey wrote; lists do not tell it' }),
  source: Type.String(),
  env: EnvironmentName,
  label: Type.String(),
  status: Type.Enum(['completed', 'failed', 'rolled_back']),
  totalRecords: Type.Integer(),
  written: Type.Integer({ description: 'Records that were written; people, of an import' }),
  notFound: Type.Integer(),
  errorCount: Type.Integer(),
  valueCount: Type.Integer({ description: 'Values written: what rolling back removes' }),
  attributes: Type.Array(Type.String()),
  createdBy: Type.String(),
  createdAt: Time,
  expiresAt: Nullable(Time),
  rolledBackAt: Nullable(Time),
})
export const UploadPageSchema = Type.Object({
  ...UploadSchema.properties,
  errors: Type.Array(RowErrorSchema),
  replacedTexts: ReplacedTexts,
})
export const RollBackSchema = Type.Object({ jobRef: Type.String(), status: Type.Literal('rolled_back'), removedValues: Type.Integer() })
export const PersonValuesSchema = Type.Object({
  values: Type.Array(
    Type.Object({
      name: Type.String(),
      value: Type.Unknown(),
      source: Type.Enum([...SOURCES]),
      jobRef: Nullable(Type.String({ description: 'The upload it came with; null: the hourly roll-up' })),
      label: Nullable(Type.String()),
      loadedAt: Time,
      expiresAt: Nullable(Time),
      standing: Type.Enum(['holds', 'outranked', 'older', 'ended']),
    }),
  ),
})

export function presentImport(
  { id, mapping, environment, file_name, created_at, ...held }: Import,
  status: Import['status'],
): Static<typeof ImportSummarySchema> {
  return {
    importId: id,
    status,
    source: mapping.source,
    env: environment,
    fileName: file_name,
    createdBy: held.account_id,
    createdAt: created_at,
    stagedUntil: held.lapses_at,
    doneRows: held.done_row,
    error: held.failure,
    counts: countsOf(held),
    ...(held.staged.replacedTexts !== undefined && { replacedTexts: held.staged.replacedTexts }),
  }
}

function countsOf({ staged: { rows, rejected }, found }: Pick<Import, 'staged' | 'found'>) {
  if (!found) return { rows, rejected }
  const { matched, unmatched, duplicate_identity: duplicates, ambiguous_identity: ambiguous } = found
  const valid = matched + unmatched
  const matchRate = valid === 0 ? 0 : Math.round((matched / valid) * 1000) / 10
  return { rows, valid, rejected: rejected + duplicates + ambiguous, duplicates, matched, unmatched, matchRate }
}

/** The dry run is part of it once it was made (M-ENR-38). */
export function presentImportPage(
  held: Import,
  status: Import['status'],
  sample: readonly SampleRow[],
  affected?: readonly Static<typeof AffectedSchema>[],
): Static<typeof ImportSchema> {
  const { headers, mapping, staged, found } = held
  const whole = { ...presentImport(held, status), headers, mapping }
  if (!found) return whole
  const hidden = new Set(mapping.columns.filter(({ pii }) => pii).map(({ name }) => name))
  const judged = Object.entries(found).filter(([verdict, count]) => count > 0 && verdict.endsWith('_identity'))
  return {
    ...whole,
    rejectReasons: { ...staged.reasons, ...Object.fromEntries(judged) },
    columnStats: staged.columns,
    sample: sample.map((row) => presentSample(row, hidden)),
    ...(affected && { affectedSegments: affected.slice(0, AFFECTED_NAMED).map(presentAffected) }),
  }
}

function presentAffected({ usedBy: { campaigns, journeys }, ...segment }: Static<typeof AffectedSchema>): Static<typeof AffectedSchema> {
  return { ...segment, usedBy: { campaigns: campaigns.slice(0, AFFECTED_NAMED), journeys: journeys.slice(0, AFFECTED_NAMED) } }
}

function presentSample({ row, mask, values, reason, verdict }: SampleRow, hidden: ReadonlySet<string>): Static<typeof SampleSchema> {
  const status = reason !== null ? 'rejected' : verdict === 'matched' ? 'matched' : 'unmatched'
  const shown: JsonObject = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, hidden.has(name) ? '***' : value]))
  return { row, status, ...(reason !== null && { reason }), identifier: mask, values: shown }
}

export function presentSource({ id, ...source }: SavedSource): Static<typeof SourceSchema> {
  return { sourceId: id, id, ...source }
}

export function presentUpload(upload: Upload): Static<typeof UploadSchema> {
  return {
    jobRef: upload.id,
    kind: upload.kind,
    source: upload.source,
    env: upload.environment,
    label: upload.label,
    status: upload.status,
    totalRecords: upload.total_records,
    written: upload.written,
    notFound: upload.not_found,
    errorCount: upload.error_count,
    valueCount: upload.value_count,
    attributes: upload.names,
    createdBy: upload.account_id,
    createdAt: upload.created_at,
    expiresAt: upload.expires_at,
    rolledBackAt: upload.rolled_back_at,
  }
}
