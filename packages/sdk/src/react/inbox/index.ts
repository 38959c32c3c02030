export type { Inbox as InboxOfClient, InboxItem, InboxSnapshot } from '../../inbox.ts'
export { Inbox, InboxBell, type InboxBellProps } from './inbox.tsx'
export { useInbox } from './use-inbox.ts'
