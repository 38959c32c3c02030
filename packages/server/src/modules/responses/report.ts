/** What people did with the mails of a campaign or of a step of a journey, for those who sent them. */
import { compareGroups, rateOf } from '@contentflow/core/campaigns/statistics.ts'
import { ANY_LINK } from '@contentflow/core/messages/responses/count-responses.ts'
import { OPENED } from '@contentflow/core/messages/responses/hit.ts'
import { trackedNodes, type TrackedNode } from '@contentflow/core/messages/responses/tracked-nodes.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import type { MailLink, ResponseReport } from './present.ts'
import { countMails, hasSource, listMailContents, listResponseSums, type ResponseSource, type ResponseSum } from './queries-responses.ts'
import { findTracking } from './tracking-setting.ts'

type Sums = Pick<ResponseSum, 'people' | 'times' | 'unknown' | 'machines' | 'machineTimes'>

export async function readResponses({ db }: Context, workspaceId: string, of: ResponseSource): Promise<ResponseReport> {
  if (!(await hasSource(db, workspaceId, of))) failWith(404, `${of.source} not found`)
  const [mails, sums, contents] = [
    await countMails(db, workspaceId, of),
    await listResponseSums(db, workspaceId, of),
    await listMailContents(db, workspaceId, of),
  ]
  const tracked = mails.flatMap(({ variantId, sent }) => (variantId === null ? [] : [{ variantId, sent }]))
  const figuresOf = (mailsTracked: number, rows: readonly ResponseSum[]) => {
    const [opened, clicked] = [add(rows, OPENED), add(rows, ANY_LINK)]
    const rate = (done: number) => rateOf({ seen: mailsTracked, done }) ?? null
    return {
      tracked: mailsTracked,
      opened: { people: opened.people, rate: rate(opened.people), unknown: opened.unknown, machines: opened.machines },
      clicked: { people: clicked.people, rate: rate(clicked.people), machines: clicked.machines },
    }
  }
  const variants = tracked.map(({ variantId, sent }) => ({
    variantId: variantId || null,
    ...figuresOf(
      sent,
      sums.filter((sum) => sum.variantId === variantId),
    ),
  }))
  const shares = variants.flatMap(({ variantId, tracked: seen, clicked }) =>
    variantId === null ? [] : [{ id: variantId, seen, done: clicked.people }],
  )
  return {
    tracking: await findTracking(db, workspaceId),
    sent: mails.reduce((total, { sent }) => total + sent, 0),
    ...figuresOf(
      tracked.reduce((total, { sent }) => total + sent, 0),
      sums,
    ),
    variants,
    clicks: compareGroups(shares),
    links: linksOf(contents.flatMap(trackedNodes), sums),
  }
}

/** Those that the mails have now, and those that people followed in mails of before. */
function linksOf(nodes: readonly TrackedNode[], sums: readonly ResponseSum[]): MailLink[] {
  const followed = sums.flatMap(({ node }) => (node === OPENED || node === ANY_LINK ? [] : [node]))
  return [...new Set([...nodes.map(({ node }) => node), ...followed])].map((node) => {
    const { label = null, url = null } = nodes.find((each) => each.node === node) ?? {}
    const { unknown: _, ...counts } = add(sums, node)
    return { node, label, url, ...counts }
  })
}

function add(rows: readonly ResponseSum[], node: string): Sums {
  const own = rows.filter((row) => row.node === node)
  const sum = (member: keyof Sums) => own.reduce((total, row) => total + row[member], 0)
  return {
    people: sum('people'),
    times: sum('times'),
    unknown: sum('unknown'),
    machines: sum('machines'),
    machineTimes: sum('machineTimes'),
  }
}
