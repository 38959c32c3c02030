import { Alert, Anchor, Button, Group, Progress, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useWrite } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { CopyField } from '../../ui/fields/copy-field.tsx'
import { Section } from '../../ui/section.tsx'
import { instancePath, NEW_TYPE, typePath, type Summary } from '../content/api.ts'
import { CommandField } from './command-field.tsx'
import { readCommand, registerCommand, STEPS, type Step } from './first-steps.ts'
import { useTexts } from './texts.ts'
import type { Steps } from './use-first-steps.ts'
import classes from './home.module.css'

const KeysStep = lazy(async () => ({ default: (await import('./keys-step.tsx')).KeysStep }))

/** Keys whose texts are known because they were made on this page a moment ago. */
type MadeKeys = { app?: string; write?: string }

type FirstStepsProps = { steps: Steps; instances: Summary[]; /** Without it the start is all there is to show. */ onHide?: () => void }

/** The five steps from an empty workspace to something live; each knows whether it is done. */
export function FirstSteps({ steps: { done, next }, instances, onHide }: FirstStepsProps) {
  const t = useTexts()
  const format = useFormat()
  const { mayEdit } = useSession()
  const making = useMakeKeys()
  const { keys } = making
  const count = STEPS.filter((step) => done[step]).length
  const bodies: Record<Step, ReactNode> = {
    keys: (
      <Suspense>
        <KeysStep make={making.make} isBusy={making.isBusy} error={making.error} />
      </Suspense>
    ),
    types: <TypesStep writeKey={keys.write} />,
    fill: <InstanceStep action={t('fillAction')} instance={instances[0]} />,
    publish: <InstanceStep action={t('publishAction')} instance={instances.find(({ label }) => label !== null)} />,
    see: <SeeStep appKey={keys.app} />,
  }
  return (
    <Section
      title={t('startTitle')}
      aside={
        onHide && (
          <Button variant="subtle" size="compact-sm" onClick={onHide}>
            {t('hide')}
          </Button>
        )
      }
    >
      <Stack gap="lg" maw={760}>
        <div>
          <Text size="sm" c="dimmed" mb="xs">
            {t('startLead')} {t('progress', { done: format.number(count), all: format.number(STEPS.length) })}
          </Text>
          <Progress value={(count / STEPS.length) * 100} aria-label={t('progress', { done: count, all: STEPS.length })} />
        </div>
        {!mayEdit && (
          <Alert color="gray" variant="light">
            {t('viewerNote')}
          </Alert>
        )}
        <ol className={classes.steps}>
          {STEPS.map((step, index) => (
            <li key={step} aria-current={step === next ? 'step' : undefined}>
              <Group align="flex-start" wrap="nowrap" gap="sm">
                <ThemeIcon radius="xl" size={30} variant={done[step] || step === next ? 'filled' : 'default'}>
                  {done[step] ? <IconCheck size={18} aria-label={t('done')} role="img" /> : format.number(index + 1)}
                </ThemeIcon>
                <Stack gap={6} style={{ flex: 1, minWidth: 0 }}>
                  <Title order={3} c={done[step] ? 'dimmed' : undefined} mt={3}>
                    {t(`step_${step}`)}
                  </Title>
                  {!done[step] && (
                    <Text size="sm" c="dimmed">
                      {t(`step_${step}Text`)}
                    </Text>
                  )}
                  {/* New keys are shown until they were copied. */}
                  {step === 'keys' && <ShownKeys keys={keys} />}
                  {step === next && mayEdit && bodies[step]}
                </Stack>
              </Group>
            </li>
          ))}
        </ol>
      </Stack>
    </Section>
  )
}

/** Makes an app key and a write key. Held by the whole section: the step itself goes away as soon as both are there. */
function useMakeKeys() {
  const [keys, setKeys] = useState<MadeKeys>({})
  const stale = ['/settings']
  const app = useWrite<void, { key: string }>(
    () => ({ path: '/settings/sdk-keys', method: 'POST', body: { kind: 'publishable', environment: 'live', name: 'App' } }),
    { stale, showsError: true },
  )
  const write = useWrite<void, { key: string }>(
    () => ({ path: '/settings/write-keys', method: 'POST', body: { name: 'Build pipeline' } }),
    { stale, showsError: true },
  )
  const makeWriteKey = () => write.mutate(undefined, { onSuccess: ({ key }) => setKeys((before) => ({ ...before, write: key })) })
  return {
    keys,
    isBusy: app.isPending || write.isPending,
    error: app.error ?? write.error,
    /** After a failure only the missing parts are created. */
    make: (andThen: () => void) => {
      if (keys.app) return makeWriteKey()
      app.mutate(undefined, {
        onSuccess: ({ key }) => {
          setKeys({ app: key })
          andThen()
          makeWriteKey()
        },
      })
    },
  }
}

function ShownKeys({ keys: { app, write } }: { keys: MadeKeys }) {
  const t = useTexts()
  if (!app && !write) return null
  return (
    <Alert color="blue" variant="light" title={t('keysOnce')}>
      <Stack gap={4}>
        {app && (
          <div>
            <Text size="sm">{t('appKey')}</Text>
            <CopyField value={app} label={t('appKey')} />
          </div>
        )}
        {write && (
          <div>
            <Text size="sm">{t('writeKey')}</Text>
            <CopyField value={write} label={t('writeKey')} />
          </div>
        )}
      </Stack>
    </Alert>
  )
}

function TypesStep({ writeKey }: { writeKey: string | undefined }) {
  const t = useTexts()
  const { workspace } = useSession()
  return (
    <Stack gap="xs" align="flex-start">
      {!writeKey && <Text size="sm">{t('typesKeyMissing')}</Text>}
      <CommandField value={registerCommand(location.origin, writeKey)} />
      <Anchor component={Link} to={typePath(workspace.id, NEW_TYPE)} size="sm">
        {t('byForm')}
      </Anchor>
    </Stack>
  )
}

function InstanceStep({ action, instance }: { action: string; instance: Summary | undefined }) {
  const { workspace } = useSession()
  const to = instance ? instancePath(workspace.id, instance.blockKey, instance.id) : `/w/${workspace.id}/content?new=instance`
  return (
    <div>
      <Button component={Link} to={to}>
        {action}
      </Button>
    </div>
  )
}

function SeeStep({ appKey }: { appKey: string | undefined }) {
  const t = useTexts()
  const { workspace } = useSession()
  // The shop of the demo workspace says itself with which key it reads, and keys begin with their workspace.
  const shop = useQuery({
    queryKey: ['demo-shop'],
    queryFn: async ({ signal }) => {
      const answer = await fetch('/demo/shop/config.json', { signal })
      return answer.ok ? ((await answer.json()) as { key: string | null }).key : null
    },
    staleTime: Infinity,
    retry: false,
  }).data
  const isOwnShop = shop?.startsWith(`${workspace.id}_`) ?? false
  return (
    <Stack gap="xs" align="flex-start">
      {isOwnShop && (
        <Button component="a" href="/demo/shop/" target="_blank">
          {t('openShop')}
        </Button>
      )}
      <CommandField value={readCommand(location.origin, appKey ?? (isOwnShop ? (shop ?? undefined) : undefined))} />
    </Stack>
  )
}
