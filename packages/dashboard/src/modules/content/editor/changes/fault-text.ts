import type { Fault } from './faults.ts'
import { useTexts } from '../texts.ts'

/** Says what is wrong and what to do about it. */
export function useFaultText(): (fault: Fault) => string {
  const t = useTexts()
  return ({ problem, limit = 0 }) => t(`fault_${problem}`, { limit })
}
