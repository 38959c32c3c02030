import { expectStatus, type Workspace } from '../builders/builders.ts'

/** What waits for a second person, and for its moment. */
export async function waitingIn({ admin }: Workspace, id: string): Promise<{ review: string; publication: string }> {
  const path = `/blocks/promo/instances/${id}/publish`
  const publication = expectStatus(await admin.post(path, { at: '2098-01-01T00:00:00Z' }), 202).data.scheduled.id
  expectStatus(await admin.put('/settings/publishing', { approval: true }), 200)
  const review = expectStatus(await admin.post(path, {}), 202).data.requestId
  expectStatus(await admin.put('/settings/publishing', { approval: false }), 200)
  return { review, publication }
}
