import { useState } from 'react'
import { Navigate } from 'react-router'
import { writeKept } from '../kept-work.ts'
import { useSession } from '../session.tsx'

type OpenMadeProps = {
  to: string
  /** The new thing, by the name under which its page keeps work in the browser. */
  thing: string
  /** Changes made while it was being created, as its page keeps them; undefined: none. */
  work: unknown
}

/** Opens the page of what was made just now, with whatever was typed meanwhile. */
export function OpenMade({ to, thing, work }: OpenMadeProps) {
  const { me, workspace } = useSession()
  // Written before the other page is there to read it.
  useState(() => work !== undefined && writeKept({ workspaceId: workspace.id, userId: me.user.userId, thing }, work))
  return <Navigate to={to} relative="path" replace />
}
