import type { IdentityKey, ShownIdentityKey } from '@contentflow/server/wire.ts'
import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import { IconKey, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { usePages, useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { CopyField } from '../../../ui/fields/copy-field.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Listing, type Column } from '../../../ui/listing.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { Section } from '../../../ui/section.tsx'
import { EnvironmentBadge } from '../../../ui/state-badge.tsx'
import { OnlyFor } from '../notes.tsx'
import { SecretDialog } from '../secret-dialog.tsx'
import { NewIdentityKey } from './new-identity-key.tsx'
import { IDENTITY_KEYS_PATH } from './paths.ts'
import { useIdentityTexts } from './texts-identity.ts'

/** The keys with which the app's own server signs user tokens, as far as this workspace knows them. */
export function IdentityKeysSection() {
  const t = useIdentityTexts()
  const { mayAdmin } = useSession()
  const keys = usePages<IdentityKey>(IDENTITY_KEYS_PATH, 'keys', { limit: 50 })
  const [isMaking, setMaking] = useState(false)
  const [shown, setShown] = useState<ShownIdentityKey>()
  const [ending, setEnding] = useState<IdentityKey>()
  const remove = useWrite<string>((id) => ({ method: 'DELETE', path: `${IDENTITY_KEYS_PATH}/${encodeURIComponent(id)}` }), {
    stale: [IDENTITY_KEYS_PATH],
    done: t('keyDeleted'),
    showsError: true,
  })
  const button = (
    <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
      {t('newKey')}
    </Button>
  )
  return (
    <Section title={t('keys')} text={t('keysText')} aside={mayAdmin && button}>
      <Listing
        label={t('keys')}
        pages={keys}
        idOf={({ id }) => id}
        columns={columnsOf(t, mayAdmin ? setEnding : undefined)}
        empty={<EmptyState icon={IconKey} title={t('noKeys')} text={t('noKeysText')} />}
      />
      {!mayAdmin && <OnlyFor who="admins" />}
      {isMaking && (
        <NewIdentityKey
          onClose={() => setMaking(false)}
          onMade={(made) => {
            setMaking(false)
            if (made.secret !== undefined) setShown(made)
          }}
        />
      )}
      {shown?.secret !== undefined && (
        <SecretDialog title={t('shownTitle')} warning={t('shownText')} onClose={() => setShown(undefined)}>
          <CopyField value={shown.secret} label={t('secret')} />
          <Text size="sm">{t('shownKid')}</Text>
          <CopyField value={shown.id} label={t('kid')} />
        </SecretDialog>
      )}
      <Confirm
        isOpen={ending !== undefined}
        onClose={() => (remove.reset(), setEnding(undefined))}
        onConfirm={() => ending && remove.mutate(ending.id, { onSuccess: () => setEnding(undefined) })}
        title={t('deleteTitle', { name: ending?.name || t('unnamed') })}
        action={t('delete')}
        isDangerous
        isBusy={remove.isPending}
      >
        {t('deleteText')}
        {remove.error && <Failure error={remove.error} />}
      </Confirm>
    </Section>
  )
}

type Translate = ReturnType<typeof useIdentityTexts>

function columnsOf(t: Translate, onDelete: ((key: IdentityKey) => void) | undefined): Column<IdentityKey>[] {
  const columns: Column<IdentityKey>[] = [
    { id: 'key', title: t('key'), cell: (key) => <KeyName of={key} /> },
    { id: 'used', title: t('lastUsed'), isExtra: true, cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
    {
      id: 'expires',
      title: t('expires'),
      isExtra: true,
      cell: ({ expiresAt }) => (expiresAt ? <Moment at={expiresAt} /> : t('neverExpires')),
    },
  ]
  if (!onDelete) return columns
  return [
    ...columns,
    {
      id: 'delete',
      title: <span className="cf-visually-hidden">{t('delete')}</span>,
      align: 'end',
      width: 56,
      cell: (key) => (
        <ActionIcon
          variant="subtle"
          color="red"
          size="lg"
          aria-label={t('deleteOf', { name: key.name || key.id })}
          onClick={() => onDelete(key)}
        >
          <IconTrash size={18} aria-hidden />
        </ActionIcon>
      ),
    },
  ]
}

function KeyName({ of: { name, environment, kind, jwksUrl, id } }: { of: IdentityKey }) {
  const t = useIdentityTexts()
  return (
    <Stack gap={2}>
      <Group gap="xs">
        <Text size="sm" fw={600} c={name === '' ? 'dimmed' : undefined} style={{ overflowWrap: 'anywhere' }}>
          {name || t('unnamed')}
        </Text>
        <EnvironmentBadge environment={environment} />
      </Group>
      <Text size="sm" c="dimmed">
        {t(`kind_${kind}`)}
      </Text>
      {jwksUrl && (
        <Text size="sm" c="dimmed" dir="ltr" ta="start" style={{ overflowWrap: 'anywhere' }}>
          {jwksUrl}
        </Text>
      )}
      <CopyField value={id} label={t('kid')} />
    </Stack>
  )
}
