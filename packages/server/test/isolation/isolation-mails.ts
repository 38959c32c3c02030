import { expectStatus, type Client } from '../builders/builders.ts'
import { MAIL } from './isolation-bodies.ts'

/** Keeps a mail; its id. */
export async function makeMail(admin: Client, name: string): Promise<string> {
  return expectStatus(await admin.post('/mails', { kind: 'template', name, document: MAIL }), 201).data.id
}
