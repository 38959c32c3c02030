import { isMachineName } from '@contentflow/core/messages/responses/hit.ts'
import { GenerationalCache } from '../../infra/cache/generational-cache.ts'

/** Names that are remembered; longer ones are of nobody who comes twice. */
const [NAMES, LONGEST] = [2_000, 400]

/** `isMachineName`, which looks for dozens of words, asked once for each of the names that browsers share. */
export function openKnownAgents(): (agent: string) => boolean {
  const known = new GenerationalCache<string, boolean>(NAMES)
  return (agent) => {
    if (agent.length > LONGEST) return isMachineName(agent)
    const before = known.get(agent)
    if (before !== undefined) return before
    const isMachine = isMachineName(agent)
    known.set(agent, isMachine)
    return isMachine
  }
}
