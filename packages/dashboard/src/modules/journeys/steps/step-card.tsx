import { Group, Text, ThemeIcon, UnstyledButton } from '@mantine/core'
import {
  IconAlertCircle,
  IconArrowsSplit2,
  IconBell,
  IconBrandWhatsapp,
  IconClock,
  IconClockHour9,
  IconDeviceMobile,
  IconDoorExit,
  IconHourglass,
  IconMail,
  IconMessage,
  IconPlayerPlay,
  IconSitemap,
  IconUserEdit,
  IconWebhook,
  type Icon,
} from '@tabler/icons-react'
import type { Step } from '@contentflow/core/journeys/journey.ts'
import { isStopping, type Fault } from '../draft/faults.ts'
import { TRIGGER, useEditor } from '../editor-context.tsx'
import { CountsOf, EnteredCount } from '../report/counts.tsx'
import { useFaultTexts } from '../texts-faults.ts'
import { useTexts } from '../texts.ts'
import { stepSummary, stepTitle, triggerWords } from './step-words.ts'
import classes from '../journeys.module.css'

const CHANNEL_ICONS = { push: IconBell, email: IconMail, sms: IconMessage, whatsapp: IconBrandWhatsapp, in_app: IconDeviceMobile } as const

function iconOf(step: Step): { icon: Icon; color: string } {
  switch (step.type) {
    case 'wait':
      return { icon: IconClock, color: 'gray' }
    case 'wait_until':
      return { icon: IconClockHour9, color: 'gray' }
    case 'wait_for':
      return { icon: IconHourglass, color: 'violet' }
    case 'split':
      return { icon: IconArrowsSplit2, color: 'violet' }
    case 'send':
      return { icon: CHANNEL_ICONS[step.channel], color: 'teal' }
    case 'in_app':
      return { icon: IconDeviceMobile, color: 'teal' }
    case 'webhook':
      return { icon: IconWebhook, color: 'blue' }
    case 'update_profile':
      return { icon: IconUserEdit, color: 'blue' }
    case 'condition':
      return { icon: IconSitemap, color: 'violet' }
    case 'exit':
      return { icon: IconDoorExit, color: 'orange' }
    default:
      return step satisfies never
  }
}

export function StepCard({ step }: { step: Step }) {
  const { wording } = useEditor()
  return (
    <Card id={step.id} {...iconOf(step)} title={stepTitle(step, wording.t)} summary={stepSummary(step, wording)}>
      <CountsOf step={step} />
    </Card>
  )
}

export function TriggerCard() {
  const t = useTexts()
  const { draft, wording } = useEditor()
  return (
    <Card id={TRIGGER} icon={IconPlayerPlay} color="blue" title={t('trigger')} summary={triggerWords(draft.trigger, wording)}>
      <EnteredCount />
    </Card>
  )
}

type CardProps = { id: string; icon: Icon; color: string; title: string; summary: string; children: React.ReactNode }

function Card({ id, icon: Picture, color, title, summary, children }: CardProps) {
  const { selected, select, faults } = useEditor()
  const found = faults.get(id) ?? []
  return (
    <UnstyledButton
      className={`${classes.card} nopan`}
      data-step={id}
      data-selected={selected === id || undefined}
      data-fault={found.length === 0 ? undefined : found.some(isStopping) ? 'stops' : 'notes'}
      aria-pressed={selected === id}
      onClick={() => select(selected === id ? undefined : id)}
    >
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <ThemeIcon size={28} variant="light" color={color} radius="md">
          <Picture size={16} aria-hidden />
        </ThemeIcon>
        <span className={classes.cardWords}>
          <Text size="sm" fw={600} component="span" truncate>
            {title}
          </Text>
          <Text size="xs" c="dimmed" component="span" truncate>
            <bdi>{summary}</bdi>
          </Text>
        </span>
        {found.length > 0 && <FaultMark faults={found} />}
      </Group>
      <span className={classes.counts}>{children}</span>
    </UnstyledButton>
  )
}

function FaultMark({ faults }: { faults: readonly Fault[] }) {
  const t = useFaultTexts()
  return (
    <>
      <IconAlertCircle size={18} aria-hidden className={classes.faultMark} />
      <span className="cf-visually-hidden">{t('problems', { count: faults.length })}</span>
    </>
  )
}
