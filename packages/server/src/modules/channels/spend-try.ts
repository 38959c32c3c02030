import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { fail } from '../../errors.ts'
import { hashSecret } from '../../infra/secrets/crypto.ts'

/** Messages that a member has sent for trying something out, or to themselves, and checks that ask other machines; each kind counts for itself. */
const TRIES = {
  'channel-test': { ...LIMITS.channelTests, code: 'CHANNEL_TEST_RATE_LIMITED' },
  'campaign-test': { ...LIMITS.channelTests, code: 'CHANNEL_TEST_RATE_LIMITED' },
  'domain-check': { ...LIMITS.checks, code: 'CHECK_RATE_LIMITED' },
  'link-check': { ...LIMITS.checks, code: 'CHECK_RATE_LIMITED' },
  'launch-code': { ...LIMITS.launchCodes, code: 'LAUNCH_OTP_RATE_LIMITED' },
} as const

/** M-CHAN-12: counted before it is sent, so that a crowd gets no more of them than one after another. Throws the code of the kind. */
export async function spendTry({ kv, clock }: Pick<Context, 'kv' | 'clock'>, kind: keyof typeof TRIES, accountId: string): Promise<void> {
  const { tests, seconds, code } = TRIES[kind]
  const { granted, endsAt } = await kv.take(`${kind}:${hashSecret(accountId)}`, 1, tests, seconds, clock.ms())
  if (granted === 0) fail(code, { retryAfter: Math.max(1, Math.ceil((endsAt - clock.ms()) / 1000)) })
}
