import { createContext, useContext, useSyncExternalStore, type MouseEvent } from 'react'
import type { Client, Snapshot } from '../types.ts'
import type { Link } from './designs/reading/read-link.ts'
import type { Words } from './designs/reading/words.ts'

/** Settings that the blocks of an app share. */
export type Setup = {
  client: Client
  /** What was known when the provider was drawn first: the same on a server and in the page that takes its drawing over. */
  initial: Snapshot
  /** The origin of pictures whose addresses are paths: that of the client's `baseUrl`. By default the page's own. */
  assetOrigin?: string | undefined
  /** Replaces the designs' built-in words. */
  words?: Words | undefined
  /** A link of any block was pressed, and counted. Prevent the event's default to go there yourself. */
  onLink?: ((link: Link, event: MouseEvent<HTMLAnchorElement>) => void) | undefined
}

export const ContentFlowContext = createContext<Setup | undefined>(undefined)

export function useSetup(): Setup {
  const setup = useContext(ContentFlowContext)
  if (!setup) throw new Error('Put <ContentFlowProvider> around what uses ContentFlow')
  return setup
}

/** The client of the nearest provider. */
export function useClient(): Client {
  return useSetup().client
}

/**
 * Everything the client knows now; the component is drawn again when it is another. On a server, and while the page takes its
 * drawing over, it is what was known at first: a part that is taken over late would not fit its drawing otherwise.
 */
export function useSnapshot(): Snapshot {
  const { client, initial } = useSetup()
  return useSyncExternalStore(client.subscribe, client.snapshot, () => initial)
}
