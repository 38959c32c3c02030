import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../../context.ts'
import { failWith } from '../../../../errors.ts'
import { ok, page } from '../../../../http/answers/envelope.ts'
import { memberCaller } from '../../../../http/callers/auth.ts'
import { publicUrl } from '../../../../http/public-url.ts'
import { pathOf } from '../../../../http/params.ts'
import { routeIn, type Routes } from '../../../../http/routes.ts'
import { bodyOf, Deleted, Empty, Ok, Page, PageQuery, queryOf, Type } from '../../../../http/schema.ts'
import { shortPage } from '../../../../http/short-list.ts'
import { stopRequiringProvider } from '../sign-in/sign-in-settings.ts'
import {
  InstallationProvider,
  InstallationProviderBody,
  presentOfInstallation,
  presentOfWorkspace,
  WorkspaceProvider,
  WorkspaceProviderBody,
} from './present-providers.ts'
import { findProvider, idInWorkspace, providersOfInstallation, providersOfWorkspace } from './providers.ts'
import { listDomains } from './queries-providers.ts'
import {
  deleteProviderOfInstallation,
  deleteProviderOfWorkspace,
  saveProviderOfInstallation,
  saveProviderOfWorkspace,
} from './save-provider.ts'

const ProviderParams = pathOf({ id: 'The id of the provider' })
const WorkspaceParams = pathOf({ id: 'The id of the workspace' })

/** Providers with which people sign in, as admins and the operator set them up. */
export function providerRoutes(app: Routes, ctx: Context): void {
  workspaceProviderRoutes(app, ctx)
  installationProviderRoutes(app, ctx)
}

function workspaceProviderRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Sign-in')
  const readAll = async (request: FastifyRequest) => {
    const { workspaceId } = memberCaller(request)
    const [all, domains] = [await providersOfWorkspace(ctx, workspaceId), await listDomains(ctx.db, workspaceId)]
    return all.map((each) => presentOfWorkspace(each, publicUrl(ctx, request), domains))
  }
  app.get(
    '/settings/identity-providers',
    route({
      id: 'listIdentityProviders',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'Providers of the workspace with which people sign in',
      description:
        'Lists the providers of the workspace with their domains and whether each was proved by its text record. Secrets are not among them.',
      query: PageQuery,
      out: Page('providers', WorkspaceProvider),
    }),
    async (request) =>
      page(
        'providers',
        shortPage(await readAll(request), queryOf(request), ({ id }) => id),
      ),
  )
  app.put(
    '/settings/identity-providers/:id',
    route({
      id: 'saveIdentityProvider',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'Set up a provider of the workspace, and look for the text records of its domains',
      description:
        'Makes or changes a provider of OpenID Connect with its groups as roles. Each domain is proved by a text record, which is looked up when this is called. Roles beyond your own are GRANT_TOO_WIDE.',
      params: ProviderParams,
      body: WorkspaceProviderBody,
      out: Ok(WorkspaceProvider),
      refuses: ['PROVIDER_LIMIT', 'GRANT_TOO_WIDE'],
    }),
    async (request) => {
      const { id } = request.params
      refuseOddId(id)
      await saveProviderOfWorkspace(ctx, memberCaller(request), id, bodyOf(request))
      return ok((await readAll(request)).find((each) => each.id === id) ?? failWith(404, 'provider not found'))
    },
  )
  app.delete(
    '/settings/identity-providers/:id',
    route({
      id: 'deleteIdentityProvider',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'Take a provider away: its sessions end, its members stay as members made by hand',
      description: 'Ends the sessions that came by this provider. Members whom it made stay and are changed by hand from then on.',
      params: ProviderParams,
      body: Type.Optional(Empty),
      out: Deleted,
    }),
    async (request) => {
      const caller = memberCaller(request)
      const { id } = request.params
      const found = await findProvider(ctx, idInWorkspace(caller.workspaceId, id))
      if (!found) failWith(404, 'provider not found')
      await deleteProviderOfWorkspace(ctx, caller, id)
      return ok({ deleted: true as const })
    },
  )
}

function installationProviderRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Operator')
  app.get(
    '/operator/identity-providers',
    route({
      id: 'listIdentityProvidersAsOperator',
      auth: 'operator',
      summary: 'Providers of the installation with which people sign in',
      description: 'Lists the providers that every sign-in page of this installation offers.',
      out: Ok(Type.Object({ providers: Type.Array(InstallationProvider) })),
    }),
    async (request) => {
      const all = await providersOfInstallation(ctx)
      return ok({ providers: all.map((each) => presentOfInstallation(each, publicUrl(ctx, request))) })
    },
  )
  app.put(
    '/operator/identity-providers/:id',
    route({
      id: 'saveIdentityProviderAsOperator',
      auth: 'operator',
      summary: 'Set up a provider of the installation; `environment` is the one of the settings',
      description: 'Makes or changes a provider for the whole installation. The one called `environment` comes from the settings.',
      params: ProviderParams,
      body: InstallationProviderBody,
      out: Ok(InstallationProvider),
      refuses: ['PROVIDER_LIMIT'],
    }),
    async (request) => {
      const { id } = request.params
      refuseOddId(id)
      await saveProviderOfInstallation(ctx, id, bodyOf(request))
      const saved = (await findProvider(ctx, id)) ?? failWith(404, 'provider not found')
      return ok(presentOfInstallation(saved, publicUrl(ctx, request)))
    },
  )
  app.delete(
    '/operator/identity-providers/:id',
    route({
      id: 'deleteIdentityProviderAsOperator',
      auth: 'operator',
      summary: 'Take a provider of the installation away: its sessions end, its members stay',
      description: 'Ends the sessions that came by this provider; accounts and members stay.',
      params: ProviderParams,
      body: Type.Optional(Empty),
      out: Deleted,
    }),
    async (request) => {
      await deleteProviderOfInstallation(ctx, request.params.id)
      return ok({ deleted: true as const })
    },
  )
  app.delete(
    '/operator/workspaces/:id/sign-in',
    route({
      id: 'stopRequiringProvider',
      auth: 'operator',
      summary: 'Let members of a workspace come in without a provider again, where it has locked itself out',
      description: 'For a workspace whose provider no longer lets anybody in. Its members sign in with password or passkey again.',
      params: WorkspaceParams,
      body: Type.Optional(Empty),
      out: Deleted,
    }),
    async (request) => {
      await stopRequiringProvider(ctx, request.params.id)
      return ok({ deleted: true as const })
    },
  )
}

/** It stands in addresses that are entered at the provider. */
function refuseOddId(id: string): void {
  if (!/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/.test(id)) failWith(400, 'id must have at most 40 small letters, digits and hyphens')
}
