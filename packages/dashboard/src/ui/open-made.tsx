import { useState } from 'react'
import { Navigate } from 'react-router'
import { writeKept } from '../kept-work.ts'
import { useSession } from '../session.tsx'

type OpenMadeProps = {
  to: string
  /** What was made, as its page names it in what the browser keeps. */
  thing: string
  /** What was typed while it was being made, as its page keeps it; undefined: nothing. */
  work: unknown
}

/** Opens the page of what was made just now, with whatever was typed meanwhile. */
export function OpenMade({ to, thing, work }: OpenMadeProps) {
  const { me, workspace } = useSession()
  // Written before the other page is there to read it.
  useState(() => work !== undefined && writeKept({ workspaceId: workspace.id, userId: me.user.userId, thing }, work))
  return <Navigate to={to} relative="path" replace />
}
