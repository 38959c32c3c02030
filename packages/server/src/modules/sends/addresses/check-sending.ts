/** Finds the parts of a message that could not arrive, before the message is allowed to go out. */
import { faultsOfSending, isPushLost, type SendingFault } from '@contentflow/core/messages/unsendable.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { checkMailOf } from '@contentflow/core/mail/variants/check-variants.ts'
import type { MailFrame } from '@contentflow/core/mail/measure-mail.ts'
import type { LocalizedContent } from '@contentflow/core/messages/content.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/open.ts'
import { fail, refusalWith } from '../../../errors.ts'
import { listSending } from '../../channels/index.ts'
import { findWebAddress } from '../../links/index.ts'
import { isPageInMails } from '../../topics/index.ts'
import { findSettings } from '../queries.ts'

/** What is said, over which channels. */
type SendCheckInput = { channels: readonly string[]; content: LocalizedContent; mail?: MailDocument | undefined }
/** `step`: of a journey, which its checks name. */
type RefuseInput = SendCheckInput & { step?: string }

/** What its mails have around their words. */
async function frameOf(db: Db, workspaceId: string): Promise<MailFrame> {
  return { brand: (await findSettings(db, workspaceId)).brand, isPageLinked: await isPageInMails(db, workspaceId) }
}

async function readFaults(db: Db, workspaceId: string, { channels: all, content, mail }: SendCheckInput) {
  const isDesigned = mail !== undefined && all.includes('email')
  // Its mail says nothing of the texts.
  const channels = isDesigned ? all.filter((channel) => channel !== 'email') : all
  const webAddress = await findWebAddress(db, workspaceId)
  const pushProviders = channels.includes('push') ? (await listSending(db, workspaceId, 'push')).map(({ provider }) => provider) : []
  const faults = faultsOfSending({ channels, content, webAddress, pushProviders })
  const checks = isDesigned ? checkMailOf({ mail, content }, webAddress, await frameOf(db, workspaceId)) : []
  return { faults, checks, isLost: isPushLost(faults, { pushProviders }) }
}

/** The faults of a campaign or a journey, shown to members who look at it. */
export async function sendingFaults(
  { config, db }: Pick<Context, 'config' | 'db'>,
  workspaceId: string,
  said: SendCheckInput,
): Promise<SendingFault[]> {
  const { faults } = await readFaults(db, workspaceId, said)
  const isUnsure = said.channels.includes('email') && config.linkUrl === ''
  return isUnsure ? [...faults, { code: 'public_url_missing' }] : faults
}

/** Refuses what would reach nobody, or what everybody would get with a link or a picture that leads nowhere. */
export async function refuseUnsendable(db: Db, workspaceId: string, { step, ...said }: RefuseInput): Promise<void> {
  const { faults, checks, isLost } = await readFaults(db, workspaceId, said)
  // A push message only loses its picture; members who look at it are told.
  if (faults.some((fault) => fault.code === 'relative_link' && fault.channel !== 'push')) fail('WEB_ADDRESS_NEEDED')
  if (isLost) fail('PUSH_TOO_LARGE')
  if (!checks.some(({ level }) => level === 'stop')) return
  throw refusalWith('MAIL_NOT_READY', { checks: step === undefined ? checks : checks.map((check) => ({ step, ...check })) })
}

/** Mail of campaigns and journeys that could not be left, where whoever runs this server wants none. */
export function refuseUnleavable({ config }: Pick<Context, 'config'>, { channels }: Pick<SendCheckInput, 'channels'>): void {
  if (config.isPublicUrlNeeded && config.linkUrl === '' && channels.includes('email')) fail('PUBLIC_URL_NEEDED')
}
