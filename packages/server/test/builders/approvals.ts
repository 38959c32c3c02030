/** Members for tests of approvals, made through the product's own routes. */
import { clientOf, expectStatus, PASSWORD, patiently, uniqueEmail, type Builders, type Client, type Workspace } from './builders.ts'

export type Proven = {
  client: Client
  /** A client of a new session. */
  again(): Promise<Client>
}

/** Somebody with an account of their own who joins by the link of an invitation: an admin knows the link, but not their password. */
export async function joinByLink(
  { workspace, url }: Pick<Builders, 'workspace'> & { url: string },
  ws: Workspace,
  { role = 'editor', canApprove = false }: { role?: string; canApprove?: boolean } = {},
): Promise<Proven> {
  const email = uniqueEmail()
  const own = await workspace({ email })
  const entry = { email, name: role, password: 'not their password', role, canApprove }
  const { token } = expectStatus(await patiently(() => ws.admin.post('/members', entry)), 201).data.invitation
  expectStatus(await own.admin.post('/workspaces/join', { token }), 200)
  const root = `${url}/api/v1`
  const as = (session: string) => clientOf(root, { authorization: `Bearer ${session}`, 'x-tenant-id': ws.id })
  return {
    client: as(own.token),
    again: async () =>
      as(expectStatus(await patiently(() => clientOf(root).post('/auth/login', { email, password: PASSWORD })), 200).data.token),
  }
}

export const told = ({ status, body }: { status: number; body: any }) => [status, body.code]
export const reviewsOf = async (by: Client, status = 'pending'): Promise<any[]> =>
  expectStatus(await by.get(`/reviews?status=${status}`), 200).data.reviews
export const decide = (by: Client, id: string, body: object = {}) => by.post(`/reviews/${id}/approve`, body)
