import { LIMITS } from '@contentflow/core/limits.ts'
import { SKIP_REASONS } from '@contentflow/core/messages/judge.ts'
import { useFormat } from '../format.ts'
import { useReasonTexts } from './texts-reasons.ts'

/** Why a message was not sent; what a provider said stays in its words. */
export function useReasonWords(): (reason: string) => string {
  const t = useReasonTexts()
  const format = useFormat()
  return (reason) => {
    const known = [
      ...SKIP_REASONS,
      'interrupted' as const,
      'firstMessageLimit' as const,
      'no_endpoint' as const,
      'no_values' as const,
    ].find((each) => each === reason)
    if (known === undefined) return reason
    return t(known, { most: format.number(known === 'capped' ? LIMITS.recipientsPerDispatch : LIMITS.marketingSendsPerDay) })
  }
}
