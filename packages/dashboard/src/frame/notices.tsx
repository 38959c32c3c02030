import { useNotifications } from '@mantine/notifications'
import { useEffect, useState } from 'react'

export const loadNotices = async () => (await import('./shown-notices.tsx')).ShownNotices

/** What is told at the edge of the window. It is loaded with the first of them, which waits for it. */
export function Notices() {
  const { notifications } = useNotifications()
  const [Shown, setShown] = useState<Awaited<ReturnType<typeof loadNotices>>>()
  const count = notifications.length
  useEffect(() => {
    if (count === 0) return
    // Where it cannot be loaded, the next one tries again.
    void loadNotices().then(
      (shown) => setShown(() => shown),
      () => undefined,
    )
  }, [count])
  return Shown && <Shown />
}
