import { similarity } from '@contentflow/core/strings/similarity.ts'
import { trackersOf } from '@contentflow/core/behaviour/tracker.ts'
import type { Rule } from '@contentflow/core/targeting/rule.ts'
import { cutText } from '@contentflow/core/cut-text.ts'
import type { Context } from '../../context.ts'
import { listSeenTypes } from './queries-histories.ts'

/** From here a name is more likely a slip than another name. */
const LEAST_ALIKE = 0.5

/** Types that rules name and no app has reported yet: the list is open, so they are taken. */
export async function warnOfTypes({ db }: Context, workspaceId: string, rules: readonly Rule[]): Promise<string[]> {
  const named = [...new Set([...trackersOf(rules).values()].map(({ type }) => type))]
  if (named.length === 0) return []
  const seen = await listSeenTypes(db, workspaceId)
  return named
    .filter((type) => !seen.includes(type))
    .map((type) => {
      const [best] = seen.map((each) => ({ each, alike: similarity(type, each) })).sort((a, b) => b.alike - a.alike)
      const hint = best && best.alike >= LEAST_ALIKE ? `; did you mean ${cutText(best.each, 100)}?` : ''
      return `No event of type ${cutText(type, 100)} was seen${hint || '.'}`
    })
}
