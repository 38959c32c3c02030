import { ActionIcon, Button, Group, Stack, Text, TextInput, Tooltip } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { usePages, useWrite } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { canUsePasskeys, makePasskey } from '../../../passkeys.ts'
import { useInstallation } from '../../../session.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import type { NewPasskeyOptions, Passkey, RecoveryCodes } from '../api.ts'
import { browserOf } from './browser-of.ts'
import { SECOND_FACTORS } from './second-factors.ts'
import { useSecurityTexts } from './texts-security.ts'

type Props = { onCodes: (codes: string[]) => void; onChanged: () => void }
type Made = { credential: object; name: string }

/** The passkeys of the member: made in this browser, named, removed. */
export function YourPasskeys({ onCodes, onChanged }: Props) {
  const t = useSecurityTexts()
  const installation = useInstallation()
  const { items } = usePages<Passkey>('/auth/passkeys', 'passkeys', { limit: 50 })
  const [renaming, setRenaming] = useState<Passkey>()
  const [removing, setRemoving] = useState<Passkey>()
  const { add, isAdding } = useAdding(({ recoveryCodes }) => (recoveryCodes ? onCodes(recoveryCodes) : onChanged()))
  const remove = useWrite<Passkey>(({ id }) => ({ method: 'DELETE', path: `/auth/passkeys/${id}` }), {
    stale: SECOND_FACTORS,
    done: t('removed'),
  })
  const missing = installation && !installation.hasPasskeys ? t('passkeysOff') : canUsePasskeys() ? undefined : t('passkeysUnknown')
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="flex-start">
        <Stack gap={2} maw={520}>
          <Text size="sm" fw={600}>
            {t('passkeys')}
          </Text>
          <Text size="sm" c="dimmed">
            {missing ?? t('passkeysText')}
          </Text>
        </Stack>
        {missing === undefined && (
          <Button variant="default" loading={isAdding} onClick={() => void add()}>
            {t('addPasskey')}
          </Button>
        )}
      </Group>
      {items.map((passkey) => (
        <Row key={passkey.id} passkey={passkey} onRename={() => setRenaming(passkey)} onRemove={() => setRemoving(passkey)} />
      ))}
      {renaming && <Rename passkey={renaming} onClose={() => setRenaming(undefined)} />}
      <Confirm
        isOpen={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        onConfirm={() => removing && remove.mutate(removing, { onSuccess: onChanged, onSettled: () => setRemoving(undefined) })}
        title={t('removePasskeyTitle', { name: removing?.name ?? '' })}
        action={t('remove')}
        isDangerous
        isBusy={remove.isPending}
      >
        {t('removePasskeyText')}
      </Confirm>
    </Stack>
  )
}

function useAdding(onAdded: (codes: RecoveryCodes) => void) {
  const t = useSecurityTexts()
  const ask = useWrite<void, NewPasskeyOptions>(() => ({ method: 'POST', path: '/auth/passkeys/options' }), { stale: [] })
  const store = useWrite<Made, RecoveryCodes>((body) => ({ method: 'POST', path: '/auth/passkeys', body }), {
    stale: SECOND_FACTORS,
    done: t('passkeyAdded'),
  })
  const [isAdding, setAdding] = useState(false)
  const add = async () => {
    setAdding(true)
    try {
      const credential = await makePasskey(await ask.mutateAsync())
      if (!credential) notifications.show({ message: t('passkeyCancelled'), color: 'orange' })
      else onAdded(await store.mutateAsync({ credential, name: browserOf(navigator.userAgent) ?? t('passkeys') }))
    } catch {
      // The write that was refused has said so.
    } finally {
      setAdding(false)
    }
  }
  return { add, isAdding }
}

function Row({ passkey, onRename, onRemove }: { passkey: Passkey; onRename: () => void; onRemove: () => void }) {
  const t = useSecurityTexts()
  const format = useFormat()
  const { name, lastUsedAt } = passkey
  return (
    <Group justify="space-between" wrap="nowrap" role="group" aria-label={name}>
      <Stack gap={0} miw={0}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <bdi>{name}</bdi>
        </Text>
        <Text size="sm" c="dimmed">
          {lastUsedAt === null ? t('neverUsed') : t('lastUsed', { time: format.ago(lastUsedAt) })}
        </Text>
      </Stack>
      <Group gap={4} wrap="nowrap">
        <Tooltip label={t('rename')}>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('renameOf', { name })} onClick={onRename}>
            <IconPencil size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={t('remove')}>
          <ActionIcon variant="subtle" color="red" size="lg" aria-label={t('removeOf', { name })} onClick={onRemove}>
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Group>
    </Group>
  )
}

function Rename({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const t = useSecurityTexts()
  const [name, setName] = useState(passkey.name)
  const save = useWrite<string>((sent) => ({ method: 'PUT', path: `/auth/passkeys/${passkey.id}`, body: { name: sent } }), {
    stale: ['/auth/passkeys'],
    showsError: true,
  })
  return (
    <FormDialog
      title={t('rename')}
      action={t('save')}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={() => name.trim() !== '' && save.mutate(name.trim(), { onSuccess: onClose })}
      onClose={onClose}
    >
      <TextInput
        label={t('passkeyName')}
        description={t('passkeyNameText')}
        required
        maxLength={150}
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </FormDialog>
  )
}
