import { useLocalStorage } from '@mantine/hooks'
import type { ProtectionSwitches } from '@contentflow/server/wire.ts'
import { useRead } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { PROTECTIONS_PATH } from './paths.ts'

type Undecided = {
  /** An admin has neither turned any on nor said "not now" in this browser; undefined until that is known. */
  isUndecided: boolean | undefined
  decide: () => void
}

/** Whether the protections of this workspace are still to be proposed to this member. */
export function useUndecided(): Undecided {
  const { workspace, mayAdmin } = useSession()
  const [isDecided, setDecided] = useLocalStorage({
    key: `cf.protections-decided.${workspace.id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const isAsked = mayAdmin && !workspace.isSandbox && !isDecided
  const { data, error } = useRead<{ protections: ProtectionSwitches }>(PROTECTIONS_PATH, {}, { when: isAsked })
  const decide = () => setDecided(true)
  // On an error nothing is proposed, because the page is about something else.
  if (!isAsked || error) return { isUndecided: false, decide }
  return { isUndecided: data && Object.values(data.protections).every((isOn) => !isOn), decide }
}
