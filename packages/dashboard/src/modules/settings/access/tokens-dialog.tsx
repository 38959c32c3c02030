import { Badge, Button, Group, Stack, Table, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ApiToken, ServiceAccount, ShownApiToken } from '@contentflow/server/wire.ts'
import { WARNED_DAYS } from '@contentflow/core/access/warnings.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useRead, useWrite } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { CopyField } from '../../../ui/fields/copy-field.tsx'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { SecretDialog } from '../secret-dialog.tsx'
import { ENDING, namesOf, SERVICES } from './api.ts'
import { useAccessTexts } from './texts.ts'

/** Tokens of a service account; the text of a new one is shown once. */
export function TokensDialog({ service, onClose }: { service: ServiceAccount; onClose: () => void }) {
  const t = useAccessTexts()
  const { mayAdmin } = useSession()
  const path = `${SERVICES}/${service.id}/tokens`
  const read = useRead<{ tokens: ApiToken[] }>(path)
  const [shown, setShown] = useState<string>()
  if (shown !== undefined)
    return (
      <SecretDialog title={t('tokenShown')} warning={t('tokenShownText')} onClose={() => setShown(undefined)}>
        <CopyField value={shown} label={t('token')} />
      </SecretDialog>
    )
  return (
    <Dialog opened onClose={onClose} title={t('tokensOf', { name: service.name })} size="lg">
      <Stack>
        <Loaded read={read} height={120}>
          {({ tokens }) =>
            tokens.length === 0 ? <Text size="sm">{t('noTokens')}</Text> : <TokenTable path={path} tokens={tokens} onShown={setShown} />
          }
        </Loaded>
        {mayAdmin && <NewToken path={path} onShown={setShown} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('close')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function NewToken({ path, onShown }: { path: string; onShown: (token: string) => void }) {
  const t = useAccessTexts()
  const [days, setDays] = useState<number | undefined>(LIMITS.tokenDays.default)
  const [networks, setNetworks] = useState('')
  const make = useWrite<object, ShownApiToken>((body) => ({ method: 'POST', path, body }), { stale: [path, ENDING], showsError: true })
  const submit = () =>
    make.mutate(
      { allowedCidrs: namesOf(networks), ...(days !== undefined && { expiresInDays: days }) },
      { onSuccess: ({ token }) => onShown(token) },
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Stack gap="sm" align="flex-start">
        <NumberField label={t('days')} value={days} onChange={setDays} min={1} max={LIMITS.tokenDays.most} isWhole />
        <TextInput
          label={t('networks')}
          description={t('networksText')}
          dir="ltr"
          w="100%"
          value={networks}
          onChange={({ currentTarget }) => setNetworks(currentTarget.value)}
        />
        <Button type="submit" loading={make.isPending}>
          {t('addToken')}
        </Button>
        {make.error && <Failure error={make.error} />}
      </Stack>
    </form>
  )
}

function TokenTable({ path, tokens, onShown }: { path: string; tokens: readonly ApiToken[]; onShown: (token: string) => void }) {
  const t = useAccessTexts()
  const { mayAdmin } = useSession()
  const format = useFormat()
  const rotate = useWrite<string, ShownApiToken>((id) => ({ method: 'POST', path: `${path}/${id}/rotate`, body: {} }), {
    stale: [path, ENDING],
    done: t('rotated'),
    showsError: true,
  })
  const revoke = useWrite<string>((id) => ({ method: 'DELETE', path: `${path}/${id}` }), {
    stale: [path, ENDING],
    done: t('revoked'),
    showsError: true,
  })
  const error = rotate.error ?? revoke.error
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('token')}</Table.Th>
            <Table.Th>{t('expires')}</Table.Th>
            <Table.Th visibleFrom="sm">{t('lastUsed')}</Table.Th>
            <Table.Th>
              <span className="cf-visually-hidden">{t('edit')}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tokens.map((token) => (
            <Table.Tr key={token.id}>
              <Table.Td className="cf-code">
                <bdi>…{token.hint}</bdi>
              </Table.Td>
              <Table.Td>{isOver(token) ? t('over') : <Expiry token={token} />}</Table.Td>
              <Table.Td visibleFrom="sm">{token.lastUsedAt === null ? t('never') : format.moment(token.lastUsedAt)}</Table.Td>
              <Table.Td>
                {mayAdmin && !isOver(token) && (
                  <Group gap="xs" justify="flex-end">
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={`${t('rotate')}: ${token.hint}`}
                      loading={rotate.isPending && rotate.variables === token.id}
                      onClick={() => rotate.mutate(token.id, { onSuccess: ({ token: text }) => onShown(text) })}
                    >
                      {t('rotate')}
                    </Button>
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={`${t('revoke')}: ${token.hint}`}
                      loading={revoke.isPending && revoke.variables === token.id}
                      onClick={() => revoke.mutate(token.id)}
                    >
                      {t('revoke')}
                    </Button>
                  </Group>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {error && <Failure error={error} />}
    </Table.ScrollContainer>
  )
}

const WARNED_MS = WARNED_DAYS[0] * 86_400_000

function isOver({ revokedAt, expiresAt }: ApiToken): boolean {
  return revokedAt !== null || Date.parse(expiresAt) <= Date.now()
}

/** Two weeks before its end it says how long there is. */
function Expiry({ token: { expiresAt } }: { token: ApiToken }) {
  const format = useFormat()
  if (Date.parse(expiresAt) - Date.now() > WARNED_MS) return format.date(expiresAt)
  return (
    <Badge color="orange" variant="light" tt="none" fw={600} radius="sm">
      {format.ago(expiresAt)}
    </Badge>
  )
}
