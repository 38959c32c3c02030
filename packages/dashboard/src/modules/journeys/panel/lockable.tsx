import type { ReactNode } from 'react'
import { useEditor } from '../editor-context.tsx'
import classes from '../journeys.module.css'

/** Fields that can only be read while the journey runs, or by whoever may only look. */
export function Lockable({ children }: { children: ReactNode }) {
  const { isLocked } = useEditor()
  return (
    <fieldset disabled={isLocked} className={classes.fields}>
      {children}
    </fieldset>
  )
}
