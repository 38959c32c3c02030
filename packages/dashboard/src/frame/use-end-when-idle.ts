/** Ends the session of a browser at which nobody does anything: open pages go on asking the server, so it cannot tell. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError, call } from '../api.ts'
import { useSession } from '../session.tsx'

/** When somebody last did something, in any tab of this browser. */
const LAST = 'cf.lastActive'
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const
const LOOK_EVERY_MS = 10_000

export function useEndWhenIdle(): void {
  const { sessionIdleMinutes: minutes } = useSession().me
  const client = useQueryClient()
  useEffect(() => {
    if (minutes === undefined) return undefined
    let noted = 0
    const note = () => {
      const now = Date.now()
      if (now - noted < 1_000) return
      noted = now
      localStorage.setItem(LAST, String(now))
    }
    const look = async () => {
      if (Date.now() - Number(localStorage.getItem(LAST)) < minutes * 60_000) return
      const isOver = (error: unknown) => error instanceof ApiError && error.status === 401
      // While the server is away the session stays open: the next look ends it.
      if (!(await call('/auth/session', { method: 'DELETE' }).then(() => true, isOver))) return
      clearInterval(looking)
      // What is asked next is refused, and the page says so, or keeps what was typed under a window to sign in.
      await client.invalidateQueries()
    }
    note()
    const looking = setInterval(() => void look(), LOOK_EVERY_MS)
    for (const sign of SIGNS) addEventListener(sign, note, { passive: true, capture: true })
    return () => {
      clearInterval(looking)
      for (const sign of SIGNS) removeEventListener(sign, note, { capture: true })
    }
  }, [minutes, client])
}
