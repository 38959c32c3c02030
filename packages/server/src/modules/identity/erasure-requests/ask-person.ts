/** Asks a person by mail whether they want to be erased, where they can be asked; lets requests expire. */
import { addressToAsk } from '@contentflow/core/identity/confirm-erasure.ts'
import { erasureMail, languageOfMail } from '@contentflow/core/messages/confirm-mails.ts'
import { toMessage } from '@contentflow/core/messages/compose.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import { oneByOne, type DueWork } from '../../../infra/due/due.ts'
import { listSending, type Channels } from '../../channels/index.ts'
import { findProfile, type AppEmail, type ProfileRow } from '../../people/index.ts'
import { findWorkspaceName } from '../queries.ts'
import { ERASURE_REQUESTS } from './erasure-requests.ts'
import { closeErasureRequest, erasureRequestTable, noteMailed, type ErasureRequestRow } from './queries-erasure-requests.ts'

const AGAIN_MS = 600_000
/** What could not be sent by then is left to an admin. */
const TRIED_MS = DAY_MS

export function erasureRequestsWork(ctx: Context, channels: Channels): DueWork<ErasureRequestRow> {
  const table = erasureRequestTable(ctx.db)
  const kind = ERASURE_REQUESTS
  return {
    kind,
    rows: table,
    most: 20,
    work: oneByOne(ctx, { kind, table, backOff: { first: 60_000, most: AGAIN_MS } }, (row, { workspaceId }) =>
      askOrExpire({ ctx, channels }, workspaceId, row),
    ),
  }
}

type Parts = { ctx: Context; channels: Channels }

/** When it is due next; a mail that was sent twice does no harm. */
async function askOrExpire(parts: Parts, workspaceId: string, row: ErasureRequestRow): Promise<Date | null> {
  const { ctx } = parts
  const now = ctx.clock.now()
  if (row.state !== 'open') return null
  if (row.expires_at <= now) {
    await closeErasureRequest(ctx.db, workspaceId, row.id, { state: 'expired', by: null, at: now })
    return null
  }
  if (row.mailed_at !== null || now.getTime() - row.requested_at.getTime() > TRIED_MS) return row.expires_at
  const outcome = await askByMail(parts, workspaceId, row)
  if (outcome === 'sent') await noteMailed(ctx.db, workspaceId, row.id, now)
  return outcome === 'later' ? new Date(now.getTime() + AGAIN_MS) : row.expires_at
}

async function askByMail(
  { ctx, channels }: Parts,
  workspaceId: string,
  { id, profile_id }: ErasureRequestRow,
): Promise<'sent' | 'later' | 'nowhere'> {
  const { config, db, links, clock } = ctx
  const [channel] = await listSending(db, workspaceId, 'email')
  const person = profile_id === null ? undefined : await findProfile(db, workspaceId, profile_id)
  const to = person && addressToAsk(addressOf(person), clock.now())
  if (!channel || !person || !to || config.publicUrl === '') return 'nowhere'
  const url = `${config.publicUrl}/api/v1/confirm-erasure/${(await links.sealer('erasure'))([workspaceId, id])}`
  const content = erasureMail({ workspace: await findWorkspaceName(db, workspaceId), url, language: person.locale })
  const addressed = {
    id,
    to,
    toName: null,
    language: languageOfMail(person.locale),
    unsubscribeUrl: undefined,
    callbackUrl: undefined,
    webAddress: null,
  }
  const outcome = await channels.send(channel, toMessage('email', content, addressed))
  if (outcome.kind === 'sent' || outcome.kind === 'uncertain') return 'sent'
  return outcome.kind === 'retry' ? 'later' : 'nowhere'
}

function addressOf({ email, closed_contacts, app_email }: ProfileRow) {
  const { email: closed } = closed_contacts as { email?: { contact: string } }
  return { email, closed: closed?.contact, appEmail: app_email as AppEmail | null }
}
