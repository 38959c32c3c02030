/** Whether the domain that a channel sends from is set up for mail (decision 73): asked of the servers of names, and judged. */
import { createPublicKey } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { textOf, type Configuration } from '@contentflow/core/channels/channel.ts'
import { domainsAbove, judgeDomain, KNOWN_SELECTORS, type DomainFinding } from '@contentflow/core/channels/domain-check.ts'
import { senderOf } from '@contentflow/core/channels/senders.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { findTextRecords } from '../../infra/outbound/text-records.ts'
import { open } from './channels.ts'
import type { ChannelRow } from './queries.ts'
import { signingKeyFault } from './signing-key.ts'
import { spendTry } from './spend-try.ts'

type Asking = { accountId: string; selector: string | undefined }

/** `selector`: what the server of mail, or the account at the provider, signs with, where the channel does not know it. */
export async function checkDomain(
  ctx: Context,
  channel: ChannelRow,
  { accountId, selector }: Asking,
): Promise<{ domain: string; findings: DomainFinding[] }> {
  if (channel.type !== 'email') failWith(400, 'Only channels of email send from a domain')
  const configuration = open(ctx, channel)
  const domain = domainOf(senderOf(configuration).address)
  if (domain === '') failWith(400, 'The channel has no sender whose domain could be checked')
  await spendTry(ctx, 'domain-check', accountId)
  const signsFor = domainOf(`@${textOf(configuration, 'dkimDomain')}`) || undefined
  const dkim = selectorsOf(channel, configuration, { domain, selector, signsFor })
  const dmarc = domainsAbove(domain).map((each) => `_dmarc.${each}`)
  const found = await findTextRecords(ctx.config.dnsServers, [domain, ...dmarc, ...dkim.map(({ name }) => name)])
  const textsOf = (name: string) => found.get(name) ?? null
  const findings = judgeDomain({
    domain,
    provider: channel.provider,
    spf: textsOf(domain),
    dmarc: dmarc.map((name) => ({ name, texts: textsOf(name) })),
    dkim: dkim.map((each) => ({ ...each, texts: textsOf(each.name) })),
    signsFor,
  })
  return { domain, findings }
}

/** As servers of names know it. */
function domainOf(address: string): string {
  return domainToASCII(address.slice(address.lastIndexOf('@') + 1)).replace(/\.$/, '')
}

type Known = { domain: string; selector: string | undefined; signsFor: string | undefined }

function selectorsOf({ provider }: ChannelRow, configuration: Configuration, { domain, selector, signsFor }: Known) {
  const own = textOf(configuration, 'dkimSelector')
  const pem = textOf(configuration, 'dkimPrivateKey')
  // One that a document made has no key yet.
  if (signsFor !== undefined && selector === undefined)
    return [
      { name: `${own}._domainkey.${signsFor}`, ...(signingKeyFault(pem) === undefined && pem !== '' && { publicKey: publicKeyOf(pem) }) },
    ]
  const selectors = selector === undefined ? (KNOWN_SELECTORS[provider] ?? []) : [selector]
  return selectors.map((each) => ({ name: `${each}._domainkey.${domain}` }))
}

/** As its record has it. */
function publicKeyOf(pem: string): string {
  return createPublicKey(pem).export({ type: 'spki', format: 'der' }).toString('base64')
}
