/** Tells whoever answers for a token or a key that it is about to end, by mail: once at each stage, on whatever process. */
import { endingMail } from '@contentflow/core/access/ending-mail.ts'
import { nextWarning, stageOf } from '@contentflow/core/access/warnings.ts'
import { toMessage } from '@contentflow/core/messages/compose.ts'
import type { Context } from '../../context.ts'
import { oneByOne, type DueWork } from '../../infra/due/due.ts'
import { listSending, type Channels } from '../channels/index.ts'
import * as queries from './queries-ending.ts'
import type { Ending, EndingRow } from './queries-ending.ts'

const KIND = 'ending-credentials'
/** Where nobody answers for it, so many admins hear of it. */
const MOST_TOLD = 20
/** Some six hours: a mail that could not be sent by then is left, and the next stage has one of its own. */
const MOST_ATTEMPTS = 12
const BACK_OFF = { first: 60_000, most: 3_600_000 }

type Parts = { ctx: Context; channels: Channels }

export function endingWork(ctx: Context, channels: Channels): DueWork<EndingRow> {
  const table = queries.endingTable(ctx.db)
  return {
    kind: KIND,
    rows: table,
    most: 20,
    rests: true,
    work: oneByOne(ctx, { kind: KIND, table, backOff: BACK_OFF }, (row, { workspaceId }) => warn({ ctx, channels }, workspaceId, row)),
  }
}

/** When it is due next: at its next stage, else at its end, when it is forgotten. */
async function warn(parts: Parts, workspaceId: string, row: EndingRow): Promise<Date | null> {
  const { db, clock, log } = parts.ctx
  const now = clock.now()
  const ending = row.ends_at > now ? await queries.findEnding(db, workspaceId, row.id) : undefined
  if (!ending) {
    await queries.dropEnding(db, workspaceId, row.id)
    return null
  }
  const isTold = await tellAll(parts, workspaceId, row, ending)
  if (!isTold && row.attempts < MOST_ATTEMPTS) throw new Error('not everybody could be told of an end by mail')
  if (!isTold) log.warn({ workspaceId, id: row.id }, 'a mail about a token or key that ends could not be sent, and is left')
  return nextWarning(row.ends_at, now) ?? row.ends_at
}

/** False when it has to be tried again. Who heard of it before does not hear of it twice. */
async function tellAll(parts: Parts, workspaceId: string, { id, told }: EndingRow, ending: Ending): Promise<boolean> {
  const { db, config, clock } = parts.ctx
  const stage = stageOf(ending.endsAt, clock.now())
  const workspace = await queries.findWorkspaceName(db, workspaceId)
  const isToken = ending.kind === 'token'
  const tab = isToken ? 'access' : 'keys'
  const mail = endingMail({
    workspace,
    account: isToken ? ending.name : null,
    name: ending.name,
    hint: ending.hint,
    endsAt: ending.endsAt,
    link: config.publicUrl === '' ? null : `${config.publicUrl}/w/${workspaceId}/settings/${tab}`,
  })
  let isDone = true
  for (const person of await queries.listTold(db, workspaceId, ending.answers, MOST_TOLD)) {
    const heard = `${stage}:${person.id}`
    if (told.includes(heard)) continue
    if (await send(parts, workspaceId, { id, to: person.email, ...mail })) await queries.noteTold(db, workspaceId, id, heard)
    else isDone = false
  }
  return isDone
}

type Addressed = { id: string; to: string; title: string; body: string }

/** By the mail of the installation, else by that of the workspace; where there is neither, the dashboard alone says it. False when it may work later. */
async function send({ ctx, channels }: Parts, workspaceId: string, { id, to, title, body }: Addressed): Promise<boolean> {
  if (ctx.mail.isOn) {
    // What servers of mail say may quote the address.
    return ctx.mail.send({ to, subject: title, text: `${body}\n` }).then(
      () => true,
      () => false,
    )
  }
  const [channel] = await listSending(ctx.db, workspaceId, 'email')
  if (!channel) return true
  const addressed = { id, to, toName: null, language: 'en', unsubscribeUrl: undefined, callbackUrl: undefined, webAddress: null }
  const outcome = await channels.send(channel, toMessage('email', { title, body }, addressed))
  return outcome.kind !== 'retry'
}
