/** Asks at an address that only an app named whether mail is wanted there, once, in fixed words (double opt-in). */
import { wantsConfirmation } from '@contentflow/core/identity/confirm-email.ts'
import type { Channels as Flags } from '@contentflow/core/identity/consent/consent.ts'
import { confirmationMail, languageOfMail } from '@contentflow/core/messages/confirm-mails.ts'
import { toMessage } from '@contentflow/core/messages/compose.ts'
import { DAY_MS, HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import { oneByOne, type DueWork } from '../../../infra/due/due.ts'
import { inTransaction } from '../../../infra/unavailable.ts'
import { listSending, type Channels } from '../../channels/index.ts'
import {
  confirmationTable,
  EMAIL_CONFIRMATIONS,
  findProfile,
  hashEmail,
  noteConfirmationAsked,
  type AppEmail,
  type ConfirmationRow,
  type ProfileRow,
} from '../../people/index.ts'
import { nextHour, takeFirstMessages } from '../first-messages/queries-first-messages.ts'
import { findMailSettings } from '../queries.ts'

const AGAIN_MS = 600_000
/** How long a workspace without a channel is left before it is looked at again; milliseconds. */
const WITHOUT_CHANNEL_MS = HOUR_MS
const TRIED_MS = 7 * DAY_MS

export function emailConfirmationsWork(ctx: Context, channels: Channels): DueWork<ConfirmationRow> {
  const table = confirmationTable(ctx.db)
  const kind = EMAIL_CONFIRMATIONS
  return {
    kind,
    rows: table,
    most: 20,
    // Nothing is sent for a workspace that is suspended.
    rests: true,
    work: oneByOne(ctx, { kind, table, backOff: { first: 60_000, most: AGAIN_MS } }, (row, { workspaceId }) =>
      askOne({ ctx, channels }, workspaceId, row),
    ),
  }
}

type Parts = { ctx: Context; channels: Channels }

/** When it is due next. */
async function askOne({ ctx, channels }: Parts, workspaceId: string, row: ConfirmationRow): Promise<Date | null> {
  const { config, db, links } = ctx
  const now = ctx.clock.now()
  const later = (milliseconds: number) => new Date(now.getTime() + milliseconds)
  if (row.asked_at !== null || row.confirmed_at !== null || now.getTime() - row.created_at.getTime() > TRIED_MS) return null
  const person = await findProfile(db, workspaceId, row.profile_id)
  const { isAsked, name } = await findMailSettings(db, workspaceId)
  // They changed their mind, or their address.
  if (!isAsked || !person || hashEmail(person.email) !== row.email_hash || !wantsConfirmation(namedBy(person))) return null
  const [channel] = await listSending(db, workspaceId, 'email')
  if (!channel || config.publicUrl === '') return later(WITHOUT_CHANNEL_MS)
  // First messages are limited for each workspace, so an app that names thousands of strangers does not make us write to all of them.
  const granted = await inTransaction(db, (tx) => takeFirstMessages(tx, workspaceId, 1, now))
  if (granted === 0) return nextHour(now)
  const url = `${config.publicUrl}/api/v1/confirm-email/${(await links.sealer('email'))([workspaceId, row.id])}`
  const content = confirmationMail({ workspace: name, url, language: person.locale })
  const language = languageOfMail(person.locale)
  const addressed = {
    id: row.id,
    to: person.email ?? '',
    toName: null,
    language,
    unsubscribeUrl: undefined,
    callbackUrl: undefined,
    webAddress: null,
  }
  const outcome = await channels.send(channel, toMessage('email', content, addressed))
  if (outcome.kind === 'retry') return later(AGAIN_MS)
  await noteConfirmationAsked(db, workspaceId, row.id, now)
  return null
}

function namedBy({ environment, email, app_email, channels, personal_opt_out }: ProfileRow) {
  return { environment, email, appEmail: app_email as AppEmail | null, channels: channels as Flags, personalOptOut: personal_opt_out }
}
