import { Alert, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconEyeCheck, IconInfoCircle } from '@tabler/icons-react'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import type { Campaign } from './api.ts'
import { useTexts } from './texts.ts'
import { useMemberName } from './words.ts'

/** Notices that a reader of the campaign needs first. */
export function CampaignNotices({ campaign }: { campaign: Campaign }) {
  const t = useTexts()
  const format = useFormat()
  const { changedSinceApproval, warnings, status, rejectionNote } = campaign
  const unknown = warnings.flatMap((warning) => (warning.code === 'unknown_segment' ? [warning.segment] : []))
  const isRejected = status === 'rejected' && rejectionNote !== null
  if (status !== 'pending_review' && !isRejected && changedSinceApproval.length + unknown.length === 0) return null
  return (
    <Stack gap="sm">
      {status === 'pending_review' && <Submitted campaign={campaign} />}
      {isRejected && (
        <Alert color="red" icon={<IconInfoCircle aria-hidden />}>
          <Text size="sm" dir="auto" className="cf-foreign" style={{ whiteSpace: 'pre-wrap' }}>
            {t('rejectedText', { note: rejectionNote })}
          </Text>
        </Alert>
      )}
      {changedSinceApproval.length > 0 && (
        <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} title={t('changedSinceApproval')}>
          {changedSinceApproval.map(({ kind, name, at }) => (
            <Text key={`${kind} ${name}`} size="sm">
              {at === null
                ? t(kind === 'picture' ? 'pictureGone' : 'goneText', { name })
                : t(kind === 'mail' ? 'partChanged' : 'changedText', { name, when: format.ago(at) })}
            </Text>
          ))}
        </Alert>
      )}
      {unknown.length > 0 && (
        <Alert color="orange" icon={<IconAlertTriangle aria-hidden />}>
          {t('unknownSegment', { count: unknown.length, list: format.list(unknown.map((name) => `“${name}”`)) })}
        </Alert>
      )}
    </Stack>
  )
}

function Submitted({ campaign: { submittedBy, submittedAt } }: { campaign: Campaign }) {
  const t = useTexts()
  const { me, mayApprove } = useSession()
  const memberName = useMemberName()
  const isMine = submittedBy === me.user.userId
  return (
    <Alert color="orange" icon={<IconEyeCheck aria-hidden />}>
      <Text size="sm" component="div">
        {isMine ? t('submittedByYou') : t('submittedText', { name: memberName(submittedBy) })} · <Moment at={submittedAt} />
      </Text>
      {!isMine && !mayApprove && <Text size="sm">{t('needsApprover')}</Text>}
    </Alert>
  )
}
