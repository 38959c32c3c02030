/** Who is signed in and which workspace they are in. The workspace is part of every address: `/w/<id>/…`. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useMemo, type ReactNode } from 'react'
import { useParams } from 'react-router'
import type { Installation, Me, Membership } from '@contentflow/server/wire.ts'
import { call } from './api.ts'
import { dropKeptOf } from './kept-work.ts'
import { giveUpUnsaved } from './unsaved.ts'

export type { Me }
export type Workspace = Membership
export type Role = Membership['role']

export const ME = ['me']
const LAST_WORKSPACE = 'cf.workspace'

export const ME_QUERY = queryOptions({
  queryKey: ME,
  queryFn: async ({ signal }) => (await call<Me>('/auth/me', { signal })).data,
  staleTime: 60_000,
})

export function useMe() {
  return useQuery(ME_QUERY)
}

/** The features of this installation; also known to visitors who are not signed in. */
export function useInstallation(): Installation | undefined {
  const { data } = useQuery({
    queryKey: ['installation'],
    queryFn: async ({ signal }) => (await call<Installation>('/auth/installation', { signal })).data,
    staleTime: 60_000,
  })
  return data
}

export const SessionContext = createContext<{ me: Me; workspace: Workspace } | undefined>(undefined)

/** For pages inside a workspace: the signed-in person, the workspace, and what the role allows. */
export function useSession() {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession is for pages inside a workspace')
  const { role, permissions, canApprove } = session.workspace
  // With a role of the workspace's own pages offer what any of its permissions may write; the server says what is not allowed.
  const mayEdit = role !== 'viewer' || (permissions?.some((each) => /:(write|publish|launch|activate|send|manage)$/.test(each)) ?? false)
  return { ...session, mayEdit, mayAdmin: role === 'admin', mayApprove: canApprove }
}

export function SessionProvider({ me, children, otherwise }: { me: Me; children: ReactNode; otherwise: ReactNode }) {
  const { workspaceId } = useParams()
  const workspace = me.workspaces.find(({ id }) => id === workspaceId)
  const session = useMemo(() => workspace && { me, workspace }, [me, workspace])
  if (!session) return otherwise
  localStorage.setItem(LAST_WORKSPACE, session.workspace.id)
  return <SessionContext value={session}>{children}</SessionContext>
}

export function firstWorkspace(me: Me): Workspace | undefined {
  const last = localStorage.getItem(LAST_WORKSPACE)
  return me.workspaces.find(({ id }) => id === last) ?? me.workspaces[0]
}

/** Tells every tab of this browser that the session has ended, and who is signed in then. */
const tabs = new BroadcastChannel('cf.session')

/** Called once somebody has signed in. */
export function tellSignedIn(userId: string): void {
  tabs.postMessage(userId)
}

export function useSignOut() {
  const client = useQueryClient()
  return async (everywhere = false) => {
    const me = client.getQueryData<Me>(ME)
    const { data } = await call<{ signOutUrl?: string }>('/auth/session', {
      method: 'DELETE',
      query: { everywhere: everywhere || undefined },
    })
    if (me) dropKeptOf(me.user.userId)
    giveUpUnsaved()
    tabs.postMessage(SIGNED_OUT)
    client.clear()
    if (data.signOutUrl === undefined) return
    location.assign(data.signOutUrl)
    // The browser goes on at the provider; whoever asked has nothing more to do here.
    await new Promise(() => undefined)
  }
}

const SIGNED_OUT = 'signed-out'

/** Listens to other tabs. `onIn` gets the id of the user who signed in there. */
export function watchOtherTabs(onOut: () => void, onIn: (userId: string) => void): void {
  tabs.addEventListener('message', ({ data }) => (data === SIGNED_OUT ? onOut() : onIn(String(data))))
}
