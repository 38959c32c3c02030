/** What is said of a provider of OpenID Connect, and which domains of mail addresses there are. */

export type DirectoryRole = 'admin' | 'editor' | 'viewer'
/** A row of the ordered list that turns groups into roles. `roleId`: a role of the workspace, which counts instead of `role`, which is then viewer. */
export type GroupRow = { group: string; workspaceId: string; role: DirectoryRole; roleId?: string; canApprove: boolean }

/** Ports and names at which a provider may be without encryption: on this machine alone, where somebody tries it out. */
const OWN_MACHINE = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$)/
/** Of Microsoft: stands for every tenant, so it would let in whoever has an account anywhere. */
const EVERY_TENANT = /^https:\/\/login\.microsoftonline\.[a-z.]+\/(?:common|organizations|consumers)(?:\/|$)/i

/** Why a text is not the issuer of one provider, in words for whoever sent it. `isPrivateAllowed`: this machine may be called. */
export function issuerFault(issuer: string, isPrivateAllowed: boolean): string | undefined {
  if (!/^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/.test(issuer)) return 'must be an https address without a query'
  if (issuer.includes('{') || EVERY_TENANT.test(issuer)) return 'must be of one tenant: put the id of yours in place of common'
  if (issuer.startsWith('http:') && !(isPrivateAllowed && OWN_MACHINE.test(issuer))) return 'must begin with https://'
  return undefined
}

/** A domain in the form in which it is compared and asked for; undefined for what is none. */
export function readDomain(text: string): string | undefined {
  const domain = text.trim().toLowerCase().replace(/\.$/, '')
  const isDomain = domain.length <= 253 && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/.test(domain)
  return isDomain ? domain : undefined
}

/** The domain of an address as `readDomain` writes it. */
export function domainOf(email: string): string | undefined {
  return readDomain(email.slice(email.lastIndexOf('@') + 1))
}

/** What the text record of a proven domain says. */
export function domainRecord(code: string): string {
  return `contentflow-domain-verification=${code}`
}
