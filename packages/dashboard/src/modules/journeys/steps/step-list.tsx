import { Text } from '@mantine/core'
import { hasBranches, type Branching, type Step } from '@contentflow/core/journeys/journey.ts'
import { useEditor } from '../editor-context.tsx'
import { useTexts } from '../texts.ts'
import type { Branch, StepPosition } from '../draft/step-tree.ts'
import { AddStep } from './add-step.tsx'
import { branchWords } from './step-words.ts'
import { StepCard, TriggerCard } from './step-card.tsx'
import classes from '../journeys.module.css'

/** The journey as an indented list: on phones, and for people who prefer text. */
export function StepList() {
  const t = useTexts()
  const { draft } = useEditor()
  return (
    <ol className={classes.list} aria-label={t('canvasLabel')}>
      <li>
        <TriggerCard />
      </li>
      <Items steps={draft.steps} />
    </ol>
  )
}

function Items({ steps, parent }: { steps: readonly Step[]; parent?: StepPosition['parent'] }) {
  const { isLocked } = useEditor()
  const place = (index: number): StepPosition => (parent ? { parent, index } : { index })
  return (
    <>
      {steps.map((step, index) => (
        <li key={step.id}>
          {!isLocked && (
            <span className={classes.listPlus}>
              <AddStep place={place(index)} />
            </span>
          )}
          <StepCard step={step} />
          {hasBranches(step) && (
            <>
              <BranchList step={step} branch="then" />
              <BranchList step={step} branch="else" />
            </>
          )}
        </li>
      ))}
      {!isLocked && steps.at(-1)?.type !== 'exit' && (
        <li>
          <span className={classes.listPlus}>
            <AddStep place={place(steps.length)} isWide />
          </span>
        </li>
      )}
    </>
  )
}

function BranchList({ step, branch }: { step: Branching; branch: Branch }) {
  const t = useTexts()
  const { isLocked } = useEditor()
  const name = branchWords(step, branch, t)
  const steps = step[branch]
  return (
    <div className={classes.branch}>
      <Text size="xs" fw={600} c="dimmed">
        {name}
      </Text>
      <ol className={classes.list} aria-label={name}>
        {steps.length === 0 && isLocked && (
          <li>
            <Text size="sm" c="dimmed">
              {t('noStepsYet')}
            </Text>
          </li>
        )}
        <Items steps={steps} parent={{ id: step.id, branch }} />
      </ol>
    </div>
  )
}
