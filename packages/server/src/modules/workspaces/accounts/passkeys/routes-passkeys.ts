import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../../context.ts'
import { fail, failWith } from '../../../../errors.ts'
import { ok, page } from '../../../../http/answers/envelope.ts'
import { accountCaller } from '../../../../http/callers/auth.ts'
import { publicUrl } from '../../../../http/public-url.ts'
import { pathOf } from '../../../../http/params.ts'
import { routeIn, type Routes } from '../../../../http/routes.ts'
import { bodyOf, Deleted, Empty, Ok, Page, PageQuery, queryOf, Type } from '../../../../http/schema.ts'
import { shortPage } from '../../../../http/short-list.ts'
import { Name, PasskeyOptions } from '../../present.ts'
import { makeChallenge } from '../second-factor/challenges.ts'
import { refuseOldSession } from '../../../../http/callers/recent-session.ts'
import { Entered, RecoveryCodes } from '../second-factor/routes-second-factor.ts'
import { logInByPasskey } from '../second-factor/sign-in-second.ts'
import { arrivalOf, openIn } from '../sign-in/routes-session.ts'
import { requestOptions } from './options.ts'
import { addPasskey, askForPasskey, removePasskey, TO_SIGN_IN } from './passkeys.ts'
import { CreationOptions, NewCredential, Passkey, UsedCredential } from './present-passkeys.ts'
import { listPasskeys, renamePasskey, type PasskeyRow } from './queries-passkeys.ts'
import { relyingParty, type RelyingParty } from './relying-party.ts'

const NewBody = Type.Object({ credential: NewCredential, name: Name })
const SignInBody = Type.Object({ credential: UsedCredential })
const NameBody = Type.Object({ name: Name })
const PasskeyParams = pathOf({ id: 'The id of the passkey' })

/** Passkeys of whoever asks, and signing in by one without a name. */
export function passkeyRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Accounts')
  app.post(
    '/auth/passkeys/options',
    route({
      id: 'askForPasskey',
      auth: 'account',
      summary: 'What a page asks the browser to make a passkey of',
      description: 'Answers the options for `navigator.credentials.create`. Takes a session that is younger than 10 minutes.',
      body: Type.Optional(Empty),
      out: Ok(CreationOptions),
      refuses: ['REAUTHENTICATE', 'PASSKEYS_OFF', 'PASSKEY_LIMIT'],
    }),
    async (request) => {
      const caller = accountCaller(request)
      refuseOldSession(ctx, caller)
      return ok(await askForPasskey(ctx, caller, partyOf(ctx, request)))
    },
  )
  app.post(
    '/auth/passkeys',
    route({
      id: 'addPasskey',
      auth: 'account',
      summary: 'Add the passkey that the browser made; with the first second factor your other sessions end',
      description:
        'Checks what the browser made and adds it under a name. The first second factor comes with recovery codes, which are shown this once.',
      body: NewBody,
      out: { 201: Ok(Type.Object({ passkey: Passkey, ...RecoveryCodes.properties })) },
      refuses: ['REAUTHENTICATE', 'PASSKEYS_OFF', 'PASSKEY_LIMIT', 'PASSKEY_KNOWN', 'PASSKEY_REFUSED', 'SIGN_IN_OVER'],
    }),
    async (request, reply) => {
      const caller = accountCaller(request)
      const { credential, name } = bodyOf(request)
      refuseOldSession(ctx, caller)
      const { passkey, ...codes } = await addPasskey(ctx, caller, { party: partyOf(ctx, request), credential, name })
      return reply.code(201).send(ok({ passkey: present(passkey), ...codes }))
    },
  )
  app.get(
    '/auth/passkeys',
    route({
      id: 'listPasskeys',
      auth: 'account',
      summary: 'Your passkeys',
      description: 'Lists your passkeys with their names, when each was last used and whether it is backed up.',
      query: PageQuery,
      out: Page('passkeys', Passkey),
    }),
    async (request) => {
      const passkeys = await listPasskeys(ctx.db, accountCaller(request).accountId)
      const found = shortPage(passkeys, queryOf(request), ({ id }) => id)
      return page('passkeys', { ...found, items: found.items.map(present) })
    },
  )
  app.put(
    '/auth/passkeys/:id',
    route({
      id: 'renamePasskey',
      auth: 'account',
      summary: 'Give one of your passkeys another name',
      description: 'Changes only the name that you see in the list. A passkey of somebody else is 404.',
      params: PasskeyParams,
      body: NameBody,
      out: Ok(Passkey),
    }),
    async (request) => {
      const { accountId } = accountCaller(request)
      const { id } = request.params
      if (!(await listPasskeys(ctx.db, accountId)).some((passkey) => passkey.id === id)) failWith(404, 'passkey not found')
      return ok(present((await renamePasskey(ctx.db, accountId, id, bodyOf(request).name)) ?? failWith(404, 'passkey not found')))
    },
  )
  app.delete(
    '/auth/passkeys/:id',
    route({
      id: 'removePasskey',
      auth: 'account',
      summary: 'Remove one of your passkeys; with the last second factor the recovery codes go',
      description: 'The passkey signs in nowhere from then on. Takes a session that is younger than 10 minutes.',
      params: PasskeyParams,
      body: Type.Optional(Empty),
      out: Deleted,
      refuses: ['REAUTHENTICATE'],
    }),
    async (request) => {
      const caller = accountCaller(request)
      refuseOldSession(ctx, caller)
      await removePasskey(ctx, caller.accountId, request.params.id)
      return ok({ deleted: true as const })
    },
  )
  signInRoutes(app, ctx)
}

function signInRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Accounts')
  app.post(
    '/auth/passkeys/sign-in/options',
    route({
      id: 'askForSignInByPasskey',
      auth: 'none',
      summary: 'What a page asks the browser to sign in with; nobody is named',
      description:
        'Answers the options for `navigator.credentials.get`. They are the same for everybody, so nothing is told about accounts.',
      body: Type.Optional(Empty),
      out: Ok(PasskeyOptions),
      refuses: ['PASSKEYS_OFF'],
    }),
    async (request) => ok(requestOptions(partyOf(ctx, request), makeChallenge(ctx, TO_SIGN_IN).challenge, [])),
  )
  app.post(
    '/auth/passkeys/sign-in',
    route({
      id: 'logInByPasskey',
      auth: 'none',
      summary: 'Sign in by a passkey alone, which is a second factor as well',
      description:
        'Opens a session for the account that the passkey belongs to. Programs get the token in the answer, pages of this server a cookie.',
      sends: ['Set-Cookie'],
      body: SignInBody,
      out: Ok(Entered),
      refuses: ['PASSKEYS_OFF', 'PASSKEY_REFUSED', 'SIGN_IN_OVER', 'LOGIN_RATE_LIMITED'],
    }),
    async (request, reply) => {
      const { credential } = bodyOf(request)
      const visitor = arrivalOf(ctx, request)
      return ok(await openIn(ctx, { request, reply }, await logInByPasskey(ctx, visitor, partyOf(ctx, request), credential), visitor))
    },
  )
}

function partyOf(ctx: Context, request: FastifyRequest): RelyingParty {
  return relyingParty(ctx, publicUrl(ctx, request)) ?? fail('PASSKEYS_OFF')
}

function present({ id, name, is_backed_up: isBackedUp, created_at: createdAt, last_used_at: lastUsedAt }: PasskeyRow) {
  return { id, name, isBackedUp, createdAt, lastUsedAt }
}
