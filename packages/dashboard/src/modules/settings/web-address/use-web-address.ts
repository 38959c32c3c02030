import type { WebAddress } from '@contentflow/server/wire.ts'
import { useRead } from '../../../data.ts'

export const WEB_ADDRESS = '/settings/web-address'

/** The web address that completes paths in messages, and the target of their unsubscribe links. */
export function useWebAddress() {
  return useRead<WebAddress>(WEB_ADDRESS)
}
