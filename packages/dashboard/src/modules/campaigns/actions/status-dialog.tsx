import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../../../api.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { campaignApi, type Campaign } from '../api.ts'
import { LaunchCodeField, useLaunch } from './launch-code.tsx'
import { ReachLine } from './reach-line.tsx'
import type { StepName } from './steps.ts'
import { useActionTexts } from './texts.ts'
import { useStep } from './use-step.ts'

export type PlainStep = Exclude<StepName, 'submit' | 'approve' | 'reject'>

/** A step that needs no more than a yes and, to go live, perhaps a code. */
export function StatusDialog({ campaign, step: name, onClose }: { campaign: Campaign; step: PlainStep; onClose: () => void }) {
  const t = useActionTexts()
  const [code, setCode] = useState('')
  const { needsCode, isRefused } = useLaunch()
  const step = useStep(campaign, name)
  const launches = name === 'launch' || name === 'schedule'
  const isWrong = step.error instanceof ApiError && step.error.code === 'LAUNCH_OTP_REQUIRED'
  return (
    <Confirm
      isOpen
      onClose={onClose}
      onConfirm={() => step.mutate(launches && needsCode ? { otp: code.trim() } : {}, { onSuccess: onClose })}
      title={t(`${name}Title`)}
      action={t(name)}
      isDangerous={name === 'complete' || name === 'toDraft'}
      isBusy={step.isPending}
    >
      <Stack gap="xs">
        <Text size="sm">{t(`${name}Text`)}</Text>
        {name === 'launch' && <ReachLine id={campaign.id} />}
        {launches && isRefused && (
          <Text size="sm" c="var(--mantine-color-error)">
            {t('adminOnly')}
          </Text>
        )}
        {launches && needsCode && <LaunchCodeField path={campaignApi(campaign.id)} value={code} onChange={setCode} isWrong={isWrong} />}
        {step.error && !isWrong && <Failure error={step.error} />}
      </Stack>
    </Confirm>
  )
}
