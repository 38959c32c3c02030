import { Select, Stack, Text } from '@mantine/core'
import { SEND_CHANNELS } from '@contentflow/core/campaigns/campaign.ts'
import type { Step } from '@contentflow/core/journeys/journey.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { replaceStep } from '../draft/step-tree.ts'
import { useEditor } from '../editor-context.tsx'
import { RulesInWords } from '../../segments/rules/rules-in-words.tsx'
import { useTexts } from '../texts.ts'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { TopicChoice } from '../../../ui/topics/topic-choice.tsx'
import { ConditionFields } from './condition-fields.tsx'
import { ContentFields } from './content-fields.tsx'
import { DesignedMail } from './designed-mail.tsx'
import { DurationFields } from './duration-fields.tsx'
import { Lockable } from './lockable.tsx'
import { WaitForFields } from './event-fields.tsx'
import { UntilFields } from './until-fields.tsx'
import { UpdateFields } from './update-fields.tsx'
import { WebhookFields } from './webhook-fields.tsx'

export function StepFields({ step }: { step: Step }) {
  const t = useTexts()
  const { draft, edit, isLocked } = useEditor()
  const change = (next: Step, mark?: string) =>
    edit({ ...draft, steps: replaceStep(draft.steps, next) }, mark === undefined ? undefined : `${step.id} ${mark}`)
  switch (step.type) {
    case 'wait':
      return (
        <Lockable>
          <DurationFields label={t('duration')} minutes={step.minutes} onChange={(minutes) => change({ ...step, minutes }, 'minutes')} />
        </Lockable>
      )
    case 'wait_until':
      return (
        <Lockable>
          <UntilFields step={step} onChange={change} />
        </Lockable>
      )
    case 'wait_for':
      return (
        <Lockable>
          <WaitForFields step={step} onChange={change} />
        </Lockable>
      )
    case 'split':
      return (
        <Lockable>
          <NumberField
            label={t('percent')}
            description={t('percentHelp')}
            value={step.percent}
            onChange={(value) => change({ ...step, percent: value ?? Number.NaN }, 'percent')}
            min={LIMITS.journeySplitPercent.min}
            max={LIMITS.journeySplitPercent.max}
            suffix="%"
            isWhole
            isNeeded
          />
        </Lockable>
      )
    case 'send':
      return (
        <Stack gap="sm">
          <Lockable>
            <Select
              label={t('channel')}
              data={SEND_CHANNELS.map((value) => ({ value, label: t(`channel_${value}`) }))}
              value={step.channel}
              onChange={(value) => change(withChannel(step, SEND_CHANNELS.find((each) => each === value) ?? step.channel))}
              allowDeselect={false}
            />
          </Lockable>
          <Lockable>
            <TopicChoice
              value={step.topic}
              onChange={(topic) => {
                const { topic: _former, ...rest } = step
                change(topic === undefined ? rest : { ...rest, topic })
              }}
              channels={[step.channel]}
            />
          </Lockable>
          {step.mail ? (
            <DesignedMail mail={step.mail} onRemove={() => change(withoutMail(step))} />
          ) : (
            <ContentFields kind={step.channel} content={step.content} onChange={(content, mark) => change({ ...step, content }, mark)} />
          )}
        </Stack>
      )
    case 'in_app':
      return <ContentFields kind="in_app" content={step.content} onChange={(content, mark) => change({ ...step, content }, mark)} />
    case 'webhook':
      return (
        <Lockable>
          <WebhookFields step={step} onChange={change} />
        </Lockable>
      )
    case 'update_profile':
      return (
        <Lockable>
          <UpdateFields step={step} onChange={change} />
        </Lockable>
      )
    case 'condition':
      return isLocked ? <RulesInWords {...step.rule} /> : <ConditionFields step={step} onChange={change} />
    case 'exit':
      return <Text size="sm">{t('exitText')}</Text>
    default:
      return step satisfies never
  }
}

type SendStep = Extract<Step, { type: 'send' }>

/** Only email carries a mail of sections. */
function withChannel(step: SendStep, channel: SendStep['channel']): SendStep {
  return { ...(channel === 'email' ? step : withoutMail(step)), channel }
}

function withoutMail({ id, type, channel, content }: SendStep): SendStep {
  return { id, type, channel, content }
}
