/** Channels that keep what they were given, and people who may be written to. */
import { after } from 'node:test'
import { sql } from 'kysely'
import type { Context } from '../../src/context.ts'
import { expectStatus, type Client, type Workspace } from './builders.ts'
import { addChannel } from './channels.ts'
import { makeJourney, setStatus } from './journeys.ts'
import { openProvider, type Judged } from './providers.ts'

/** A provider of push messages that says yes unless it is told otherwise; `sent` are the messages, by token. */
export async function openPush() {
  const push = await openPushProvider()
  after(() => push.close())
  return push
}

/** The same where no test runner closes it. */
export async function openPushProvider() {
  const queue: (Judged | 'cut')[] = []
  const stub = await openProvider({
    judge: () => undefined,
    answer: ({ path }) => {
      if (path === '/oauth2/v3/token') return { status: 200, body: { access_token: 'token', expires_in: 3600 } }
      const next = queue.shift()
      if (next === 'cut') return { status: 502 }
      return next ?? { status: 200, body: { code: '80000000', msg: 'Success', requestId: '1' } }
    },
  })
  const calls = () => stub.taken.filter(({ path }) => path.endsWith('messages:send')).map(({ body }) => body.message)
  return {
    url: stub.url,
    close: stub.close,
    queue,
    calls,
    tokens: () => calls().map(({ token }) => token[0] as string),
    connect: (admin: Client, more: object = {}) =>
      addChannel(admin, 'push', 'hms', { appId: '100', appSecret: 'secret', baseUrl: stub.url }, { name: 'push', ...more }),
  }
}

/** A provider of email; `mails` are what it was given. */
export async function openEmail() {
  const stub = await openProvider({ judge: () => undefined, answer: () => ({ status: 200, body: { id: 'm1' } }) })
  after(() => stub.close())
  return {
    next: stub.next,
    calls: () => stub.taken,
    mails: () => stub.taken.map(({ body }) => body),
    connect: (admin: Client, more: object = {}) =>
      addChannel(
        admin,
        'email',
        'resend',
        { apiKey: 're_key', from: 'Shop <a@shop.example>', baseUrl: stub.url },
        { name: 'mail', ...more },
      ),
  }
}

/** As an app on Huawei's services registers, whose tokens the provider above takes. */
export const OF_HUAWEI = { platform: 'android', provider: 'hms', hmsConfig: { appId: '100' } }

/** People by bulk; `contact` is laid over what lets them be written to on every channel. */
export async function addPeople(
  { admin }: Pick<Workspace, 'admin'>,
  userIds: readonly string[],
  contact: (userId: string) => object = () => ({}),
) {
  const consent = { push: true, email: true, sms: true, whatsapp: true, inApp: true, marketing: true }
  const contacts = userIds.map((userId) => ({
    userId,
    email: `${userId}@example.com`.toLowerCase(),
    deviceToken: `token-${userId}`,
    platform: 'android',
    provider: 'hms',
    consent,
    ...contact(userId),
  }))
  for (let from = 0; from < contacts.length; from += 5_000) {
    const answer = expectStatus(await admin.post('/users/bulk/contacts', { contacts: contacts.slice(from, from + 5_000) }), 200)
    if (answer.data.errorCount > 0) throw new Error(answer.text)
  }
}

/** A line of the ledger, of a message that was not sent, and a place in a journey. */
export async function touch(admin: Client, userId: string): Promise<void> {
  await addChannel(admin, 'sms', 'contentflow-sms', { apiKey: 'k', sender: 's' })
  expectStatus(await admin.post('/notifications', { userId, channel: 'sms', content: { body: 'x' } }), 200)
  const { id } = await makeJourney(admin)
  expectStatus(await setStatus(admin, id, 'active'), 200)
  expectStatus(await admin.post(`/journeys/${id}/enroll`, { userIds: [userId] }), 200)
}

/** Openings and clicks of a workspace that are written by now. */
export async function countHits({ db }: Context, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ hits: number }>`
    select coalesce(sum(jsonb_array_length(hits)), 0)::integer as hits from send_responses where workspace_id = ${workspaceId}`.execute(db)
  return rows[0]?.hits ?? 0
}
