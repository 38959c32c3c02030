import { Alert, Badge, Button, Grid, Group, Skeleton, Stack, Tabs } from '@mantine/core'
import { IconHistory, IconUserOff } from '@tabler/icons-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { useUrlChoice } from '../../ui/url-state.ts'
import { pathOf, type Person, type Subject } from './api.ts'
import { ConsentControls } from './consent-controls.tsx'
import { AnswersSection, ReachSection } from './consent-now.tsx'
import { ConsentTimeline } from './consent-timeline.tsx'
import { environmentQuery, useEnvironment, type Environment } from '../../ui/environment.tsx'
import { EnvironmentBadge } from '../../ui/state-badge.tsx'
import { ErasePerson } from './erasures/erase-person.tsx'
import { EventsOfUser } from './events-of-person.tsx'
import { ImportedSection } from './imported-attributes.tsx'
import { JourneysOf } from './journeys-of-person.tsx'
import { MessagesOf } from './messages-of-person.tsx'
import { DevicesSection, TraitsSection, WhoSection } from './identity.tsx'
import type { Reachable } from './reach.ts'
import { ExportPerson } from './requests/export-person.tsx'
import { SegmentsSection } from './segments-of-person.tsx'
import { WhatTheySee } from './what-they-see.tsx'
import { useTexts } from './texts.ts'
import { useMessageTexts } from './texts-messages.ts'

/** Messages leave for people of live apps only, and journeys take no others. */
const TABS_OF_TEST = ['overview', 'consent', 'events'] as const
const TABS = [...TABS_OF_TEST, 'messages', 'journeys'] as const

/** `device`: all that is known of an anonymous person's device. */
export function PersonView({ person, subject, device }: { person: Person; subject: Subject; device?: ReactNode }) {
  const t = useTexts()
  const messages = useMessageTexts()
  const { environment } = subject
  const [tab, setTab] = useUrlChoice('tab', environment === 'live' ? TABS : TABS_OF_TEST, 'overview')
  const title = person.name ?? person.userId ?? t('anonymous')
  return (
    <PersonFrame
      title={title}
      environment={environment}
      beside={<Marks person={person} environment={environment} />}
      actions={
        <>
          <ExportPerson subject={subject} />
          <ErasePerson subject={subject} />
        </>
      }
    >
      {person.erasedAt !== null && <Returned erasedAt={person.erasedAt} back={person.createdAt} />}
      <Tabs value={tab} onChange={setTab} keepMounted={false} styles={{ tab: { paddingInline: 12 } }}>
        <TabsInLine value={tab}>
          <Tabs.Tab value="overview">{t('tabOverview')}</Tabs.Tab>
          <Tabs.Tab value="consent">{t('tabConsent')}</Tabs.Tab>
          <Tabs.Tab value="events">{t('tabEvents')}</Tabs.Tab>
          {environment === 'live' && <Tabs.Tab value="messages">{messages('tab')}</Tabs.Tab>}
          {environment === 'live' && <Tabs.Tab value="journeys">{messages('journeysTab')}</Tabs.Tab>}
        </TabsInLine>
        <Tabs.Panel value="overview" pt="md">
          <Overview person={person} subject={subject} device={device} />
        </Tabs.Panel>
        <Tabs.Panel value="consent" pt="md">
          <Consent person={person} subject={subject} />
        </Tabs.Panel>
        <Tabs.Panel value="events" pt="md">
          <EventsOfUser path={pathOf(subject)} environment={environment} />
        </Tabs.Panel>
        <Tabs.Panel value="messages" pt="md">
          <MessagesOf subject={subject} />
        </Tabs.Panel>
        <Tabs.Panel value="journeys" pt="md">
          <JourneysOf subject={subject} />
        </Tabs.Panel>
      </Tabs>
    </PersonFrame>
  )
}

/** Tabs that stay in one line: where they do not fit, as on phones, they are moved sideways. `value`: the one that is open, which is brought into view. */
function TabsInLine({ value, children }: { value: string | null; children: ReactNode }) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Some browsers return a promise from it, which React would call as the end of the effect.
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [value])
  return (
    <Tabs.List ref={list} style={{ flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }}>
      {children}
    </Tabs.List>
  )
}

/** Without it, an erased person would look as if they had never existed. */
function Returned({ erasedAt, back }: { erasedAt: string; back: string }) {
  const t = useTexts()
  const format = useFormat()
  return (
    <Alert
      color="gray"
      icon={<IconHistory aria-hidden />}
      title={t('returned', { erased: format.date(erasedAt), back: format.moment(back) })}
      maw={720}
    >
      {t('returnedText')}
    </Alert>
  )
}

function Marks({ person: { personalOptOut, suppressed }, environment }: { person: Person; environment: Environment }) {
  const t = useTexts()
  return (
    <Group gap={6}>
      {environment === 'test' && <EnvironmentBadge environment="test" />}
      {personalOptOut && (
        <Badge color="red" variant="light" tt="none" radius="sm">
          {t('optOut')}
        </Badge>
      )}
      {suppressed && (
        <Badge color="orange" variant="light" tt="none" radius="sm">
          {t('suppressed')}
        </Badge>
      )}
    </Group>
  )
}

function Overview({ person, subject, device }: { person: Person; subject: Subject; device: ReactNode }) {
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Stack>
          <WhoSection person={person} />
          <SegmentsSection names={person.segmentNames} subject={subject} />
          <TraitsSection person={person} />
          {person.userId !== null && <ImportedSection subject={subject} />}
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Stack>
          <ReachSection reachable={reachableOf(person)} />
          {device ?? <DevicesSection devices={person.devices} environment={subject.environment} />}
          <WhatTheySee devices={person.devices} environment={subject.environment} />
        </Stack>
      </Grid.Col>
    </Grid>
  )
}

function Consent({ person, subject }: { person: Person; subject: Subject }) {
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, md: 5 }} order={{ base: 1, md: 2 }}>
        <Stack>
          <ReachSection reachable={reachableOf(person)} />
          <AnswersSection deviceId={person.devices[0]?.deviceId} environment={subject.environment} />
          <ConsentControls profile={person} environment={subject.environment} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 7 }} order={{ base: 2, md: 1 }}>
        <ConsentTimeline subject={subject} />
      </Grid.Col>
    </Grid>
  )
}

function reachableOf({ channels, personalOptOut, suppressed, email, phone, devices }: Person): Reachable {
  return { channels, personalOptOut, suppressed, email, phone, hasPush: devices.some(({ pushRegistered }) => pushRegistered) }
}

type FrameProps = { title: string; environment: Environment; beside?: ReactNode; actions?: ReactNode; children: ReactNode }

export function PersonFrame({ title, environment, beside, actions, children }: FrameProps) {
  const t = useTexts()
  const { workspace } = useSession()
  const path = [{ label: t('title'), to: `/w/${workspace.id}/people${environmentQuery(environment)}` }]
  return (
    <Page title={title} path={path} beside={beside} actions={actions}>
      {children}
    </Page>
  )
}

export function LoadingPerson({ title, environment }: { title: string; environment: Environment }) {
  return (
    <PersonFrame title={title} environment={environment}>
      <Skeleton height={44} maw={360} />
      <Skeleton height={360} />
    </PersonFrame>
  )
}

export function NobodyHere({ title, environment }: { title: string; environment: Environment }) {
  const t = useTexts()
  const { workspace } = useSession()
  const [, setEnvironment] = useEnvironment()
  return (
    <EmptyState icon={IconUserOff} title={title} text={t('notFoundText')} isPage>
      <Group justify="center">
        <Button component={Link} to={`/w/${workspace.id}/people${environmentQuery(environment)}`}>
          {t('backToPeople')}
        </Button>
        <Button variant="default" onClick={() => setEnvironment(environment === 'live' ? 'test' : 'live')}>
          {t('otherEnvironment')}
        </Button>
      </Group>
    </EmptyState>
  )
}
