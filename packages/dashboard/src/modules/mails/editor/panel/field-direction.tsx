import type { ReactNode } from 'react'

/** A field of which both the words and the button at its end are of a direction of their own. */
export const fromLeft = (input: ReactNode) => <div dir="ltr">{input}</div>
export const fromRight = (input: ReactNode) => <div dir="rtl">{input}</div>
