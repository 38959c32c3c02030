/** What SCIM says of itself (RFC 7643, sections 5 to 7). */
import { LIMITS } from '@contentflow/core/limits.ts'
import { GROUP, USER, type Attribute, type Named, type Scalar, type Shape } from '@contentflow/core/scim/shapes.ts'
import { failWith } from '../../errors.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { Type } from '../../http/schema.ts'
import { listAnswer, sendScim } from './routes-answers.ts'
import { NoQuery } from './routes-asked.ts'

const route = routeIn('SCIM')
const provision = { auth: 'directory', permission: 'members:provision' } as const
const Params = Type.Object({ id: Type.String() })
const URN = 'urn:ietf:params:scim:schemas:core:2.0'

export function aboutRoutes(app: Routes): void {
  app.get(
    '/ServiceProviderConfig',
    route({
      id: 'getScimConfiguration',
      ...provision,
      summary: 'What is served',
      description: 'Answers what this side understands of SCIM: PATCH, filters and ETags, and neither bulk requests nor sorting.',
      query: NoQuery,
    }),
    async (_request, reply) => sendScim(reply, 200, CONFIGURATION),
  )
  for (const [path, id, all] of [
    ['ResourceTypes', 'ScimResourceType', RESOURCE_TYPES],
    ['Schemas', 'ScimSchema', [schemaOf('User', USER), schemaOf('Group', GROUP)]],
  ] as const) {
    app.get(
      `/${path}`,
      route({ id: `list${id}s`, ...provision, summary: `All ${path}`, description: `Answers all ${path} of this side.`, query: NoQuery }),
      async (_request, reply) => sendScim(reply, 200, listAnswer({ total: all.length, resources: all }, 1)),
    )
    app.get(
      `/${path}/:id`,
      route({ id: `get${id}`, ...provision, summary: `One of ${path}`, description: `Answers one of ${path}, or 404.`, params: Params }),
      async (request, reply) => sendScim(reply, 200, all.find((each) => each.id === request.params.id) ?? failWith(404, 'not found')),
    )
  }
}

const CONFIGURATION = {
  schemas: [`${URN}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: LIMITS.scimCount },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Token of a service account',
      description: 'Authorization: Bearer cft_…, of a service account with the permission members:provision',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: '/scim/v2/ServiceProviderConfig' },
}

const RESOURCE_TYPES = [
  { id: 'User', endpoint: '/Users', schema: USER.schema },
  { id: 'Group', endpoint: '/Groups', schema: GROUP.schema },
].map(({ id, endpoint, schema }) => ({
  schemas: [`${URN}:ResourceType`],
  id,
  name: id,
  endpoint,
  schema,
  meta: { resourceType: 'ResourceType', location: `/scim/v2/ResourceTypes/${id}` },
}))

function schemaOf(name: string, { schema, attributes }: Shape) {
  return {
    schemas: [`${URN}:Schema`],
    id: schema,
    name,
    attributes: describe(attributes),
    meta: { resourceType: 'Schema', location: `/scim/v2/Schemas/${schema}` },
  }
}

function describe(attributes: Named<Attribute>): object[] {
  return [...attributes.values()].map(({ name, of }) => {
    if (of.is !== 'list' && of.is !== 'object') return scalar(name, of.is, of.isRequired ?? false)
    const subAttributes = [...of.members.values()].map((member) => scalar(member.name, member.of, false))
    return { ...common(name), type: 'complex', multiValued: of.is === 'list', required: false, subAttributes }
  })
}

const common = (name: string) => ({ name, mutability: 'readWrite', returned: 'default' })

function scalar(name: string, kind: Scalar, required: boolean): object {
  const type = kind === 'flag' ? 'boolean' : 'string'
  const uniqueness = name === 'userName' ? 'server' : 'none'
  return { ...common(name), type, multiValued: false, required, caseExact: kind === 'exact', uniqueness }
}
