import type { ReactNode } from 'react'
import { useEditor } from '../editor-context.tsx'
import classes from '../journeys.module.css'

/** Fields that are read-only while the journey runs, and for viewers. */
export function Lockable({ children }: { children: ReactNode }) {
  const { isLocked } = useEditor()
  return (
    <fieldset disabled={isLocked} className={classes.fields}>
      {children}
    </fieldset>
  )
}
