import type { WebAddress } from '@contentflow/server/wire.ts'
import { useRead } from '../../../data.ts'

export const WEB_ADDRESS = '/settings/web-address'

/** What paths of messages begin with on the web, and where their unsubscribe links lead. */
export function useWebAddress() {
  return useRead<WebAddress>(WEB_ADDRESS)
}
