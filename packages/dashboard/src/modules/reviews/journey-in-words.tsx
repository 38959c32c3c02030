import { Stack, Text } from '@mantine/core'
import { hasBranches, type Step } from '@contentflow/core/journeys/journey.ts'
import type { Journey } from '@contentflow/server/wire.ts'
import { saysNothing } from '../journeys/draft/faults.ts'
import { goalEvent, branchWords, stepSummary, stepTitle, triggerWords, type StepWording } from '../journeys/steps/step-words.ts'
import { useEventTexts } from '../journeys/texts-events.ts'
import { useWording } from '../journeys/steps/use-wording.ts'
import { useAround } from '../journeys/use-around.ts'
import { Fact, MessageFacts } from './facts.tsx'
import { MailFacts } from './mail-facts.tsx'
import { useTexts } from './texts.ts'
import classes from './reviews.module.css'

/** All parts of a journey that an approval covers, as text: its trigger, and every step with its messages, waits and branches. */
export function JourneyInWords({ journey: { trigger, goal, steps, entry, exitOn } }: { journey: Journey }) {
  const t = useTexts()
  const wording = useWording(useAround())
  const { t: words } = wording
  const events = useEventTexts()
  return (
    <Stack gap="sm">
      <Stack gap="xs" component="dl" m={0}>
        <Fact name={words('trigger')}>{triggerWords(trigger, wording)}</Fact>
        {entry && <Fact name={events('policy')}>{events(`policy_${entry.policy}`)}</Fact>}
        {exitOn && <Fact name={events('exits')}>{exitOn.map(({ event }) => event).join(' · ')}</Fact>}
        {goal && (
          <Fact name={words('goal')}>{words('with', { event: goalEvent(goal, words), filters: words('days', { count: goal.days }) })}</Fact>
        )}
      </Stack>
      <Steps steps={steps} label={t('everything')} wording={wording} />
    </Stack>
  )
}

function Steps({ steps, label, wording }: { steps: readonly Step[]; label: string; wording: StepWording }) {
  return (
    <ol className={classes.steps} aria-label={label}>
      {steps.map((step) => (
        <li key={step.id}>
          <Text size="sm" fw={600}>
            {stepTitle(step, wording.t)}
          </Text>
          <StepInWords step={step} wording={wording} />
        </li>
      ))}
    </ol>
  )
}

function StepInWords({ step, wording }: { step: Step; wording: StepWording }) {
  const { t } = wording
  if (step.type === 'send' || step.type === 'in_app') {
    if (step.type === 'send' && step.mail)
      return (
        <Stack gap="xs" component="dl" m={0}>
          <MailFacts mail={step.mail} />
        </Stack>
      )
    const channel = step.type === 'send' ? step.channel : 'in_app'
    const said = Object.entries(step.content).filter(([, message]) => !saysNothing(channel, message))
    if (said.length === 0) return <Text size="sm">{t('noText')}</Text>
    return (
      <Stack gap="xs" component="dl" m={0}>
        {Object.entries(step.content).map(([locale, message]) => (
          <MessageFacts key={locale} locale={locale} content={message} />
        ))}
      </Stack>
    )
  }
  const summary = stepSummary(step, wording)
  return (
    <>
      {summary !== '' && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {summary}
        </Text>
      )}
      {hasBranches(step) &&
        (['then', 'else'] as const).map((branch) => {
          const name = branchWords(step, branch, t)
          return (
            <div key={branch} className={classes.branch}>
              <Text size="xs" fw={600} c="dimmed">
                {name}
              </Text>
              {step[branch].length === 0 ? (
                <Text size="sm" c="dimmed">
                  {t('noStepsYet')}
                </Text>
              ) : (
                <Steps steps={step[branch]} label={name} wording={wording} />
              )}
            </div>
          )
        })}
    </>
  )
}
