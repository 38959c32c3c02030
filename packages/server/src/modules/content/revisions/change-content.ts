import type { Context } from '../../../context.ts'
import type { Change, VersionRow, Actor } from '../../../infra/change.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import { findRules, requirePublisher, updatePublishApproval } from '../../approvals/index.ts'
import { refuseTooLong } from './answer-length.ts'
import { lockContent, moveHead } from './queries.ts'

/**
 * The stream's event names (G-30), in the order in which one change emits them: additions, changes, removals. A stream that
 * missed them gets the last one.
 */
const NAMES = ['config.updated', 'block.published', 'block.updated', 'message.updated', 'block.unpublished', 'block.archived'] as const
export type SignalName = (typeof NAMES)[number]

/** Events after which an answer may be longer than before. */
const MAKES_LONGER: ReadonlySet<SignalName> = new Set(['block.published', 'block.updated'])

type Touched = {
  /** A change of live content reaches test keys too, so it names both. Empty: no client sees it. */
  environments: readonly Environment[]
  /** null: clients are not told, only new answers must be right. */
  name: SignalName | null
  /** People get the same as before; only a name changed. */
  isSameForPeople: boolean
}

/** Every write of block types and instances: one transaction, and one after another in a workspace, so that two manifests never mix. */
export async function changeContent<T>(ctx: Context, by: Actor, work: (change: Change) => Promise<T>): Promise<T> {
  return ctx.change(by, async (change) => {
    await lockContent(change.tx, change.workspaceId)
    return work(change)
  })
}

/** Sets whether publishing to live takes a second person. Open requests keep waiting. */
export async function setPublishApproval(ctx: Context, by: Actor, isNeeded: boolean): Promise<void> {
  await changeContent(ctx, by, async ({ tx, workspaceId, now, audited }) => {
    const { publishing } = await findRules(tx, workspaceId)
    audited('setting', 'publishing', { approval: publishing }, { approval: isNeeded })
    await updatePublishApproval(tx, workspaceId, isNeeded, now)
  })
}

/** Marks what clients see as changed. One change emits each name at most once for an environment. */
export function touchContent(
  change: Change,
  environments: readonly Environment[],
  name: SignalName | null,
  { isSameForPeople = false } = {},
): void {
  change.touch(contentHeads, { environments, name, isSameForPeople })
}

const contentHeads: VersionRow<Touched> = {
  lock: 'content',
  move: async (change, touched) => {
    if (touched.some(reachesLive)) await requirePublisher(change)
    for (const environment of ['live', 'test'] as const) {
      const seen = touched.filter(({ environments }) => environments.includes(environment))
      if (seen.some(({ isSameForPeople, name }) => !isSameForPeople && name !== null && MAKES_LONGER.has(name)))
        await refuseTooLong(change, environment)
      if (seen.length > 0) await moveOne(change, environment, new Set(seen.map(({ name }) => name)))
    }
  },
}

/**
 * Every change of the blocks that live apps get passes here, whatever the route: one that needs a second person has only stored
 * its request, and one that was approved is carried out in the name of the approver. Campaigns and switches have their own
 * gates.
 */
function reachesLive({ environments, name, isSameForPeople }: Touched): boolean {
  return !isSameForPeople && environments.includes('live') && (name?.startsWith('block.') ?? false)
}

/** Each name gets an id of its own, because clients compare ids; all carry the one revision that holds everything. */
async function moveOne({ tx, workspaceId, now, emit }: Change, environment: Environment, touched: ReadonlySet<SignalName | null>) {
  const names = NAMES.filter((name) => touched.has(name))
  const revision = await moveHead(tx, workspaceId, environment, names, now)
  const told = { kind: 'content', workspaceId, environment, revision } as const
  for (const [index, name] of names.entries()) emit({ ...told, name, signalId: revision - names.length + index + 1 })
  if (names.length === 0) emit({ ...told, name: null, signalId: 0 })
}
