import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Confirm } from '../../../ui/confirm.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { isCodeWrong, LaunchGate } from '../../../ui/launch/launch-gate.tsx'
import { campaignApi, type Campaign } from '../api.ts'
import { ReachLine } from './reach-line.tsx'
import type { StepName } from './steps.ts'
import { useActionTexts } from './texts.ts'
import { useStep } from './use-step.ts'

export type PlainStep = Exclude<StepName, 'submit' | 'approve' | 'reject'>

/** A step that needs no more than a yes and, to go live, perhaps a code. */
export function StatusDialog({ campaign, step: name, onClose }: { campaign: Campaign; step: PlainStep; onClose: () => void }) {
  const t = useActionTexts()
  const [code, setCode] = useState('')
  const step = useStep(campaign, name)
  const launches = name === 'launch' || name === 'schedule'
  return (
    <Confirm
      isOpen
      onClose={onClose}
      onConfirm={() => step.mutate(launches && code.trim() !== '' ? { otp: code.trim() } : {}, { onSuccess: onClose })}
      title={t(`${name}Title`)}
      action={t(name)}
      isDangerous={name === 'complete' || name === 'toDraft'}
      isBusy={step.isPending}
    >
      <Stack gap="xs">
        <Text size="sm">{t(`${name}Text`)}</Text>
        {name === 'launch' && <ReachLine id={campaign.id} />}
        {launches && <LaunchGate path={campaignApi(campaign.id)} code={code} onCode={setCode} error={step.error} />}
        {step.error && !isCodeWrong(step.error) && <Failure error={step.error} />}
      </Stack>
    </Confirm>
  )
}
