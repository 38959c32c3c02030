import { Button, Group, Radio, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useFormat } from '../../../format.ts'
import { Failure } from '../../../ui/failure.tsx'
import { isCodeWrong, LaunchGate, useLaunch } from '../../../ui/launch/launch-gate.tsx'
import { campaignApi, type Campaign } from '../api.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { ReachLine } from './reach-line.tsx'
import { useActionTexts } from './texts.ts'
import { useStep } from './use-step.ts'

const TARGETS = ['plan', 'live', 'test'] as const
type Target = (typeof TARGETS)[number]

/** What the approval does: the campaign waits for its time, goes live, or is tried. */
export function ApproveDialog({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const t = useActionTexts()
  const format = useFormat()
  const { needsCode, isRefused } = useLaunch()
  const { startTime } = campaign.schedule
  const isPlanned = Date.parse(startTime) > Date.now()
  const [target, setTarget] = useState<Target>('plan')
  const [note, setNote] = useState('')
  const [code, setCode] = useState('')
  const step = useStep(campaign, 'approve')
  const launches = target === 'live' || (target === 'plan' && isPlanned)
  const text = (each: Target) =>
    each === 'plan' ? (isPlanned ? t('target_planText', { at: format.moment(startTime) }) : t('target_planNow')) : t(`target_${each}Text`)
  const approve = () =>
    step.mutate(
      {
        ...(target !== 'plan' && { activateTarget: target }),
        ...(note.trim() !== '' && { note: note.trim() }),
        ...(launches && code.trim() !== '' && { otp: code.trim() }),
      },
      { onSuccess: onClose },
    )
  return (
    <Dialog opened onClose={onClose} title={t('approveTitle')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          approve()
        }}
      >
        <Stack>
          <Radio.Group
            label={t('approveHow')}
            value={target}
            onChange={(next) => setTarget(TARGETS.find((each) => each === next) ?? target)}
          >
            <Stack gap="xs" mt={6}>
              {TARGETS.map((each) => (
                <Radio key={each} value={each} label={t(`target_${each}`)} description={text(each)} />
              ))}
            </Stack>
          </Radio.Group>
          {target === 'live' && <ReachLine id={campaign.id} />}
          {launches && <LaunchGate path={campaignApi(campaign.id)} code={code} onCode={setCode} error={step.error} />}
          <Textarea
            label={t('note')}
            description={t('noteHint')}
            value={note}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
            maxLength={LIMITS.reviewNoteLength}
            dir="auto"
            rows={2}
            resize="vertical"
          />
          {step.error && !isCodeWrong(step.error) && <Failure error={step.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={step.isPending} disabled={launches && (isRefused || (needsCode && code.trim() === ''))}>
              {t(`target_${target}`)}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
