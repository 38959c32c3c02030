/** Ten routes through a client that is made of the OpenAPI document alone; openapi.test.ts generates, compiles and runs it. */
import createClient from 'openapi-fetch'
import type { components, paths } from './api.d.ts'

const baseUrl = process.env['BASE_URL'] ?? ''
const email = process.env['EMAIL'] ?? ''

const anyone = createClient<paths>({ baseUrl })
const signedUp = await anyone.POST('/api/v1/auth/signup', {
  body: { email, password: 'a long enough one', name: 'Sara', workspaceName: 'Shop' },
})
if (!signedUp.data) throw new Error(`sign up: ${JSON.stringify(signedUp.error)}`)
const { token, workspace } = signedUp.data.data
const team = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}`, 'x-tenant-id': workspace.id } })

const key = 'welcome'
const fields: components['schemas']['BlockTypeField'][] = [{ tag: '#title', type: 'text' }]
await team.POST('/api/v1/blocks', { body: { key, name: 'Welcome', fields } })
const made = await team.POST('/api/v1/blocks/{key}/instances', { params: { path: { key } }, body: { values: { '#title': 'Hello' } } })
const instance: components['schemas']['Instance'] | undefined = made.data?.data
if (!instance) throw new Error(`instance: ${JSON.stringify(made.error)}`)
const path = { key, id: instance.id }
const published = await team.POST('/api/v1/blocks/{key}/instances/{id}/publish', { params: { path }, body: { target: 'live' } })
const listed = await team.GET('/api/v1/blocks/{key}/instances', { params: { path: { key } } })
const segment = await team.POST('/api/v1/segments', {
  body: { name: 'Gold', logicalOperator: 'AND', rules: [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }] },
})
const appKey = await team.POST('/api/v1/settings/sdk-keys', { body: { kind: 'publishable', environment: 'live' } })
if (!appKey.data) throw new Error(`key: ${JSON.stringify(appKey.error)}`)

const app = createClient<paths>({ baseUrl, headers: { 'x-cf-key': appKey.data.data.key, 'x-cf-device': 'phone-1' } })
const identified = await app.POST('/sdk/v1/identify', { body: { userId: 'sara', consent: true, traits: { plan: 'gold' } } })
const synced = await app.GET('/sdk/v1/sync')
const missing = await team.GET('/api/v1/blocks/{key}', { params: { path: { key: 'nothing' } } })

console.log(
  JSON.stringify({
    published: published.response.status,
    listed: listed.data?.data.instances.map(({ title, id }) => title ?? id).length,
    segment: segment.data?.data.name,
    identified: identified.response.status,
    synced: synced.data?.data.blocks.map((block) => block.values['#title']),
    missing: [missing.response.status, missing.error?.success],
  }),
)
