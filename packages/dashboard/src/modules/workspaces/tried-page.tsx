import { Card, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import type { Role } from '../../session.tsx'
import { Door } from './door.tsx'
import { useProviderTexts } from './texts-provider.ts'

type Trial = {
  provider: { name: string }
  subject: string
  email: string | null
  isEmailVerified: boolean
  name: string
  groups: string[]
  granted: { workspaceId: string; role: Role; canApprove: boolean }[]
}

/** What a provider says of whoever tried it. It stands behind `#`, so it reached no server; it is only shown. */
export function TriedPage() {
  const t = useProviderTexts()
  const { hash } = useLocation()
  const trial = readTrial(hash.slice(1))
  useDocumentTitle(`${t('triedTitle')} · ContentFlow`)
  return (
    <Door>
      <Card withBorder padding="lg">
        <Stack>
          <Title order={1}>{t('triedTitle')}</Title>
          {trial ? <Result trial={trial} /> : <Text size="sm">{t('triedOdd')}</Text>}
        </Stack>
      </Card>
    </Door>
  )
}

function Result({ trial }: { trial: Trial }) {
  const t = useProviderTexts()
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('triedLead', { name: trial.provider.name })}
      </Text>
      <Fact name={t('subject')}>
        <bdi className="cf-code">{trial.subject}</bdi>
      </Fact>
      {trial.email !== null && (
        <Fact name={t('email')}>
          <bdi>{trial.email}</bdi> ({t(trial.isEmailVerified ? 'verified' : 'unverified')})
        </Fact>
      )}
      {trial.name !== '' && (
        <Fact name={t('person')}>
          <bdi>{trial.name}</bdi>
        </Fact>
      )}
      <Fact name={t('groups')}>
        {trial.groups.length === 0
          ? t('noGroups')
          : trial.groups.map((group) => (
              <span key={group} style={{ display: 'block' }}>
                <bdi className="cf-code">{group}</bdi>
              </span>
            ))}
      </Fact>
      <Fact name={t('would')}>
        {trial.granted.length === 0
          ? t('nothing')
          : trial.granted.map(({ workspaceId, role, canApprove }) => (
              <span key={workspaceId} style={{ display: 'block' }}>
                {t(`role_${role}`)}
                {canApprove && role !== 'admin' && `, ${t('approves')}`} · <bdi className="cf-code">{workspaceId}</bdi>
              </span>
            ))}
      </Fact>
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {name}
      </Text>
      <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </div>
  )
}

const ROLES: readonly string[] = ['admin', 'editor', 'viewer'] satisfies Role[]

/** Anybody may write such an address, so nothing of it is believed but its shape. */
function readTrial(text: string): Trial | undefined {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
    const found = JSON.parse(new TextDecoder().decode(bytes)) as Trial
    const isWhole =
      typeof found.provider.name === 'string' &&
      typeof found.subject === 'string' &&
      typeof found.name === 'string' &&
      (found.email === null || typeof found.email === 'string') &&
      found.groups.every((group) => typeof group === 'string') &&
      found.granted.every(({ workspaceId, role }) => typeof workspaceId === 'string' && ROLES.includes(role))
    return isWhole ? found : undefined
  } catch {
    // Whatever is wrong with it, it is no result.
    return undefined
  }
}
