/** Signing in with a provider: the way there, and what is made of whoever comes back. */
import { cutText } from '@contentflow/core/cut-text.ts'
import { foldEmail } from '@contentflow/core/identity/fold-email.ts'
import type { Granted } from '@contentflow/core/sign-in/groups.ts'
import { domainOf } from '@contentflow/core/sign-in/provider.ts'
import type { Context } from '../../../../context.ts'
import type { Db } from '../../../../db/open.ts'
import { decoyPasswordHash, hashSecret } from '../../../../infra/secrets/crypto.ts'
import { inTransaction, isWriteConflict } from '../../../../infra/unavailable.ts'
import { openAccount } from '../accounts.ts'
import { listMemberships } from '../members/queries-members.ts'
import { findAccountByEmail, lockAccount, proveEmail, takePassword } from '../queries-accounts.ts'
import { dropFactors } from '../second-factor/drop-factors.ts'
import { deleteLinksOf, deleteSessionsOf } from '../sign-in/queries-sessions.ts'
import { openSession, type Session, type SessionClient } from '../sign-in/sessions.ts'
import { writeMemberships } from './directory-members.ts'
import { PASSING_SECONDS, type SignInState, type WaitingIdentity } from './passing-cookies.ts'
import { oidc, type ProviderCalls } from './provider-calls.ts'
import { isAway, SignInError, type SignInFault } from './provider-errors.ts'
import { claimRow, givenTo, type Given } from './provisioned.ts'
import type { Provider } from './providers.ts'
import { deleteIdentities, findIdentity, hasIdentity, isDomainProven, putIdentity, useOnce } from './queries-providers.ts'
import { readPerson, type PersonAtProvider } from './read-person.ts'

/** What is needed of the process. */
export type SignInParts = { ctx: Context; calls: ProviderCalls }

/** The address at the provider, and what the browser keeps until it is back. */
export async function beginSignIn(
  { ctx, calls }: SignInParts,
  provider: Provider,
  { returnTo, redirectUri, isTrial }: Pick<SignInState, 'returnTo' | 'redirectUri' | 'isTrial'>,
): Promise<{ address: string; state: SignInState }> {
  const configuration = await calls.configuration(provider)
  const { randomState, randomNonce, randomPKCECodeVerifier, calculatePKCECodeChallenge, buildAuthorizationUrl } = oidc()
  const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()]
  const address = buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: provider.scopes.join(' '),
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const endsAt = ctx.clock.ms() + PASSING_SECONDS * 1000
  return { address: address.href, state: { state, nonce, verifier, returnTo, redirectUri, isTrial, endsAt } }
}

/** What a trial shows: what the provider says of whoever tried it, and what that would give them. */
type Trial = {
  subject: string
  email: string | null
  isEmailVerified: boolean
  name: string
  groups: string[]
  granted: { workspaceId: string; role: string; canApprove: boolean }[]
}
export type SignInOutcome =
  | { is: 'in'; session: Session }
  | { is: 'link'; identity: WaitingIdentity }
  | { is: 'tried'; trial: Trial }
  | { is: 'refused'; fault: SignInFault }

/** `query`: with which the browser came back. It is told in the log why somebody was not let in, and nothing that a person wrote. */
export async function finishSignIn(
  parts: SignInParts,
  provider: Provider,
  { state, query, client }: { state: SignInState; query: string; client: SessionClient },
): Promise<SignInOutcome> {
  const { ctx } = parts
  try {
    const [now, endsAt] = [ctx.clock.now(), new Date(state.endsAt)]
    if (!(await useOnce(ctx.db, hashSecret(`state ${state.state}`), now, endsAt)))
      throw new SignInError('sso_failed', 'the answer of the provider was used before')
    const person = await readPerson(parts, provider, state, query)
    if (state.isTrial) return { is: 'tried', trial: trialOf(person, (await givenTo(ctx.db, provider, person)).granted) }
    return await inTransaction(ctx.db, (tx) => enter(ctx, tx, provider, { person, client }), isWriteConflict)
  } catch (error) {
    if (error instanceof SignInError) return refuse(ctx, provider, error.fault, error.message)
    if (isAway(error)) return refuse(ctx, provider, 'sso_away', (error as Error).message)
    throw error
  }
}

function refuse(ctx: Context, { id }: Provider, fault: SignInFault, why: string): SignInOutcome {
  ctx.metrics.authFailures.labels('sso').inc()
  ctx.log.warn({ id, why }, 'a sign-in with a provider was refused')
  return { is: 'refused', fault }
}

function trialOf(person: PersonAtProvider, granted: readonly Granted[]): Trial {
  const { subject, email = null, isEmailVerified, name, groups } = person
  const shown = granted.map(({ workspaceId, role, canApprove }) => ({ workspaceId, role, canApprove }))
  return {
    subject,
    email,
    isEmailVerified,
    name,
    groups: groups.slice(0, GROUPS_SHOWN).map((group) => cutText(group, GROUP_LENGTH)),
    granted: shown,
  }
}
/** In a trial, which stands in an address. */
const [GROUPS_SHOWN, GROUP_LENGTH] = [50, 100]

type Entering = { person: PersonAtProvider; client: SessionClient }

/** One transaction: whose account it is, what they are in workspaces, and their session. Who is not let in loses what the provider gave before. */
async function enter(ctx: Context, tx: Db, provider: Provider, { person, client }: Entering): Promise<SignInOutcome> {
  const given = await givenTo(tx, provider, person)
  const found = await findAccountOf(ctx, tx, provider, person, given.granted)
  if ('is' in found) return found
  const { accountId } = found
  await lockAccount(tx, accountId)
  const isKept = await writeGiven(ctx, tx, provider, { accountId, person, given })
  const { subject, email } = person
  const isTheirs = await putIdentity(tx, { providerId: provider.id, subject, accountId, email, now: ctx.clock.now() })
  if (!isTheirs) throw new SignInError('sso_failed', 'the identity became that of another account meanwhile')
  if (given.row?.active === false && !isKept) return refuse(ctx, provider, 'not_assigned', 'the directory says that they are not active')
  if ((await listMemberships(tx, accountId, provider.workspaceId)).length === 0) {
    // An account that was made for it is not kept.
    if (found.isNew) throw new SignInError('not_assigned', 'no workspace of the mapping is there')
    return refuse(ctx, provider, 'not_assigned', 'no group gives a role')
  }
  const session = await openSession(ctx, tx, accountId, client, {
    amr: person.isMultiFactor ? ['sso', 'mfa'] : ['sso'],
    provider: {
      id: provider.id,
      subject,
      sid: person.sid,
      workspaceId: provider.workspaceId,
      idTokenSealed: person.idToken.length > LONGEST_HINT ? null : ctx.secrets.seal(person.idToken, placeOfIdToken(subject)),
    },
  })
  return { is: 'in', session }
}
/** Writes what they are in workspaces, and whose row of the directory it is. True: they stay the last admin of one. */
async function writeGiven(
  ctx: Context,
  tx: Db,
  provider: Provider,
  { accountId, person, given: { granted, row } }: { accountId: string; person: PersonAtProvider; given: Given },
): Promise<boolean> {
  const source = row ? 'scim' : 'oidc'
  const written = await writeMemberships(ctx, tx, provider, { accountId, granted, isProved: person.isEmailVerified, source })
  const { workspaceId } = provider
  if (row && workspaceId !== null) await claimRow(ctx, tx, { ...provider, workspaceId }, { row, accountId })
  return written.some(({ isKept }) => isKept)
}

/** A longer token makes an address that servers refuse. */
const LONGEST_HINT = 4_000

/** Where a token stands that is sent back at the end of a session. */
export function placeOfIdToken(subject: string) {
  return { workspaceId: '', row: `sessions/${subject}` }
}

/** The account of an identity. An email alone finds one only for a provider of the installation that vouches for addresses of its domains. */
async function findAccountOf(
  ctx: Context,
  tx: Db,
  provider: Provider,
  person: PersonAtProvider,
  granted: readonly Granted[],
): Promise<{ accountId: string; isNew?: true } | SignInOutcome> {
  const { subject, email, isEmailVerified, name } = person
  const known = await findIdentity(tx, provider.id, subject)
  if (known) return known
  if (email === undefined) return refuse(ctx, provider, 'sso_failed', 'the provider names no address')
  const domain = domainOf(email)
  const existing = await findAccountByEmail(tx, foldEmail(email))
  if (existing) {
    const isVouchedFor = provider.workspaceId === null && isEmailVerified && domain !== undefined && provider.domains.includes(domain)
    // An address that the directory gave to somebody else is no way into the account of whoever had it before.
    const isSomebodyElse = isVouchedFor && (await hasIdentity(tx, provider.id, existing.id))
    if (!isVouchedFor || isSomebodyElse) return { is: 'link', identity: waiting(ctx, provider, person) }
    if (existing.email_verified_at === null) await takeAccount(ctx, tx, existing.id)
    return { accountId: existing.id }
  }
  if (provider.workspaceId !== null) {
    const isOwn = domain !== undefined && provider.domains.includes(domain) && (await isDomainProven(tx, provider.workspaceId, domain))
    if (!isOwn) return refuse(ctx, provider, 'domain_not_verified', 'the workspace has not proven the domain of the address')
  }
  if (granted.length === 0) return refuse(ctx, provider, 'not_assigned', 'no group gives a role')
  const account = await openAccount(ctx, tx, { email, name: name || email, isProved: isEmailVerified }, null)
  return { accountId: account.userId, isNew: true }
}

/** Whoever opened the account with this address may not be who has it: what they could come in with is taken from them. */
async function takeAccount(ctx: Context, tx: Db, accountId: string): Promise<void> {
  await proveEmail(tx, accountId, ctx.clock.now())
  await takePassword(tx, accountId, decoyPasswordHash())
  await deleteSessionsOf(tx, accountId)
  await deleteLinksOf(tx, accountId)
  await deleteIdentities(tx, accountId)
  await dropFactors(tx, accountId)
}

function waiting(ctx: Context, provider: Provider, { subject, email }: PersonAtProvider): WaitingIdentity {
  return { providerId: provider.id, subject, email: email ?? null, endsAt: ctx.clock.ms() + PASSING_SECONDS * 1000 }
}
