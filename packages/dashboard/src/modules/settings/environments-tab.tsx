import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { useRead, useWrite } from '../../data.ts'
import { ME, useSession } from '../../session.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { CopyField } from '../../ui/fields/copy-field.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Section } from '../../ui/section.tsx'
import { EnvironmentBadge } from '../../ui/state-badge.tsx'
import type { Retirement, Sandbox } from './api.ts'
import { ForApps, OnlyFor } from './notes.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useTexts } from './texts.ts'

const SANDBOX = '/settings/sandbox'
const TEST = '/settings/test-environment'

export function EnvironmentsTab() {
  return (
    <>
      <SandboxSection />
      <TestEnvironment />
    </>
  )
}

/** A second workspace that test keys lead to (G-11). */
function SandboxSection() {
  const t = useTexts()
  const { mayAdmin } = useSession()
  const client = useQueryClient()
  const sandbox = useRead<Sandbox | null>(SANDBOX)
  const [isUnlinking, setUnlinking] = useState(false)
  const make = useWrite<void, Sandbox>(() => ({ method: 'POST', path: SANDBOX, body: {} }), {
    stale: [SANDBOX],
    done: ({ name }) => t('sandboxMade', { name }),
    showsError: true,
  })
  const unlink = useWrite<void>(() => ({ method: 'DELETE', path: SANDBOX }), {
    stale: [SANDBOX],
    done: t('sandboxUnlinked'),
    showsError: true,
  })
  const error = make.error ?? unlink.error
  return (
    <Section title={t('sandbox')} text={t('sandboxText')}>
      <ForApps text={t('sandboxEffect')} />
      <Loaded read={sandbox}>
        {(linked) => (
          <Stack gap="sm" align="flex-start">
            {linked ? <LinkedSandbox sandbox={linked} /> : <Text size="sm">{t('sandboxNone')}</Text>}
            {mayAdmin && linked && (
              <Button variant="default" onClick={() => setUnlinking(true)}>
                {t('sandboxUnlink')}
              </Button>
            )}
            {mayAdmin && !linked && (
              <Button
                loading={make.isPending}
                // The sandbox is a workspace of this person too.
                onClick={() => make.mutate(undefined, { onSuccess: () => void client.invalidateQueries({ queryKey: ME }) })}
              >
                {t('sandboxMake')}
              </Button>
            )}
            {!mayAdmin && <OnlyFor who="admins" />}
          </Stack>
        )}
      </Loaded>
      {error && <Failure error={error} />}
      <Confirm
        isOpen={isUnlinking}
        onClose={() => setUnlinking(false)}
        onConfirm={() => unlink.mutate(undefined, { onSettled: () => setUnlinking(false) })}
        title={t('sandboxUnlinkTitle')}
        action={t('sandboxUnlink')}
        isDangerous
        isBusy={unlink.isPending}
      >
        {t('sandboxUnlinkText')}
      </Confirm>
    </Section>
  )
}

function LinkedSandbox({ sandbox }: { sandbox: Sandbox }) {
  const t = useTexts()
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <EnvironmentBadge environment="test" />
        <Anchor component={Link} to={`/w/${sandbox.workspaceId}`} fw={600}>
          {sandbox.name}
        </Anchor>
      </Group>
      <CopyField value={sandbox.workspaceId} label={t('workspaceId')} />
    </Stack>
  )
}

/** Test inside this workspace, which a sandbox can take the place of. */
function TestEnvironment() {
  const t = useTexts()
  const { mayAdmin } = useSession()
  const test = useRead<Retirement>(TEST)
  const sandbox = useRead<Sandbox | null>(SANDBOX)
  const [isRetiring, setRetiring] = useState(false)
  const change = useWrite<boolean>((retired) => ({ method: 'PUT', path: TEST, body: { retired } }), {
    stale: [TEST],
    done: (_data, retired) => t(retired ? 'testRetired' : 'testBack'),
    showsError: true,
  })
  return (
    <Section title={t('test')} text={t('testText')}>
      <ForApps text={t('testEffect')} />
      <Loaded read={test}>
        {({ retired }) => (
          <Stack gap="sm" align="flex-start">
            <Text size="sm" fw={600}>
              {t(retired ? 'testIsRetired' : 'testIsOpen')}
            </Text>
            {retired && sandbox.data === null && (
              <Text size="sm" c="dimmed">
                {t('testNoSandbox')}
              </Text>
            )}
            {mayAdmin && (
              <Button variant="default" loading={change.isPending} onClick={() => (retired ? change.mutate(false) : setRetiring(true))}>
                {t(retired ? 'testBringBack' : 'testRetire')}
              </Button>
            )}
            {!mayAdmin && <OnlyFor who="admins" />}
          </Stack>
        )}
      </Loaded>
      {change.error && <Failure error={change.error} />}
      <Confirm
        isOpen={isRetiring}
        onClose={() => setRetiring(false)}
        onConfirm={() => change.mutate(true, { onSettled: () => setRetiring(false) })}
        title={t('testRetireTitle')}
        action={t('testRetire')}
        isDangerous
        isBusy={change.isPending}
      >
        {t(sandbox.data ? 'testRetireText' : 'testRetireAloneText')}
      </Confirm>
    </Section>
  )
}
