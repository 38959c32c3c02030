import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconDeviceLaptop } from '@tabler/icons-react'
import { useNavigate } from 'react-router'
import { usePages, useWrite } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSignOut } from '../../../session.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Listing, type Column } from '../../../ui/listing.tsx'
import type { OpenSession } from '../api.ts'
import { browserOf } from './browser-of.ts'
import { useAccountTexts } from './texts-account.ts'

/** The sessions of the member, each of which they can end. */
export function YourSessions() {
  const t = useAccountTexts()
  const sessions = usePages<OpenSession>('/auth/sessions', 'sessions', { limit: 20 })
  const signOut = useSignOut()
  const navigate = useNavigate()
  const end = useWrite<OpenSession>(({ id }) => ({ method: 'DELETE', path: `/auth/sessions/${id}` }), {
    stale: ['/auth/sessions'],
    done: t('sessionEnded'),
  })
  const leave = (session: OpenSession) => (session.isThis ? void signOut().then(() => navigate('/login')) : end.mutate(session))
  return (
    <Listing
      label={t('sessions')}
      pages={sessions}
      idOf={({ id }) => id}
      columns={sessionColumns(t, { onEnd: leave, isEnding: ({ id }) => end.isPending && end.variables.id === id })}
      empty={<EmptyState icon={IconDeviceLaptop} title={t('sessions')} text="" />}
    />
  )
}

type Ending = { onEnd: (session: OpenSession) => void; isEnding: (session: OpenSession) => boolean }

function sessionColumns(t: ReturnType<typeof useAccountTexts>, { onEnd, isEnding }: Ending): Column<OpenSession>[] {
  return [
    { id: 'where', title: t('where'), cell: (session) => <Where session={session} /> },
    { id: 'seen', title: t('lastSeen'), isExtra: true, cell: (session) => <Seen session={session} /> },
    {
      id: 'end',
      title: <span className="cf-visually-hidden">{t('endSession')}</span>,
      align: 'end',
      width: 130,
      cell: (session) => (
        <Button
          size="xs"
          variant="default"
          aria-label={t('endSessionOf', { name: nameOf(t, session) })}
          loading={isEnding(session)}
          onClick={() => onEnd(session)}
        >
          {t('endSession')}
        </Button>
      ),
    },
  ]
}

/** How a session was opened, in words. */
const METHODS = ['pwd', 'otp', 'webauthn', 'sso'] as const

function nameOf(t: ReturnType<typeof useAccountTexts>, { userAgent }: OpenSession): string {
  return browserOf(userAgent) ?? t('unknownProgram')
}

function Where({ session }: { session: OpenSession }) {
  const t = useAccountTexts()
  const format = useFormat()
  const { address, country, isThis } = session
  const methods = METHODS.filter((method) => session.methods.includes(method)).map((method) => t(`by_${method}`))
  return (
    <Stack gap={0}>
      <Group gap="xs">
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{nameOf(t, session)}</bdi>
        </Text>
        {isThis && (
          <Badge variant="light" color="gray" tt="none">
            {t('thisSession')}
          </Badge>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        <bdi>{address}</bdi>
        {country && ` · ${format.country(country)}`}
        {methods.length > 0 && ` · ${methods.join(t('comma'))}`}
      </Text>
      {/* A phone has no room for this column. */}
      <Text size="sm" c="dimmed" hiddenFrom="sm">
        <Seen session={session} />
      </Text>
    </Stack>
  )
}

function Seen({ session }: { session: OpenSession }) {
  const format = useFormat()
  return <time dateTime={session.lastSeenAt}>{format.ago(session.lastSeenAt)}</time>
}
