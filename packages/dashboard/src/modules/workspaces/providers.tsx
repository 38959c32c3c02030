import { Alert, Button, Divider, Stack } from '@mantine/core'
import { IconAlertCircle, IconLogin2 } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { OfferedProviders } from '@contentflow/server/wire.ts'
import { call } from '../../api.ts'
import { useProviderTexts } from './texts-provider.ts'

const FAULTS = ['sso_failed', 'sso_away', 'not_assigned', 'domain_not_verified', 'link_required', 'too_many_groups'] as const

/** Why a sign-in with a provider came to nothing, as the address of this page says. */
export function ProviderFault({ code }: { code: string | null }) {
  const t = useProviderTexts()
  const fault = FAULTS.find((each) => each === code)
  if (!fault) return null
  return (
    <Alert role="alert" color={fault === 'link_required' ? 'blue' : 'red'} icon={<IconAlertCircle aria-hidden />} title={t('faultTitle')}>
      {t(`fault_${fault}`)}
    </Alert>
  )
}

/** Where a provider begins to sign somebody in, who then comes back to this page. */
export function startOf(id: string, returnTo: string): string {
  return `/api/v1/auth/oidc/${id}/start?returnTo=${encodeURIComponent(returnTo)}`
}

/** A button for each provider. `email`: as far as it is typed; its domain may have one of its own. */
export function ProviderButtons({ email, returnTo }: { email: string; returnTo: string }) {
  const t = useProviderTexts()
  const asked = /@[^\s@]+\.[^\s@]+$/.test(email) ? email.trim() : undefined
  const { data } = useQuery({
    queryKey: ['providers', asked],
    queryFn: async ({ signal }) => (await call<OfferedProviders>('/auth/providers', { query: { email: asked }, signal })).data.providers,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  if (!data || data.length === 0) return null
  return (
    <Stack gap="sm">
      <Divider label={t('or')} />
      {data.map(({ id, name }) => (
        <Button
          key={id}
          component="a"
          href={startOf(id, returnTo)}
          variant="default"
          leftSection={<IconLogin2 size={18} aria-hidden className="cf-mirrored" />}
          fullWidth
        >
          {t('withProvider', { name })}
        </Button>
      ))}
    </Stack>
  )
}
