/** A workspace as one document: what is in it, in a fixed order, named by what stays the same in every workspace. */
import { cutText } from '../cut-text.ts'
import { parseDefinition, type Definition, type Parsed } from '../blocks/definition.ts'
import { isPlainObject, type Json, type JsonObject } from '../blocks/field.ts'
import { sizeFault } from '../events/catalog/declared-type.ts'
import { readTopic } from '../identity/consent/read-topic.ts'
import type { Topic } from '../identity/consent/topics.ts'
import { LIMITS } from '../limits.ts'
import type { RegexCheck } from '../targeting/rule-value.ts'
import { exclusionFault, readFenceCode, readSegmentCode, type FenceCode, type SegmentCode } from './audience-code.ts'
import { localesFault, readLocaleCode, readStringCode, type LocaleCode, type StringCode } from './catalog-code.ts'
import { readChannelCode, type ChannelCode } from './channel-code.ts'
import { readEventCode, type EventCode } from './events-code.ts'
import { readExperimentCode, type ExperimentCode } from './experiment-code.ts'
import { fieldsByBlock, orderInstances, readInstanceCode, type FieldsByBlock, type InstanceCode } from './instance-code.ts'
import { mailsFault, readMailCode, type MailCode } from './mail-code.ts'
import { readCampaignCode, readJourneyCode, type CampaignCode, type JourneyCode } from './message-code.ts'
import { readReportCode, reportsFault, type ReportCode } from './report-code.ts'
import { readSettings, type SettingsCode } from './settings-code.ts'
import { readWebhookCode, type WebhookCode } from './webhook-code.ts'

/** What is one thing for each name. */
type Lists = {
  locales: LocaleCode[]
  strings: StringCode[]
  blocks: Definition[]
  events: EventCode[]
  segments: SegmentCode[]
  reports: ReportCode[]
  geofences: FenceCode[]
  instances: InstanceCode[]
  mails: MailCode[]
  topics: Topic[]
  journeys: JourneyCode[]
  campaigns: CampaignCode[]
  experiments: ExperimentCode[]
  webhooks: WebhookCode[]
  channels: ChannelCode[]
}
export type ListKind = keyof Lists
export type WorkspaceCode = { settings: Partial<SettingsCode> } & Lists
export type CodeKind = keyof WorkspaceCode
/** In this order: a kind stands behind those that its entries name. */
const KINDS = {
  settings: true,
  locales: true,
  strings: true,
  blocks: true,
  events: true,
  segments: true,
  reports: true,
  geofences: true,
  instances: true,
  mails: true,
  topics: true,
  journeys: true,
  campaigns: true,
  experiments: true,
  webhooks: true,
  channels: true,
} satisfies Record<CodeKind, true>
export const CODE_KINDS = Object.keys(KINDS) as CodeKind[]

/**
 * Kinds that are bound to where they stand: another workspace has its own, with secrets that no document holds. A document
 * makes and changes them, and what it leaves out stays unless whoever applies it asks for the deletion.
 */
export const BOUND_KINDS = ['webhooks', 'channels'] as const satisfies readonly CodeKind[]
export type BoundKind = (typeof BOUND_KINDS)[number]

/** `openRegexCheck` belongs to the engine that runs the patterns of rules: one check for each segment and journey. */
type Reading = {
  openRegexCheck: () => RegexCheck
  blocks: FieldsByBlock
  /** The zone of days without a time. */ day: string | undefined
  /** Milliseconds. */ now: number
}
type ListReader<T> = {
  /** The member that names one. */
  named: string
  most: number
  read(entry: JsonObject, reading: Reading): Parsed<T>
}

const LISTS: { [K in ListKind]: ListReader<Lists[K][number]> } = {
  locales: { named: 'code', most: LIMITS.localesPerWorkspace, read: readLocaleCode },
  strings: { named: 'key', most: LIMITS.stringsPerWorkspace, read: readStringCode },
  blocks: { named: 'key', most: LIMITS.definitionsPerManifest, read: parseDefinition },
  events: { named: 'name', most: LIMITS.eventTypes, read: readEventCode },
  segments: {
    named: 'name',
    most: LIMITS.segmentsPerWorkspace,
    read: (entry, { openRegexCheck }) => readSegmentCode(entry, openRegexCheck()),
  },
  reports: { named: 'name', most: LIMITS.reports, read: (entry, { now }) => readReportCode(entry, now) },
  geofences: { named: 'id', most: LIMITS.geofencesPerWorkspace, read: readFenceCode },
  instances: { named: 'id', most: LIMITS.codeInstances, read: (entry, { blocks, day }) => readInstanceCode(entry, blocks, day) },
  mails: { named: 'id', most: LIMITS.mailsPerWorkspace, read: readMailCode },
  topics: { named: 'id', most: LIMITS.messageTopics, read: readTopic },
  journeys: {
    named: 'id',
    most: LIMITS.journeysPerWorkspace,
    read: (entry, { openRegexCheck }) => readJourneyCode(entry, openRegexCheck()),
  },
  campaigns: { named: 'id', most: LIMITS.campaignsPerWorkspace, read: (entry, { day }) => readCampaignCode(entry, day) },
  experiments: {
    named: 'id',
    most: LIMITS.codeInstances,
    read: (entry, { openRegexCheck }) => readExperimentCode(entry, openRegexCheck()),
  },
  webhooks: { named: 'id', most: LIMITS.webhooksPerWorkspace, read: readWebhookCode },
  channels: { named: 'id', most: LIMITS.channelsPerWorkspace, read: readChannelCode },
}

/** How many of a kind one document may have. */
export function mostOf(kind: ListKind): number {
  return LISTS[kind].most
}

const no = (error: string): { ok: false; error: string } => ({ ok: false, error })

/** The things of a kind by what names them; a setting by its name. */
export function itemsOf(kind: CodeKind, code: WorkspaceCode[CodeKind]): Map<string, Readonly<Record<string, unknown>>> {
  if (kind === 'settings') return new Map(Object.entries(code).map(([name, value]) => [name, isPlainObject(value) ? value : { value }]))
  return new Map((code as readonly Record<string, unknown>[]).map((item) => [nameOf(kind, item), item]))
}

function nameOf(kind: ListKind, item: object): string {
  return String((item as Record<string, unknown>)[LISTS[kind].named])
}

/** Each kind in its order, whatever order it came in. */
export function orderKinds<Code extends Partial<WorkspaceCode>>(code: Code): Code {
  const ordered = CODE_KINDS.flatMap((kind) => {
    const found = code[kind]
    return found === undefined ? [] : [[kind, kind === 'settings' ? found : sorted(kind, found as Lists[ListKind])]]
  })
  return Object.fromEntries(ordered) as Code
}

function sorted(kind: ListKind, items: Lists[ListKind]): object[] {
  const withNames: object[] = items.map((item) =>
    'excludedSegments' in item ? { ...item, excludedSegments: [...new Set(item.excludedSegments)].sort() } : item,
  )
  return withNames.sort((a, b) => compare(nameOf(kind, a), nameOf(kind, b)))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

/**
 * Reads a document. A kind that it does not name is not its business; one that it names is declared completely, but for
 * settings, of which each is by itself. The first fault is returned with where it stands. `blocks`: what there is where
 * the document names none. Pauses between things, of which a document may have many.
 */
export function* readCode(
  input: unknown,
  { openRegexCheck, blocks, day, now }: { openRegexCheck: () => RegexCheck; blocks: readonly Definition[]; day?: string; now: number },
): Generator<undefined, Parsed<Partial<WorkspaceCode>>> {
  if (!isPlainObject(input)) return no(`the document must be an object of ${CODE_KINDS.join(', ')}`)
  // A document may name the schema that editors check it with.
  const unknown = Object.keys(input).find((name) => name !== '$schema' && !CODE_KINDS.some((kind) => kind === name))
  if (unknown !== undefined) return no(`the document may have ${CODE_KINDS.join(', ')}, not ${cutText(unknown, 100)}`)
  const wanted: Partial<WorkspaceCode> = {}
  const reading = { openRegexCheck, blocks: fieldsByBlock(blocks), day, now }
  for (const kind of CODE_KINDS) {
    const sent = input[kind]
    if (sent === undefined) continue
    const read = kind === 'settings' ? readSettings(sent) : yield* readList(kind, sent, reading)
    if (!read.ok) return read
    Object.assign(wanted, { [kind]: read.value })
    reading.day = wanted.settings?.calendar?.timeZone ?? day
    if (wanted.blocks) reading.blocks = fieldsByBlock(wanted.blocks)
  }
  const fault =
    (wanted.locales && localesFault(wanted.locales)) ??
    (wanted.events && eventsFault(wanted.events)) ??
    (wanted.segments && exclusionFault(wanted.segments)) ??
    (wanted.reports && reportsFault(wanted.reports)) ??
    (wanted.mails && mailsFault(wanted.mails)) ??
    (wanted.instances && instancesFault(wanted.instances, reading.blocks))
  return fault === undefined ? { ok: true, value: orderKinds(wanted) } : no(fault)
}

function eventsFault(events: readonly EventCode[]): string | undefined {
  const fault = sizeFault(events)
  return fault && `events: ${fault}`
}

function instancesFault(instances: readonly InstanceCode[], blocks: FieldsByBlock): string | undefined {
  const order = orderInstances(instances, blocks)
  return order.ok ? undefined : order.error
}

function* readList<K extends ListKind>(kind: K, list: Json, reading: Reading): Generator<undefined, Parsed<Lists[K][number][]>> {
  const { most, read } = LISTS[kind]
  if (!Array.isArray(list) || list.length > most) return no(`${kind} must be an array of at most ${most}`)
  const items = new Map<string, Lists[K][number]>()
  for (const [at, entry] of list.entries()) {
    const item = isPlainObject(entry) ? read(entry, reading) : no('must be an object')
    if (!item.ok) return no(`${kind}[${at}]: ${item.error}`)
    const key = nameOf(kind, item.value)
    if (items.has(key)) return no(`${kind}[${at}]: ${JSON.stringify(key)} stands there twice`)
    items.set(key, item.value)
    yield
  }
  return { ok: true, value: [...items.values()] }
}
