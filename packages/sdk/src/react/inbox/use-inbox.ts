import { useSyncExternalStore } from 'react'
import { inbox, type Inbox, type InboxSnapshot } from '../../inbox.ts'
import { useClient } from '../context.ts'

/** The inbox of the person, read while a component uses it, and what may be done in it. */
export function useInbox(): InboxSnapshot & Pick<Inbox, 'more' | 'markRead' | 'archive' | 'readAll' | 'click'> {
  const of = inbox(useClient())
  const snapshot = useSyncExternalStore(of.subscribe, of.snapshot, of.snapshot)
  const { more, markRead, archive, readAll, click } = of
  return { ...snapshot, more, markRead, archive, readAll, click }
}
