import type { Step } from '@contentflow/core/journeys/journey.ts'
import { createContext, useContext } from 'react'
import type { JourneyReport } from './api.ts'
import type { Faults, JourneyDraft } from './draft/faults.ts'
import type { StepPosition } from './draft/step-tree.ts'
import type { StepWording } from './steps/step-words.ts'
import type { Around } from './use-around.ts'
import type { Edit } from './use-editing.ts'

/** Selects the trigger as if it were a step. */
export const TRIGGER = 'trigger'

export type StepReport = JourneyReport['steps'][number]

type Editor = {
  draft: JourneyDraft
  edit: Edit
  faults: Faults
  around: Around
  wording: StepWording
  /** Id of a step, or `trigger`. */
  selected: string | undefined
  select: (id: string | undefined) => void
  /** Puts a new step there and selects it. */
  add: (type: Step['type'], place: StepPosition) => void
  /** The journey runs, or the member is a viewer. */
  isLocked: boolean
  report: JourneyReport | undefined
  reportOf: (stepId: string) => StepReport | undefined
}

export const EditorContext = createContext<Editor | undefined>(undefined)

export function useEditor(): Editor {
  const editor = useContext(EditorContext)
  if (!editor) throw new Error('useEditor is for parts of the page of a journey')
  return editor
}
