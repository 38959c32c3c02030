import { useEffect, useMemo, type ReactNode } from 'react'
import type { Client } from '../types.ts'
import { ContentFlowContext, type Setup } from './context.ts'

export type ContentFlowProviderProps = Omit<Setup, 'client' | 'initial'> & { client: Client; children?: ReactNode }

/** Gives a client to everything inside; starts it, and stops it when it goes. */
export function ContentFlowProvider({ client, assetOrigin, words, onLink, children }: ContentFlowProviderProps): ReactNode {
  useEffect(() => {
    client.start()
    return () => client.stop()
  }, [client])
  const initial = useMemo(() => client.snapshot(), [client])
  const setup = useMemo(() => ({ client, initial, assetOrigin, words, onLink }), [client, initial, assetOrigin, words, onLink])
  // React 18 knows a context by its provider only.
  return <ContentFlowContext.Provider value={setup}>{children}</ContentFlowContext.Provider>
}
