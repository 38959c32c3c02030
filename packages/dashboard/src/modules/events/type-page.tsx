import { Anchor, Button, Group, List, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { useWrite } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { EnvironmentSwitch, useEnvironment } from '../../ui/environment.tsx'
import { LoadedPage } from '../../ui/loaded-page.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { EVENT_TYPES, pathOf, useEventType, type EventType } from './api.ts'
import { StateMark } from './events-page.tsx'
import { LiveTail } from './live-tail.tsx'
import { PropertiesSection } from './properties-section.tsx'
import { EditTypeDialog } from './type-dialog.tsx'
import { useTexts } from './texts.ts'

/** One type of event: what it means, what comes with it, and what apps do differently. Its name may hold anything, so it stands in the query. */
export function EventTypePage() {
  const t = useTexts()
  const { workspace } = useSession()
  const [params] = useSearchParams()
  const [environment, setEnvironment] = useEnvironment()
  const name = params.get('name') ?? ''
  const read = useEventType(name, environment)
  const path = [{ label: t('title'), to: `/w/${workspace.id}/events` }]
  return (
    <LoadedPage read={read} title={name} path={path} failed={t('failed')}>
      {(type) => (
        <Page
          title={type.name}
          path={path}
          beside={<StateMark type={type} />}
          subtitle={type.description !== '' && <bdi>{type.description}</bdi>}
          actions={<Actions type={type} />}
        >
          <Group>
            <EnvironmentSwitch value={environment} onChange={setEnvironment} />
          </Group>
          <About type={type} />
          <PropertiesSection type={type} environment={environment} />
          <Uses type={type} />
          <Section title={t('live')}>
            <LiveTail environment={environment} type={type.name} />
          </Section>
        </Page>
      )}
    </LoadedPage>
  )
}

function Actions({ type }: { type: EventType }) {
  const t = useTexts()
  const { mayEdit, workspace } = useSession()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'edit' | 'remove'>()
  const remove = useWrite(() => ({ method: 'DELETE', path: pathOf(type.name) }), {
    stale: [EVENT_TYPES],
    done: t(type.isDeclared ? 'undeclared' : 'hidden'),
  })
  if (!mayEdit) return null
  const close = () => setOpen(undefined)
  const leave = () => (close(), void navigate(`/w/${workspace.id}/events`))
  return (
    <>
      {!type.isHidden && (
        <Button variant="default" onClick={() => setOpen('remove')}>
          {t(type.isDeclared ? 'undeclare' : 'hide')}
        </Button>
      )}
      <Button onClick={() => setOpen('edit')}>{t(type.isDeclared ? 'edit' : 'declare')}</Button>
      {open === 'edit' && <EditTypeDialog type={type} onClose={close} />}
      <Confirm
        isOpen={open === 'remove'}
        onClose={close}
        onConfirm={() => remove.mutate(undefined, { onSuccess: leave })}
        title={t(type.isDeclared ? 'undeclareTitle' : 'hideTitle')}
        action={t(type.isDeclared ? 'undeclare' : 'hide')}
        isDangerous
        isBusy={remove.isPending}
      >
        {t(type.isDeclared ? 'undeclareText' : 'hideText')}
      </Confirm>
    </>
  )
}

function About({ type }: { type: EventType }) {
  const t = useTexts()
  const format = useFormat()
  const facts = [
    [t('volume'), format.number(type.volume)],
    [t('violations'), format.number(type.violations)],
    [t('owner'), type.owner === '' ? t('none') : <bdi key="owner">{type.owner}</bdi>],
    [t('firstSeen'), type.firstSeen ? <Moment key="first" at={type.firstSeen} /> : t('neverSeen')],
    [t('lastSeen'), type.lastSeen ? <Moment key="last" at={type.lastSeen} /> : t('neverSeen')],
  ] as const
  return (
    <Section title={t('about')}>
      <SimpleGrid cols={{ base: 2, sm: 3, md: 5 }}>
        {facts.map(([label, value]) => (
          <Stack key={label} gap={2}>
            <Text size="xs" c="dimmed">
              {label}
            </Text>
            <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Text>
          </Stack>
        ))}
      </SimpleGrid>
    </Section>
  )
}

function Uses({ type: { uses } }: { type: EventType }) {
  const t = useTexts()
  const { workspace } = useSession()
  const all = [
    ...uses.segments.map((one) => ({ ...one, kind: t('segment'), to: `/w/${workspace.id}/segments/${one.id}` })),
    ...uses.reports.map((one) => ({ ...one, kind: t('report'), to: `/w/${workspace.id}/analysis?view=reports` })),
    ...uses.journeys.map((one) => ({ ...one, kind: t('journey'), to: `/w/${workspace.id}/journeys/${one.id}` })),
  ]
  return (
    <Section title={t('usedBy')}>
      {all.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('usedByNothing')}
        </Text>
      ) : (
        <List size="sm" spacing={4}>
          {all.map(({ id, name, kind, to }) => (
            <List.Item key={to + id}>
              {kind}:{' '}
              <Anchor component={Link} to={to} size="sm">
                <bdi>{name}</bdi>
              </Anchor>
            </List.Item>
          ))}
        </List>
      )}
    </Section>
  )
}
