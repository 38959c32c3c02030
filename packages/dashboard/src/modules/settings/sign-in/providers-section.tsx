import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconLogin2, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { IdentityProvider } from '@contentflow/server/wire.ts'
import { useRead, useWrite } from '../../../data.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { CopyField } from '../../../ui/fields/copy-field.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Section } from '../../../ui/section.tsx'
import { PROVIDERS } from './paths.ts'
import { ProviderForm } from './provider-form.tsx'
import { useSignInTexts } from './texts-sign-in.ts'

export function ProvidersSection() {
  const t = useSignInTexts()
  const read = useRead<{ providers: IdentityProvider[] }>(PROVIDERS, { limit: 50 })
  const [edited, setEdited] = useState<IdentityProvider | 'new'>()
  const providers = read.data?.providers ?? []
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
      {t('add')}
    </Button>
  )
  return (
    <Section title={t('providers')} text={t('providersText')} aside={providers.length > 0 && add}>
      <Loaded read={read} height={160}>
        {({ providers: found }) =>
          found.length === 0 ? (
            <EmptyState icon={IconLogin2} title={t('none')} text={t('noneText')}>
              {add}
            </EmptyState>
          ) : (
            <Stack>
              {found.map((provider) => (
                <ProviderCard key={provider.id} provider={provider} onEdit={() => setEdited(provider)} />
              ))}
            </Stack>
          )
        }
      </Loaded>
      {edited && (
        <ProviderForm
          provider={edited === 'new' ? undefined : edited}
          taken={providers.map(({ id }) => id)}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Section>
  )
}

function ProviderCard({ provider, onEdit }: { provider: IdentityProvider; onEdit: () => void }) {
  const t = useSignInTexts()
  const [isLeaving, setLeaving] = useState(false)
  const remove = useWrite<string>((id) => ({ method: 'DELETE', path: `${PROVIDERS}/${id}` }), {
    stale: [PROVIDERS],
    done: t('removed', { name: provider.name }),
    showsError: true,
  })
  return (
    <Paper withBorder p="md" component="article" aria-label={provider.name}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <Title order={3} dir="auto">
              {provider.name}
            </Title>
            <Badge variant="light" color={provider.isOn ? 'teal' : 'gray'} tt="none">
              {t(provider.isOn ? 'on' : 'off')}
            </Badge>
          </Group>
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              component="a"
              href={`${provider.startUrl}?try=true`}
              target="_blank"
              rel="noreferrer"
              aria-label={`${t('try')}: ${provider.name}`}
            >
              {t('try')}
            </Button>
            <Button size="xs" variant="default" aria-label={`${t('edit')}: ${provider.name}`} onClick={onEdit}>
              {t('edit')}
            </Button>
            <Button size="xs" variant="default" aria-label={`${t('remove')}: ${provider.name}`} onClick={() => setLeaving(true)}>
              {t('remove')}
            </Button>
          </Group>
        </Group>
        <Text size="sm" className="cf-code" style={{ overflowWrap: 'anywhere' }}>
          <bdi>{provider.issuer}</bdi>
        </Text>
        <Text size="sm" c="dimmed">
          {t('tryText')}
        </Text>
        <Address label={t('redirect')} value={provider.redirectUri} />
        <Address label={t('logout')} value={provider.backchannelLogoutUri} />
        <Text size="sm" c="dimmed">
          {t('enterThere')}
        </Text>
        {provider.domains.map((domain) => (
          <DomainProof key={domain.domain} domain={domain} />
        ))}
      </Stack>
      <Confirm
        isOpen={isLeaving}
        onClose={() => setLeaving(false)}
        title={t('removeTitle', { name: provider.name })}
        action={t('remove')}
        isDangerous
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate(provider.id, { onSuccess: () => setLeaving(false) })}
      >
        <Stack gap="xs">
          {t('removeText')}
          {remove.error && <Failure error={remove.error} />}
        </Stack>
      </Confirm>
    </Paper>
  )
}

function Address({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <CopyField value={value} label={label} />
    </div>
  )
}

function DomainProof({ domain: { domain, record, isProven } }: { domain: IdentityProvider['domains'][number] }) {
  const t = useSignInTexts()
  const label = t('record', { domain })
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Text size="sm" fw={600}>
          <bdi>{domain}</bdi>
        </Text>
        <Badge variant="light" color={isProven ? 'teal' : 'orange'} tt="none">
          {t(isProven ? 'proven' : 'unproven')}
        </Badge>
      </Group>
      {!isProven && (
        <>
          <CopyField value={record} label={label} />
          <Text size="sm" c="dimmed">
            {t('unprovenText')}
          </Text>
        </>
      )}
    </Stack>
  )
}
