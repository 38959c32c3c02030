import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../../data.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import type { Key, ShownKey } from '../api.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { ENDING } from '../access/api.ts'
import { endOf, pathOf } from './key-use.ts'
import { AT_ONCE, rotationBody, RotationFields } from './rotation-fields.tsx'
import { KeySamples } from './show-key.tsx'
import { useKeysTexts } from './texts-keys.ts'

export type KeyAction = { kind: 'code' | 'rotate' | 'revoke'; key: Key }

/** The actions on an existing key. */
export function KeyDialogs({
  action,
  onClose,
  onRotated,
}: {
  action: KeyAction | undefined
  onClose: () => void
  onRotated: (shown: ShownKey) => void
}) {
  const t = useKeysTexts()
  const [rotation, setRotation] = useState(AT_ONCE)
  const rotate = useWrite<{ key: Key; body: object }, ShownKey>(
    ({ key, body }) => ({ method: 'POST', path: `${pathOf(key.kind)}/${key.id}/rotate`, body }),
    { stale: ['/settings/', ENDING], showsError: true },
  )
  const revoke = useWrite<Key>((key) => ({ method: 'DELETE', path: `${pathOf(key.kind)}/${key.id}` }), {
    stale: ['/settings/', ENDING],
    done: (_data, key) => t('revoked', { key: key.masked }),
    showsError: true,
  })
  if (!action) return null
  const { kind, key } = action
  const leave = () => {
    rotate.reset()
    revoke.reset()
    setRotation(AT_ONCE)
    onClose()
  }
  if (kind === 'code')
    return (
      <Dialog opened onClose={leave} title={t('codeTitle')} size="lg">
        <Stack>
          <Text size="sm" c="dimmed">
            {t('codeText')}
          </Text>
          <KeySamples kind={key.kind} text={t('yourKey')} />
        </Stack>
      </Dialog>
    )
  const change = kind === 'rotate' ? rotate : revoke
  const overlaps = kind === 'rotate' && rotation.overlapHours !== '0'
  return (
    <Confirm
      isOpen
      onClose={leave}
      onConfirm={() =>
        kind === 'rotate'
          ? rotate.mutate(
              { key, body: rotationBody(rotation) },
              {
                onSuccess: (shown) => {
                  leave()
                  onRotated(shown)
                },
              },
            )
          : revoke.mutate(key, { onSuccess: leave })
      }
      title={t(`${kind}Title`, { name: key.name || key.masked })}
      action={t(kind)}
      isDangerous
      isBusy={change.isPending}
      typed={kind === 'revoke' ? endOf(key) : undefined}
    >
      <Stack gap="xs">
        <span>{t(overlaps ? 'rotateOverlapText' : `${kind}Text`)}</span>
        {!overlaps && <span>{t(`breaks_${key.kind}`)}</span>}
        {kind === 'rotate' && <RotationFields of={key} value={rotation} onChange={setRotation} />}
        <span>
          {t('lastUsed')}: <Moment at={key.lastUsedAt} />
        </span>
        {kind === 'revoke' && <span>{t('revokeTyped', { key: key.masked })}</span>}
        {change.error && <Failure error={change.error} />}
      </Stack>
    </Confirm>
  )
}
