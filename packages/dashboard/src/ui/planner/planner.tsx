import { Button, Collapse, SimpleGrid, Skeleton, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconCalculator } from '@tabler/icons-react'
import { useId, useState } from 'react'
import type { ExperimentPlan } from '@contentflow/server/wire.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api.ts'
import { useWrite } from '../../data.ts'
import { useSession } from '../../session.tsx'
import { useFormat } from '../../format.ts'
import { NumberField } from '../fields/number-field.tsx'
import { usePlannerTexts } from './texts.ts'

/** Percentages, and devices a day. */
type Typed = { baseline: number | undefined; effect: number | undefined; daily: number | undefined }
type Planned = ExperimentPlan & { effect: number }

/** What is known of it so far: the share that does it, and devices a day. */
type Known = { baseline: number; daily: number }
/** `recent`: nothing yet, so what the workspace's own campaigns of the last 30 days say. */
type PlannerProps = { variants: number; known?: Known | 'recent' | undefined }

/** How many devices a comparison of so many variants needs, and about how many days that takes; folded until it is asked for. */
export function Planner({ variants, known }: PlannerProps) {
  const t = usePlannerTexts()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <Stack gap="xs">
      <UnstyledButton
        onClick={() => setOpen(!isOpen)}
        aria-expanded={isOpen}
        aria-controls={id}
        fz="sm"
        fw={600}
        c="var(--mantine-color-anchor)"
      >
        <IconCalculator size={16} aria-hidden style={{ verticalAlign: 'text-bottom', marginInlineEnd: 6 }} />
        {t('title')}
      </UnstyledButton>
      <Collapse expanded={isOpen} id={id}>
        {isOpen && known === 'recent' && <RecentForm variants={variants} />}
        {isOpen && known !== 'recent' && <PlannerForm key={known ? 'known' : 'unknown'} variants={variants} known={known} />}
      </Collapse>
    </Stack>
  )
}

function RecentForm({ variants }: { variants: number }) {
  const { workspace } = useSession()
  const recent = useQuery({
    queryKey: [workspace.id, '/experiments/plan', 'recent'],
    queryFn: async ({ signal }) => {
      // Any effect: only what is known is looked at.
      const body = { subject: {}, relativeEffect: 0.01 }
      return (await call<ExperimentPlan>('/experiments/plan', { method: 'POST', body, workspaceId: workspace.id, signal })).data
    },
    retry: false,
    refetchOnWindowFocus: false,
  })
  if (recent.isPending) return <Skeleton h={120} />
  const { baseline, dailyUnits = null } = recent.data ?? {}
  const known = baseline !== undefined && dailyUnits !== null ? { baseline, daily: Math.max(1, dailyUnits) } : undefined
  return <PlannerForm variants={variants} known={known} isRecent={known !== undefined} />
}

type FormProps = { variants: number; known: Known | undefined; isRecent?: boolean }

function PlannerForm({ variants, known, isRecent = false }: FormProps) {
  const t = usePlannerTexts()
  const [typed, setTyped] = useState<Typed>(() => ({
    baseline: known ? Math.round(known.baseline * 1_000) / 10 : 5,
    effect: 20,
    daily: known && Math.round(known.daily),
  }))
  const set = (part: Partial<Typed>) => setTyped({ ...typed, ...part })
  const plan = useWrite<Typed & { baseline: number; effect: number }, ExperimentPlan>(
    ({ baseline, effect, daily }) => ({
      method: 'POST',
      path: '/experiments/plan',
      body: { baseline: baseline / 100, relativeEffect: effect / 100, variants, ...(daily !== undefined && { dailyUnits: daily }) },
    }),
    { stale: [] },
  )
  const { baseline, effect, daily } = typed
  const isRight = baseline !== undefined && baseline > 0 && baseline < 100 && effect !== undefined && effect >= 0.1 && effect <= 1_000
  const isWhole = daily === undefined || daily >= 1
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('text')} {isRecent && t('recent')}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <NumberField
          label={t('baseline')}
          description={t('baselineHelp')}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          value={baseline}
          onChange={(next) => set({ baseline: next })}
          min={0.01}
          max={99.99}
          suffix="%"
          isNeeded
        />
        <NumberField
          label={t('effect')}
          description={t('effectHelp')}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          value={effect}
          onChange={(next) => set({ effect: next })}
          min={0.1}
          max={1_000}
          suffix="%"
          isNeeded
        />
        <NumberField
          label={t('daily')}
          description={t('dailyHelp')}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          value={daily}
          onChange={(next) => set({ daily: next })}
          min={1}
          max={1_000_000_000}
          isWhole
        />
      </SimpleGrid>
      <div>
        <Button
          size="xs"
          variant="default"
          disabled={!isRight || !isWhole}
          loading={plan.isPending}
          onClick={() => isRight && plan.mutate({ baseline, effect, daily })}
        >
          {t('work')}
        </Button>
      </div>
      <div role="status">{plan.data && plan.variables && <Said plan={{ ...plan.data, effect: plan.variables.effect / 100 }} />}</div>
    </Stack>
  )
}

function Said({ plan: { baseline, effect, perVariant, total, days, smallestIn14Days } }: { plan: Planned }) {
  const t = usePlannerTexts()
  const format = useFormat()
  const [from, to] = [format.percent(baseline), format.percent(baseline * (1 + effect))]
  const smallest = smallestIn14Days === null ? t('smallestNone') : t('smallest', { effect: format.percent(smallestIn14Days) })
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {t('needs', { from, to, each: format.number(perVariant), total: format.number(total) })}
        {days !== null && ` ${t('days', { count: days, number: format.number(days) })} ${smallest}`}
      </Text>
      <Text size="xs" c="dimmed">
        {t('how')}
      </Text>
    </Stack>
  )
}
