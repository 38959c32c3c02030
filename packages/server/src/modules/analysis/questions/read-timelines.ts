/**
 * Goes through the columns part by part, so that one part is in memory. A part is a sixteenth of the people at random: a question that would
 * read too much, or takes too long, leaves whole parts out and says so.
 */
import { decodeColumns, keyBase, KEYS_PER_MS, type Columns } from '@contentflow/core/analysis/columns.ts'
import { gatherTimelines, takePeople, type Piece, type Timelines } from '@contentflow/core/analysis/timelines.ts'
import type { Context } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import { PARTS } from '../columns/make-rows.ts'
import { PeopleOfPart, type Segments } from './people-of-part.ts'
import { findLastNumber } from './queries-people.ts'
import { countParts, readPart, type ReadRow, type Wanted } from './queries-read.ts'

/**
 * Events that one question reads, and beyond which it is not asked at all. `shared`: those of people with numbers in several parts, which
 * wait in memory until all parts are read; where there are more, further parts are left out.
 */
const BUDGET = { events: 50_000_000, shared: 4_000_000, refused: 800_000_000, ms: 10_000 } as const

/** `parts` of `of` were read; null: all of them. */
export type Sampled = { parts: number; of: number } | null
export type Covered = { events: number; sampled: Sampled }

/** What a question takes each event of a row for. Without `at`, events are at their time. */
type Marked = { marks: Uint16Array; groups?: Uint16Array | undefined; values?: Float64Array | undefined; at?: Float64Array }
/** In steps, because there are many events. `origin`: the moment, milliseconds, that `at` is counted from. */
export type Mark = (row: { typeId: number; day: string; origin: number }, columns: Columns) => Marked

/** `segments`: whose members are asked about, and told apart by. */
type Asked = { wanted: Wanted; segments: Segments; mark: Mark }

/** The moment that the times of a question are counted from. */
export function originOf({ from }: Pick<Wanted, 'from'>): number {
  return keyBase(from.getTime())
}

/**
 * Calls `use` with everybody's events, some people at a time and each person once. In memory are the events of two parts, nine bytes for each
 * of its people, and the events of people who were merged across parts, which are bounded.
 */
export async function readTimelines(
  ctx: Context,
  { wanted, segments, mark }: Asked,
  use: (timelines: Timelines) => Generator<undefined, void>,
): Promise<Covered> {
  const began = performance.now()
  const { workspaceId } = wanted
  const counts = await countParts(ctx.db, wanted)
  const total = [...counts.values()].reduce((sum, events) => sum + events, 0)
  if (total > BUDGET.refused) fail('ANALYSIS_TOO_LARGE')
  const most = total <= BUDGET.events ? PARTS : Math.max(1, Math.floor((PARTS * BUDGET.events) / total))
  const last = await findLastNumber(ctx.db, wanted)
  const strays: Piece[] = []
  let [events, shared, part] = [0, 0, 0]
  const hasRoom = () => shared <= BUDGET.shared && performance.now() - began < BUDGET.ms
  const read = async (number: number) => (number < most && counts.has(number) ? readPart(ctx.db, wanted, number) : [])
  const goThrough = async (rows: readonly ReadRow[]) => {
    if (rows.length === 0) return
    const people = await PeopleOfPart.read(ctx, wanted, { part, last, segments })
    const pieces: Piece[] = []
    for (const row of rows) {
      const made = await ctx.timeSlicer.run(workspaceId, toPieces(row, { people, mark, origin: originOf(wanted) }))
      events += made.own.at.length + made.shared.at.length
      shared += made.shared.at.length
      pieces.push(made.own)
      if (made.shared.people.length > 0) strays.push(made.shared)
    }
    await run(ctx, workspaceId, pieces, use)
  }
  let rows = await read(0)
  for (; part < most && (part === 0 || hasRoom()); part++) {
    // The database reads the next part meanwhile.
    const [next] = await Promise.all([read(part + 1), goThrough(rows)])
    rows = next
  }
  // Those whose first number was left out count for nobody, as all others of that part.
  const asked = strays.map((piece) => takePeople(piece, (index) => piece.people[index]! % PARTS < part))
  if (asked.length > 0) await run(ctx, workspaceId, asked, use)
  return { events, sampled: part < PARTS ? { parts: part, of: PARTS } : null }
}

async function run(ctx: Context, workspaceId: string, pieces: readonly Piece[], use: (timelines: Timelines) => Generator<undefined, void>) {
  const timelines = await ctx.timeSlicer.run(workspaceId, gatherTimelines(pieces))
  await ctx.timeSlicer.run(workspaceId, use(timelines))
}

const NOBODY: Piece = {
  people: new Uint32Array(),
  starts: new Uint32Array(1),
  at: new Float64Array(),
  marks: new Uint16Array(),
  groups: undefined,
  values: undefined,
  memberships: undefined,
}

/** Without a call for each, of which there are millions. */
function shiftKeys(keys: Uint32Array, shift: number): Float64Array {
  const at = new Float64Array(keys)
  for (let row = 0; row < at.length; row++) at[row]! += shift
  return at
}

type Placing = { people: PeopleOfPart; mark: Mark; origin: number }

function* toPieces(row: ReadRow, { people, mark, origin }: Placing): Generator<undefined, { own: Piece; shared: Piece }> {
  const columns = decodeColumns(row.body, row.meta)
  yield
  const marked = mark({ typeId: row.typeId, day: row.day, origin }, columns)
  yield
  const shift = (keyBase(Date.parse(row.day)) - origin) * KEYS_PER_MS
  const at = marked.at ?? shiftKeys(columns.keys, shift)
  yield
  const locals = columns.people
  const piece: Piece = {
    people: locals.map((local) => people.numberOf(local)),
    starts: columns.starts,
    at,
    marks: marked.marks,
    groups: marked.groups,
    values: marked.values,
    memberships: people.membershipsOf(locals),
  }
  const isOwn = (index: number) => people.isAsked(locals[index]!) && !people.isShared(locals[index]!)
  yield
  if (locals.every((_, index) => isOwn(index))) return { own: piece, shared: NOBODY }
  const own = takePeople(piece, isOwn)
  yield
  return { own, shared: takePeople(piece, (index) => people.isAsked(locals[index]!) && people.isShared(locals[index]!)) }
}
