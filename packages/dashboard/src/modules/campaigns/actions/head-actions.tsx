import { cutText } from '@contentflow/core/cut-text.ts'
import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { isApproved } from '@contentflow/core/campaigns/status.ts'
import { useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { campaignApi, campaignPath, STALE, type Campaign } from '../api.ts'
import { ApproveDialog } from './approve-dialog.tsx'
import { RejectDialog } from './reject-dialog.tsx'
import { StatusDialog, type PlainStep } from './status-dialog.tsx'
import { isEditable, type StepName } from './steps.ts'
import { SubmitDialog } from './submit-dialog.tsx'
import { TestSendDialog } from './test-dialog.tsx'
import { useActionTexts } from './texts.ts'
import { useSteps } from './use-step.ts'

/** The main steps of a state are beside the title; the others are in the menu. */
const FIRST: readonly StepName[] = ['submit', 'reject', 'approve', 'launch', 'schedule', 'pause', 'resume']
type Open = StepName | 'testSend' | 'remove'

export function HeadActions({ campaign }: { campaign: Campaign }) {
  const t = useActionTexts()
  const { mayEdit, mayApprove, workspace } = useSession()
  const steps = useSteps(campaign)
  const [open, setOpen] = useState<Open>()
  const duplicate = useDuplicate()
  const close = () => setOpen(undefined)
  const shown = FIRST.filter((step) => steps.includes(step))
  const hidden = steps.filter((step) => !FIRST.includes(step))
  const main = shown.at(-1)
  return (
    <>
      {mayEdit && isEditable(campaign) && (
        <Button component={Link} to={campaignPath(workspace.id, `${campaign.id}/edit`)} variant="default">
          {t(isApproved(campaign.status) && !mayApprove ? 'requestEdit' : 'edit')}
        </Button>
      )}
      {shown.map((step) => (
        <Button key={step} variant={step === main ? 'filled' : 'default'} onClick={() => setOpen(step)}>
          {t(step)}
        </Button>
      ))}
      {mayEdit && (
        <Menu position="bottom-end" shadow="md">
          <Menu.Target>
            <Tooltip label={t('more')}>
              <ActionIcon variant="default" size={36} aria-label={t('more')}>
                <IconDots size={18} aria-hidden />
              </ActionIcon>
            </Tooltip>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setOpen('testSend')}>{t('testSend')}</Menu.Item>
            <Menu.Item onClick={() => duplicate.mutate(campaign)}>{t('duplicate')}</Menu.Item>
            {hidden.map((step) => (
              <Menu.Item key={step} onClick={() => setOpen(step)}>
                {t(step)}
              </Menu.Item>
            ))}
            {campaign.status === 'draft' && (
              <Menu.Item color="red" onClick={() => setOpen('remove')}>
                {t('remove')}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {open === 'submit' && <SubmitDialog campaign={campaign} onClose={close} />}
      {open === 'approve' && <ApproveDialog campaign={campaign} onClose={close} />}
      {open === 'reject' && <RejectDialog campaign={campaign} onClose={close} />}
      {open === 'testSend' && <TestSendDialog campaign={campaign} onClose={close} />}
      {open === 'remove' && <RemoveDialog campaign={campaign} onClose={close} />}
      {open !== undefined && isPlain(open) && <StatusDialog campaign={campaign} step={open} onClose={close} />}
    </>
  )
}

function isPlain(open: Open): open is PlainStep {
  return open !== 'submit' && open !== 'approve' && open !== 'reject' && open !== 'testSend' && open !== 'remove'
}

/** A draft with the same content; its schedule and approvals stay with the first. */
function useDuplicate() {
  const t = useActionTexts()
  const { workspace } = useSession()
  const navigate = useNavigate()
  const write = useWrite<Campaign, Campaign>(
    ({ name, schedule: { startTime: _start, endTime: _end, ...schedule }, ...first }) => ({
      method: 'POST',
      path: '/campaigns',
      body: {
        name: cutText(t('copyOf', { name }), 150),
        type: first.type,
        priority: first.priority,
        segments: first.segments,
        content: first.content,
        dispatchChannels: first.dispatchChannels,
        controlPercent: first.controlPercent,
        mail: first.mail,
        schedule,
      },
    }),
    { stale: STALE, done: t('duplicated') },
  )
  return {
    mutate: (campaign: Campaign) =>
      write.mutate(campaign, { onSuccess: ({ id }) => void navigate(campaignPath(workspace.id, `${id}/edit`)) }),
  }
}

function RemoveDialog({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const t = useActionTexts()
  const { workspace } = useSession()
  const navigate = useNavigate()
  // The lists alone: what is gone is not read again.
  const remove = useWrite<void>(() => ({ method: 'DELETE', path: campaignApi(campaign.id), version: campaign.version }), {
    stale: [],
    done: t('removed'),
    showsError: true,
  })
  return (
    <Confirm
      isOpen
      onClose={onClose}
      onConfirm={() => remove.mutate(undefined, { onSuccess: () => void navigate(campaignPath(workspace.id)) })}
      title={t('removeTitle')}
      action={t('remove')}
      isDangerous
      isBusy={remove.isPending}
    >
      {t('removeText')}
      {remove.error && <Failure error={remove.error} />}
    </Confirm>
  )
}
