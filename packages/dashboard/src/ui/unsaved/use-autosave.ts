import { useEffect, useEffectEvent, useRef } from 'react'

/** Milliseconds without a change after which a draft saves itself. */
const AFTER_MS = 3_000

/**
 * Saves a draft by itself while somebody writes. `work`: a text that is another one after each change; undefined: there is
 * nothing to save now. `version`: what it is on top of. `save` says whether it was sent; the same is not sent twice.
 */
export function useAutosave(work: string | undefined, version: number | undefined, save: () => boolean): void {
  const sent = useRef<string>(undefined)
  const saveLatest = useEffectEvent(save)
  useEffect(() => {
    if (work === undefined || work === sent.current) return undefined
    const timer = setTimeout(() => {
      if (saveLatest()) sent.current = work
    }, AFTER_MS)
    return () => clearTimeout(timer)
  }, [work, version])
}
