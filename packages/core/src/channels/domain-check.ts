/** What the names of a domain say of the mail that is sent from it: SPF, DKIM and DMARC, and what to do about it. */
import type { ProviderName } from './providers.ts'

/** `null`: the servers of names did not answer; empty: there is no such record. */
export type Texts = readonly string[] | null
/**
 * What was found. `domain`: of the sender. `dmarc`: of the domain and those above it, the nearest first. `dkim`: of each selector
 * that was asked for; `publicKey`: what has to stand there, where the channel signs by itself.
 */
export type DomainRecords = {
  domain: string
  provider: ProviderName
  spf: Texts
  dmarc: readonly { name: string; texts: Texts }[]
  dkim: readonly { name: string; texts: Texts; publicKey?: string }[]
  /** The channel signs for this domain; undefined: it does not sign by itself. */
  signsFor?: string | undefined
}

export const DOMAIN_FINDINGS = [
  'spf_ok',
  'spf_missing',
  'spf_twice',
  'spf_open',
  'spf_without_provider',
  'dkim_ok',
  'dkim_missing',
  'dkim_other_key',
  'dkim_revoked',
  'dkim_other_domain',
  'dkim_unsigned',
  'dmarc_ok',
  'dmarc_missing',
  'dmarc_twice',
  'dmarc_watches',
  'dmarc_wrong',
  'names_unanswered',
] as const
export type DomainFindingCode = (typeof DOMAIN_FINDINGS)[number]
/** `name`: where the record stands or should. `value`: what stands there; null: nothing does. `advice`: what to do, '' where nothing is. */
export type DomainFinding = { code: DomainFindingCode; level: 'ok' | 'warn' | 'stop'; name: string; value: string | null; advice: string }

const JUDGED: { [code in DomainFindingCode]: [level: DomainFinding['level'], advice: string] } = {
  spf_ok: ['ok', ''],
  spf_missing: ['stop', 'Add a TXT record that begins with v=spf1 and names who sends for this domain'],
  spf_twice: ['stop', 'Leave one record that begins with v=spf1: with two, receivers trust neither'],
  spf_open: ['warn', 'End the record with ~all or -all: as it is, everybody may send for this domain'],
  spf_without_provider: ['warn', 'Add the include of the provider, unless it sends under a domain of its own below this one'],
  dkim_ok: ['ok', ''],
  dkim_missing: ['stop', 'Add the record of this selector as the provider, or the server of mail, names it'],
  dkim_other_key: ['stop', 'Put the public half of the channel’s key there: receivers find the signatures to be wrong'],
  dkim_revoked: ['stop', 'The record has no key (p=), which means that it was withdrawn: publish one'],
  dkim_other_domain: ['warn', 'Sign for the domain of the sender: a signature of another one does not count for DMARC'],
  dkim_unsigned: ['warn', 'Give the channel dkimDomain, dkimSelector and dkimPrivateKey, unless the server of mail signs by itself'],
  dmarc_ok: ['ok', ''],
  dmarc_missing: ['stop', 'Add a TXT record such as v=DMARC1; p=none; rua=mailto:you@your.domain'],
  dmarc_twice: ['stop', 'Leave one record that begins with v=DMARC1: with two, receivers trust neither'],
  dmarc_watches: ['warn', 'With p=none nobody is kept from using the domain: go on to p=quarantine once the reports look right'],
  dmarc_wrong: ['stop', 'Say p=none, p=quarantine or p=reject in the record'],
  names_unanswered: ['warn', 'The servers of names did not answer; try again in a few minutes'],
}

/** Of providers that send with the domain of the sender itself; others have a domain of their own below it. */
const INCLUDES: { [provider in ProviderName]?: string } = { sendgrid: 'sendgrid.net', mailgun: 'mailgun.org' }

/** Selectors that providers are known to sign with; an account may have others. */
export const KNOWN_SELECTORS: { [provider in ProviderName]?: readonly string[] } = {
  sendgrid: ['s1', 's2'],
  mailgun: ['k1', 'mx', 'pic', 'smtp'],
  resend: ['resend'],
}

export function judgeDomain(records: DomainRecords): DomainFinding[] {
  return [...judgeSpf(records), ...judgeDkim(records), judgeDmarc(records)]
}

function finding(code: DomainFindingCode, name: string, value: string | null = null): DomainFinding {
  const [level, advice] = JUDGED[code]
  return { code, level, name, value, advice }
}

function judgeSpf({ domain, provider, spf }: DomainRecords): DomainFinding[] {
  if (spf === null) return [finding('names_unanswered', domain)]
  const found = spf.filter((text) => /^v=spf1(?: |$)/i.test(text))
  const [record] = found
  if (record === undefined) return [finding('spf_missing', domain)]
  if (found.length > 1) return [finding('spf_twice', domain, found.join(' | '))]
  const judged: DomainFinding[] = []
  if (/(?:^| )[+?]?all(?: |$)/i.test(record)) judged.push(finding('spf_open', domain, record))
  const include = INCLUDES[provider]
  if (include !== undefined && !record.toLowerCase().includes(`include:${include}`))
    judged.push(finding('spf_without_provider', domain, record))
  return judged.length === 0 ? [finding('spf_ok', domain, record)] : judged
}

function judgeDkim({ domain, dkim, signsFor }: DomainRecords): DomainFinding[] {
  const judged: DomainFinding[] = []
  if (signsFor !== undefined && !isBelow(signsFor, domain) && !isBelow(domain, signsFor))
    judged.push(finding('dkim_other_domain', domain, signsFor))
  if (dkim.length === 0) return [finding('dkim_unsigned', domain)]
  const each = dkim.map(judgeSelector)
  const ok = each.find(({ level }) => level === 'ok')
  // Of the selectors that a provider may use one is enough.
  return [...judged, ok ?? each.find(({ code }) => code !== 'dkim_missing') ?? each[0]!]
}

function isBelow(domain: string, above: string): boolean {
  return domain === above || domain.endsWith(`.${above}`)
}

function judgeSelector({ name, texts, publicKey }: DomainRecords['dkim'][number]): DomainFinding {
  if (texts === null) return finding('names_unanswered', name)
  const record = texts.find((text) => tagOf(text, 'p') !== undefined)
  if (record === undefined) return finding('dkim_missing', name)
  const key = tagOf(record, 'p')?.replaceAll(/\s/g, '') ?? ''
  if (key === '') return finding('dkim_revoked', name, record)
  return finding(publicKey !== undefined && key !== publicKey ? 'dkim_other_key' : 'dkim_ok', name, record)
}

/** The nearest domain with a record is the one that holds. */
function judgeDmarc({ dmarc }: DomainRecords): DomainFinding {
  for (const { name, texts } of dmarc) {
    if (texts === null) return finding('names_unanswered', name)
    const found = texts.filter((text) => /^v=DMARC1\s*(?:;|$)/i.test(text))
    const [record] = found
    if (record === undefined) continue
    if (found.length > 1) return finding('dmarc_twice', name, found.join(' | '))
    const policy = tagOf(record, 'p')?.toLowerCase()
    if (policy === 'none') return finding('dmarc_watches', name, record)
    return finding(policy === 'quarantine' || policy === 'reject' ? 'dmarc_ok' : 'dmarc_wrong', name, record)
  }
  return finding('dmarc_missing', dmarc[0]?.name ?? '')
}

/** Of a record of `name=value;` pairs. */
function tagOf(record: string, name: string): string | undefined {
  for (const pair of record.split(';')) {
    const at = pair.indexOf('=')
    if (at !== -1 && pair.slice(0, at).trim().toLowerCase() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}

/** The domain and those above it, without the last, which belongs to nobody who sends mail. */
export function domainsAbove(domain: string): string[] {
  const labels = domain.split('.')
  return labels.slice(0, Math.max(1, labels.length - 1)).map((_, index) => labels.slice(index).join('.'))
}
