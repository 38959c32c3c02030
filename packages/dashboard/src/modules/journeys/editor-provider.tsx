import type { Step } from '@contentflow/core/journeys/journey.ts'
import { useMemo, useState, type ReactNode } from 'react'
import { useCalendar } from '../../calendar.ts'
import type { JourneyReport } from './api.ts'
import { findFaults, type JourneyDraft } from './draft/faults.ts'
import { insertStep, newStep, type StepPosition } from './draft/step-tree.ts'
import { EditorContext } from './editor-context.tsx'
import { useWording } from './steps/use-wording.ts'
import { surroundingsOf, useAround } from './use-around.ts'
import type { Edit } from './use-editing.ts'

type ProviderProps = { draft: JourneyDraft; edit: Edit; isLocked: boolean; report: JourneyReport | undefined; children: ReactNode }

/** Shares what every part of the page of a journey needs. */
export function EditorProvider({ draft, edit, isLocked, report, children }: ProviderProps) {
  const around = useAround()
  const { timeZone } = useCalendar()
  const wording = useWording(around)
  const [selected, select] = useState<string>()
  const faults = findFaults(draft, surroundingsOf(around))
  const reports = useMemo(() => new Map(report?.steps.map((step) => [step.step, step])), [report])
  const add = (type: Step['type'], place: StepPosition) => {
    const step = newStep(type, timeZone)
    edit({ ...draft, steps: insertStep(draft.steps, place, step) })
    select(step.id)
  }
  const reportOf = (stepId: string) => reports.get(stepId)
  return (
    <EditorContext value={{ draft, edit, faults, around, wording, selected, select, add, isLocked, report, reportOf }}>
      {children}
    </EditorContext>
  )
}
