import { ActionIcon, Menu, Stack, Text } from '@mantine/core'
import { IconArrowBackUp, IconDots, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useWrite } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Failure } from '../../ui/failure.tsx'
import { STALE, uploadPath, type Upload } from './api.ts'
import { useTexts } from './texts.ts'

/** Whether a load can be written once more: only records that were sent as such are kept. */
function canRerun({ kind, totalRecords, expiresAt }: Upload): boolean {
  const hasEnded = expiresAt !== null && Date.parse(expiresAt) <= Date.now()
  return kind === 'simple' && totalRecords <= LIMITS.enrichmentRerunRecords && !hasEnded
}

/** Taking a load back, and writing it once more; for admins. */
export function UploadActions({ upload }: { upload: Upload }) {
  const t = useTexts()
  const { mayAdmin } = useSession()
  const [isAsking, setAsking] = useState(false)
  const rerun = useWrite<void>(() => ({ path: `${uploadPath(upload.jobRef)}/rerun`, method: 'POST' }), {
    stale: STALE,
    done: t('rerunDone'),
  })
  const canRollBack = upload.status !== 'rolled_back'
  if (!mayAdmin || (!canRollBack && !canRerun(upload))) return null
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('actionsFor', { name: upload.label || t('noName') })}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {canRerun(upload) && (
            <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => rerun.mutate()}>
              {t('rerun')}
            </Menu.Item>
          )}
          {canRollBack && (
            <Menu.Item
              color="red"
              leftSection={<IconArrowBackUp size={16} aria-hidden className="cf-mirrored" />}
              onClick={() => setAsking(true)}
            >
              {t('rollBack')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <RollBack upload={upload} isOpen={isAsking} onClose={() => setAsking(false)} />
    </>
  )
}

/** Says what goes, what comes back and what stays. */
function RollBack({ upload, isOpen, onClose }: { upload: Upload; isOpen: boolean; onClose: () => void }) {
  const t = useTexts()
  const format = useFormat()
  const rollBack = useWrite<void>(() => ({ path: uploadPath(upload.jobRef), method: 'DELETE' }), {
    stale: STALE,
    done: t('rolledBack'),
    showsError: true,
  })
  const close = () => {
    rollBack.reset()
    onClose()
  }
  return (
    <Confirm
      isOpen={isOpen}
      onClose={close}
      onConfirm={() => rollBack.mutate(undefined, { onSuccess: close })}
      title={t('rollBackTitle')}
      action={t('rollBack')}
      isDangerous
      isBusy={rollBack.isPending}
    >
      <Stack gap="xs">
        <Text size="sm">
          {t('rollBackText', { count: upload.written, people: format.number(upload.written), values: format.number(upload.valueCount) })}
        </Text>
        {upload.attributes.length > 0 && (
          <Text size="sm">{t('rollBackAttributes', { names: format.list(shortened(upload.attributes, t, format)) })}</Text>
        )}
        <Text size="sm">{t('rollBackStays')}</Text>
        {rollBack.error && <Failure error={rollBack.error} />}
      </Stack>
    </Confirm>
  )
}

const NAMED = 4

/** Four at most, then how many more. */
export function shortened(names: readonly string[], t: ReturnType<typeof useTexts>, format: ReturnType<typeof useFormat>): string[] {
  const rest = names.length - NAMED
  return rest <= 0 ? [...names] : [...names.slice(0, NAMED), t('more', { number: format.number(rest) })]
}
